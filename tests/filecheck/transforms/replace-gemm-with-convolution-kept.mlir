// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-gemm-with-convolution %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// A factor: a Convolution has none.
func.func @factor(%x: tensor<?x?x3xf32>) -> tensor<2x?x?xf32> {
  %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %g = ncnn.gemm %r B %w C %b {name = "g", alpha = 2.0, transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// The channels come to stand in the middle.
func.func @order(%x: tensor<?x?x3xf32>) -> tensor<?x2x?xf32> {
  %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %g = ncnn.gemm %r B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 1} : (tensor<?x?x2xf32>) -> tensor<?x2x?xf32>
  func.return %y : tensor<?x2x?xf32>
}

// Rows become columns.
func.func @turned(%x: tensor<?x?x3xf32>) -> tensor<2x?x?xf32> {
  %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %g = ncnn.gemm %r B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1c,1h"} : (tensor<?x2xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Not the pixels are rows.
func.func @columns(%x: tensor<3x?x?xf32>) -> tensor<2x?x?xf32> {
  %r = ncnn.reshape %x {name = "r", shape_expr = "3,-1"} : (tensor<3x?x?xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %g = ncnn.gemm %r B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<3x?x?xf32>) -> tensor<?x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// What the Gemm gives is an output as well.
func.func @result(%x: tensor<?x?x3xf32>) -> (tensor<2x?x?xf32>, tensor<?x2xf32>) {
  %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %g = ncnn.gemm %r B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  func.return %y, %g : tensor<2x?x?xf32>, tensor<?x2xf32>
}

// A summand for each row.
func.func @summand(%x: tensor<?x?x3xf32>) -> tensor<2x?x?xf32> {
  %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %g = ncnn.gemm %r B %w C %b {name = "g", constantM = 6, transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 1} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<6xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// The Gemm transposes what it gives.
func.func @transposed(%x: tensor<?x?x3xf32>) -> tensor<2x?x?xf32> {
  %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %g = ncnn.gemm %r B %w C %b {name = "g", output_transpose = 1, transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<2x?xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<2x?xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}
