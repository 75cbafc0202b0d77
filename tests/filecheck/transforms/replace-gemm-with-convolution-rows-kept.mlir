// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-gemm-with-convolution %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// As many columns before the Gemm as behind it: an image of either is as large.
func.func @as_wide(%x: tensor<?x2xf32>) -> tensor<2x2x?xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0], [4.0, 5.0]]> : tensor<2x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %p = ncnn.permute %g {name = "p", order_type = 1} : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %y = ncnn.reshape %p {name = "y", w = -1, h = 2, c = 2} : (tensor<2x?xf32>) -> tensor<2x2x?xf32>
  func.return %y : tensor<2x2x?xf32>
}

// The pixels come into another order.
func.func @turned(%x: tensor<?x1xf32>) -> tensor<2x?x2xf32> {
  %w = ncnn.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 1} : (tensor<?x1xf32>, tensor<2x1xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g {name = "i", w = 2, h = -1, c = 2} : (tensor<?x2xf32>) -> tensor<2x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 5} : (tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
  func.return %y : tensor<2x?x2xf32>
}

// The columns do not become the channels.
func.func @rows_ahead(%x: tensor<?x1xf32>) -> tensor<?x2x2xf32> {
  %w = ncnn.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 4, constantK = 1} : (tensor<?x1xf32>, tensor<4x1xf32>) -> tensor<?x4xf32>
  %y = ncnn.reshape %g {name = "y", w = 2, h = 2, c = -1} : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
  func.return %y : tensor<?x2x2xf32>
}

// The wide rows are an output.
func.func @result(%x: tensor<?x1xf32>) -> (tensor<2x2x?xf32>, tensor<?x2xf32>) {
  %w = ncnn.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 1} : (tensor<?x1xf32>, tensor<2x1xf32>) -> tensor<?x2xf32>
  %p = ncnn.permute %g {name = "p", order_type = 1} : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %y = ncnn.reshape %p {name = "y", w = -1, h = 2, c = 2} : (tensor<2x?xf32>) -> tensor<2x2x?xf32>
  func.return %y, %g : tensor<2x2x?xf32>, tensor<?x2xf32>
}

// Nothing says the extents of an image of other rows: only one of them may be what is left.
func.func @unsaid(%x: tensor<?x1xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 1} : (tensor<?x1xf32>, tensor<2x1xf32>) -> tensor<?x2xf32>
  %p = ncnn.permute %g {name = "p", order_type = 1} : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %y = ncnn.reshape %p {name = "y", shape_expr = "//(0w,2),-1,2"} : (tensor<2x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// The Gemm behind the image makes rows wider.
func.func @wider_behind(%x: tensor<1x?x?xf32>) -> tensor<?x3xf32> {
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %c = ncnn.convolution %x weight %v {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %f = ncnn.reshape %c {name = "f", w = -1, h = 2} : (tensor<2x?x?xf32>) -> tensor<2x?xf32>
  %p = ncnn.permute %f {name = "p", order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = ncnn.gemm %p B %w {name = "y", constantB = 1, constantN = 3, constantK = 2} : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}

// What is between is not element by element: rows are normalized.
func.func @normalized(%x: tensor<?x1xf32>) -> tensor<2x2x?xf32> {
  %w = ncnn.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 1} : (tensor<?x1xf32>, tensor<2x1xf32>) -> tensor<?x2xf32>
  %n = ncnn.layernorm %g {name = "n", affine_size = 2} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %p = ncnn.permute %n {name = "p", order_type = 1} : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %y = ncnn.reshape %p {name = "y", w = -1, h = 2, c = 2} : (tensor<2x?xf32>) -> tensor<2x2x?xf32>
  func.return %y : tensor<2x2x?xf32>
}
