// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-convolution-convolution %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// An activation comes between.
func.func @activation(%x: tensor<?x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = ncnn.relu %x {name = "r"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = ncnn.convolution %r weight %w bias %b {name = "c", num_output = 4, kernel_w = 1, activation_type = relu} : (tensor<?x?x?xf32>, tensor<4x1x1x1xf32>, tensor<4xf32>) -> tensor<4x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[0.5]], [[2.0]], [[-1.0]]]]> : tensor<1x4x1x1xf32>
  %y = ncnn.convolution %c weight %u {name = "y", num_output = 1, kernel_w = 1, stride_w = 2, activation_type = relu} : (tensor<4x?x?xf32>, tensor<1x4x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// What is between is an output as well.
func.func @result(%x: tensor<?x?x?xf32>) -> (tensor<1x?x?xf32>, tensor<4x?x?xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = ncnn.relu %x {name = "r"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = ncnn.convolution %r weight %w bias %b {name = "c", num_output = 4, kernel_w = 1} : (tensor<?x?x?xf32>, tensor<4x1x1x1xf32>, tensor<4xf32>) -> tensor<4x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[0.5]], [[2.0]], [[-1.0]]]]> : tensor<1x4x1x1xf32>
  %y = ncnn.convolution %c weight %u {name = "y", num_output = 1, kernel_w = 1, stride_w = 2, activation_type = relu} : (tensor<4x?x?xf32>, tensor<1x4x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y, %c : tensor<1x?x?xf32>, tensor<4x?x?xf32>
}

// Around the image the second one finds zeros, not the bias of the first.
func.func @padded(%x: tensor<?x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = ncnn.relu %x {name = "r"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = ncnn.convolution %r weight %w bias %b {name = "c", num_output = 4, kernel_w = 1} : (tensor<?x?x?xf32>, tensor<4x1x1x1xf32>, tensor<4xf32>) -> tensor<4x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[0.5]], [[2.0]], [[-1.0]]]]> : tensor<1x4x1x1xf32>
  %y = ncnn.convolution %c weight %u {name = "y", num_output = 1, kernel_w = 1, pad_left = 1, activation_type = relu} : (tensor<4x?x?xf32>, tensor<1x4x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// The first one leaves pixels out.
func.func @strides(%x: tensor<?x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = ncnn.relu %x {name = "r"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = ncnn.convolution %r weight %w bias %b {name = "c", num_output = 4, kernel_w = 1, stride_w = 2} : (tensor<?x?x?xf32>, tensor<4x1x1x1xf32>, tensor<4xf32>) -> tensor<4x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[0.5]], [[2.0]], [[-1.0]]]]> : tensor<1x4x1x1xf32>
  %y = ncnn.convolution %c weight %u {name = "y", num_output = 1, kernel_w = 1, stride_w = 2, activation_type = relu} : (tensor<4x?x?xf32>, tensor<1x4x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// One channel between two and two: four products instead of four, and none less.
func.func @narrow(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 1, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<1x2x1x1xf32>) -> tensor<1x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %c weight %u {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// 60000 * 1 + 60000 is larger than 65504: in float16 the bias would be infinite.
func.func @bias_overflows_float16(%x: tensor<4x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x4x1x1xf32>
  %b = ncnn.constant dense<[60000.0]> : tensor<1xf32>
  %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 1, kernel_w = 1} : (tensor<4x?x?xf32>, tensor<1x4x1x1xf32>, tensor<1xf32>) -> tensor<1x?x?xf32>
  %u = ncnn.constant dense<1.0> : tensor<1x1x1x1xf32>
  %d = ncnn.constant dense<[60000.0]> : tensor<1xf32>
  %y = ncnn.convolution %c weight %u bias %d {name = "y", num_output = 1, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}
