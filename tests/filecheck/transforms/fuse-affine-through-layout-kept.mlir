// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-affine-through-layout %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The Gemm's columns are two axes of the image, and the factors are for one of them.
func.func @split(%x: tensor<?x3xf32>) -> tensor<?x2x2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [1.0, 1.0, 1.0]]> : tensor<4x3xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 4, constantK = 3} : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<?x4xf32>
  %r = ncnn.reshape %g {name = "r", w = 2, h = 2, c = -1} : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
  %s = ncnn.constant {name = "s"} dense<[[[2.0, 0.5]]]> : tensor<1x1x2xf32>
  %y = ncnn.binaryop %r, %s {name = "y", op_type = mul} : (tensor<?x2x2xf32>, tensor<1x1x2xf32>) -> tensor<?x2x2xf32>
  func.return %y : tensor<?x2x2xf32>
}

// Rows of as many elements, but not those of the Gemm: their number is not a multiple of two for sure.
func.func @other_rows(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x2xf32>
  %p = ncnn.permute %g {name = "p", order_type = 1} : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %r = ncnn.reshape %p {name = "r", w = 2, h = -1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
  %s = ncnn.constant {name = "s"} dense<[[2.0, 0.5]]> : tensor<1x2xf32>
  %y = ncnn.binaryop %r, %s {name = "y", op_type = mul} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// Factors of the rows, which the Gemm has none of.
func.func @rows(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 3} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %p = ncnn.permute %g {name = "p", order_type = 1} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = ncnn.constant {name = "s"} dense<[[2.0, 0.5]]> : tensor<1x2xf32>
  %y = ncnn.binaryop %p, %s {name = "y", op_type = mul} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// An activation comes first.
func.func @activation(%x: tensor<1x?x?xf32>) -> tensor<?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %f = ncnn.flatten %c {name = "f"} : (tensor<2x?x?xf32>) -> tensor<?xf32>
  %y = ncnn.power %f {name = "y", scale = 2.0} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}

// Also before a negative factor.
func.func @activation_and_negative(%x: tensor<1x?x?xf32>) -> tensor<?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %f = ncnn.flatten %c {name = "f"} : (tensor<2x?x?xf32>) -> tensor<?xf32>
  %y = ncnn.power %f {name = "y", scale = -2.0} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}

// The rows are an output as well.
func.func @result(%x: tensor<1x?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %f = ncnn.flatten %c {name = "f"} : (tensor<2x?x?xf32>) -> tensor<?xf32>
  %y = ncnn.power %f {name = "y", scale = 2.0} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %y, %f : tensor<?xf32>, tensor<?xf32>
}

// Nothing is between the two: this is what `fuse-conv-mul` is for.
func.func @next(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.power %c {name = "y", scale = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}
