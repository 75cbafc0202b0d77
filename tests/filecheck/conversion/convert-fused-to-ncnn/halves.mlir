// RUN: ncnn-opt --convert-ncnn-to-fused --convert-fused-to-ncnn %s | filecheck %s --match-full-lines

// Constants of 16 bits: the runtime makes float32 of them on loading, so that they take no Cast.

// What is made of it has float32.
// CHECK-LABEL: func.func @reshape(%x: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %k = ncnn.constant {name = "k", load_type = 0} dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf16>
// CHECK-NEXT:   %r = ncnn.reshape %k {name = "r", w = 1, h = 1, c = 3} : (tensor<3xf16>) -> tensor<3x1x1xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %x, %r {name = "y", op_type = add} : (tensor<3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<3x4x4xf32>
// CHECK-NEXT:   func.return %y : tensor<3x4x4xf32>
// CHECK-NEXT: }
func.func @reshape(%x: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32> {ncnn.blob = "y"}) {
  %k = ncnn.constant {name = "k", load_type = 0} dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
  %r = ncnn.reshape %k {name = "r", w = 1, h = 1, c = 3} : (tensor<3xf16>) -> tensor<3x1x1xf32>
  %y = ncnn.binaryop %x, %r {name = "y"} : (tensor<3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<3x4x4xf32>
  func.return %y : tensor<3x4x4xf32>
}

// CHECK-LABEL: func.func @abs(%x: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %k = ncnn.constant {name = "k", load_type = 0} dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf16>
// CHECK-NEXT:   %r = ncnn.unaryop %k {name = "r", op_type = abs} : (tensor<3xf16>) -> tensor<3xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %x, %r {name = "y", op_type = add} : (tensor<3x4x4xf32>, tensor<3xf32>) -> tensor<3x4x4xf32>
// CHECK-NEXT:   func.return %y : tensor<3x4x4xf32>
// CHECK-NEXT: }
func.func @abs(%x: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32> {ncnn.blob = "y"}) {
  %k = ncnn.constant {name = "k", load_type = 0} dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
  %r = ncnn.absval %k {name = "r"} : (tensor<3xf16>) -> tensor<3xf32>
  %y = ncnn.binaryop %x, %r {name = "y"} : (tensor<3x4x4xf32>, tensor<3xf32>) -> tensor<3x4x4xf32>
  func.return %y : tensor<3x4x4xf32>
}

// A matrix along the inner axes, for which it takes a Reshape.
// CHECK-LABEL: func.func @inner(%x: tensor<2x3x3xf32>, %z: tensor<2x3x3xf32>) -> (tensor<2x3x3xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %k = ncnn.constant {name = "k", load_type = 0} dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xbf16>
// CHECK-NEXT:   %0 = ncnn.binaryop %x, %k {name = "mul", op_type = mul} : (tensor<2x3x3xf32>, tensor<3xbf16>) -> tensor<2x3x3xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %0, %z {name = "mul_1", blobs = ["y"], op_type = add} : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3x3xf32>
// CHECK-NEXT: }
func.func @inner(%x: tensor<2x3x3xf32>, %z: tensor<2x3x3xf32>) -> (tensor<2x3x3xf32> {ncnn.blob = "y"}) {
  %k = ncnn.constant {name = "k", load_type = 0} dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %0 = ncnn.binaryop %x, %k {name = "mul", op_type = mul} : (tensor<2x3x3xf32>, tensor<3xbf16>) -> tensor<2x3x3xf32>
  %y = ncnn.binaryop %0, %z {name = "y"} : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  func.return %y : tensor<2x3x3xf32>
}

// C of a Gemm that is no bias.
// CHECK-LABEL: func.func @gemm(%x: tensor<4x8xf32>) -> (tensor<4x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<2x8xf16>
// CHECK-NEXT:   %c = ncnn.constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf16>
// CHECK-NEXT:   %0 = ncnn.gemm %x B %b {name = "y", blobs = ["y_0"], transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 8, constant_broadcast_type_C = -1} : (tensor<4x8xf32>, tensor<2x8xf16>) -> tensor<4x2xf32>
// CHECK-NEXT:   %1 = ncnn.binaryop %c {name = "y_1", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<1x2xf16>) -> tensor<1x2xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %0, %1 {name = "y_2", blobs = ["y"], op_type = add} : (tensor<4x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2xf32>
// CHECK-NEXT: }
func.func @gemm(%x: tensor<4x8xf32>) -> (tensor<4x2xf32> {ncnn.blob = "y"}) {
  %b = ncnn.constant #ncnn.elided : tensor<2x8xf16>
  %c = ncnn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf16>
  %y = ncnn.gemm %x B %b C %c {name = "y", beta = 0.5, transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 8, constant_broadcast_type_C = 4} : (tensor<4x8xf32>, tensor<2x8xf16>, tensor<1x2xf16>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

// A Cast makes halves of it, and floats of these.
// CHECK-LABEL: func.func @cast() -> (tensor<3xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %k = ncnn.constant {name = "k", load_type = 0} dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf16>
// CHECK-NEXT:   %0 = ncnn.cast %k {name = "narrow", type_from = float32, type_to = float16} : (tensor<3xf16>) -> tensor<3xf16>
// CHECK-NEXT:   %y = ncnn.cast %0 {name = "narrow_1", blobs = ["y"], type_from = float16, type_to = float32} : (tensor<3xf16>) -> tensor<3xf32>
// CHECK-NEXT:   func.return %y : tensor<3xf32>
// CHECK-NEXT: }
func.func @cast() -> (tensor<3xf32> {ncnn.blob = "y"}) {
  %k = ncnn.constant {name = "k", load_type = 0} dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
  %0 = ncnn.cast %k {name = "narrow", type_from = float32, type_to = float16} : (tensor<3xf16>) -> tensor<3xf16>
  %y = ncnn.cast %0 {name = "y", type_from = float16, type_to = float32} : (tensor<3xf16>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
