// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fold-constants %s | diff %t.before -
// RUN: ncnn-opt --canonicalize %s | diff %t.before -
// RUN: ncnn-opt --canonicalize --fold-limit 16384 %s | filecheck %s --check-prefix=LIMIT
// RUN: ncnn-opt --fold-constants=16384 %s | filecheck %s --check-prefix=LIMIT

// Nothing here may change, unless a fold may add more to the weights.

// One operand is no constant.
func.func @blob(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = ncnn.constant {name = "c"} dense<[1.0, 2.0]> : tensor<2xf32>
  %max = ncnn.binaryop %x, %c {name = "max", op_type = max} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %max : tensor<2xf32>
}

// There are no values.
func.func @elided() -> tensor<2xf32> {
  %c = ncnn.constant {name = "c"} #ncnn.elided : tensor<2xf32>
  %exp = ncnn.unaryop %c {name = "exp", op_type = exp} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %exp : tensor<2xf32>
}

// Not a number that every machine agrees on.
func.func @infinite() -> tensor<2xf32> {
  %c = ncnn.constant {name = "c"} dense<[0.0, 2.0]> : tensor<2xf32>
  %log = ncnn.unaryop %c {name = "log", op_type = log} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %log : tensor<2xf32>
}

// The runtime is told how to compute.
func.func @feature_mask() -> tensor<2xf32> {
  %c = ncnn.constant {name = "c"} dense<[1.0, 2.0]> : tensor<2xf32>
  %exp = ncnn.unaryop %c {name = "exp", op_type = exp, featmask = 1} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %exp : tensor<2xf32>
}

// Nobody knows what it means.
func.func @unknown_parameter() -> tensor<2xf32> {
  %c = ncnn.constant {name = "c"} dense<[1.0, 2.0]> : tensor<2xf32>
  %exp = ncnn.unaryop %c {name = "exp", op_type = exp, extra = {"9" = 1 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %exp : tensor<2xf32>
}

// An output keeps its type.
func.func @output_type() -> tensor<*xf32> {
  %c = ncnn.constant {name = "c"} dense<[1.0, 2.0]> : tensor<2xf32>
  %exp = ncnn.unaryop %c {name = "exp", op_type = exp} : (tensor<2xf32>) -> tensor<*xf32>
  func.return %exp : tensor<*xf32>
}

// Operands that do not fit: the runtime is to say what it makes of them.
func.func @no_broadcast() -> tensor<*xf32> {
  %a = ncnn.constant {name = "a"} dense<[1.0, 2.0]> : tensor<2xf32>
  %b = ncnn.constant {name = "b"} dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %sum = ncnn.binaryop %a, %b {name = "sum", op_type = add} : (tensor<2xf32>, tensor<3xf32>) -> tensor<*xf32>
  func.return %sum : tensor<*xf32>
}

// 12 elements stay 12, by way of a million million.
func.func @padding() -> tensor<3x2x2xf32> {
  %c = ncnn.constant {name = "c"} dense<[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]> : tensor<3x2x2xf32>
  %pool = ncnn.pooling %c {name = "pool", kernel_w = 2, stride_w = 3000000, pad_left = 1000000} : (tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
  func.return %pool : tensor<3x2x2xf32>
}

// 8 bytes would become 8 KiB.
// LIMIT: func.func @growing
// LIMIT-NEXT: ncnn.constant {name = "tile"}
// LIMIT-NEXT: func.return
func.func @growing() -> tensor<2048xf32> {
  %c = ncnn.constant {name = "c"} dense<[1.0, 2.0]> : tensor<2xf32>
  %tile = ncnn.tile %c {name = "tile", tiles = 1024} : (tensor<2xf32>) -> tensor<2048xf32>
  func.return %tile : tensor<2048xf32>
}
