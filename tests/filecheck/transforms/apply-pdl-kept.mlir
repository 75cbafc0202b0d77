// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --apply-pdl=%S/../../../examples/swish.pdl.mlir %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Another operator: `add` is the default, and not written.
func.func @sum(%x: tensor<2xf32>) -> tensor<2xf32> {
  %gate = ncnn.sigmoid %x {name = "gate"} : (tensor<2xf32>) -> tensor<2xf32>
  %sum = ncnn.binaryop %gate, %x {name = "sum", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %sum : tensor<2xf32>
}

// A gate of something else.
func.func @other_gate(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %gate = ncnn.sigmoid %y {name = "gate"} : (tensor<2xf32>) -> tensor<2xf32>
  %product = ncnn.binaryop %gate, %x {name = "product", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %product : tensor<2xf32>
}

// The pattern says nothing of feature masks.
func.func @feature_mask(%x: tensor<2xf32>) -> tensor<2xf32> {
  %gate = ncnn.sigmoid %x {name = "gate", featmask = 1} : (tensor<2xf32>) -> tensor<2xf32>
  %product = ncnn.binaryop %gate, %x {name = "product", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %product : tensor<2xf32>
}

// Nor of parameters that nobody knows.
func.func @unknown_parameter(%x: tensor<2xf32>) -> tensor<2xf32> {
  %gate = ncnn.sigmoid %x {name = "gate"} : (tensor<2xf32>) -> tensor<2xf32>
  %product = ncnn.binaryop %gate, %x {name = "product", op_type = mul, extra = {"3" = 1 : i32}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %product : tensor<2xf32>
}
