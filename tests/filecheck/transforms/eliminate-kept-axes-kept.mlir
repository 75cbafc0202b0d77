// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-kept-axes %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// What is between is an output.
func.func @shared(%in: tensor<1x?x?xf32>) -> (tensor<2x?x?xf32>, tensor<1x1x1xf32>) {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %a = ncnn.convolution %m weight %w {name = "a", num_output = 1, kernel_w = 1, activation_type = relu} : (tensor<2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x1xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.convolution %a weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y, %a : tensor<2x?x?xf32>, tensor<1x1x1xf32>
}

// There is a mean for each column.
func.func @columns(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %a = ncnn.convolution %m weight %w {name = "a", num_output = 1, kernel_w = 1, activation_type = relu} : (tensor<2x1x?xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.convolution %a weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x1x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x?xf32>
  %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x?xf32>) -> tensor<2x1x?xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// No Convolution.
func.func @none(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %x, %m {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Float16 does not hold the weight of a Convolution.
func.func @precision(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[1.0e6]]]]> : tensor<1x2x1x1xf32>
  %a = ncnn.convolution %m weight %w {name = "a", num_output = 1, kernel_w = 1, activation_type = relu} : (tensor<2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x1xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.convolution %a weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// A pad makes more of one pixel.
func.func @pads(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
  %w = ncnn.constant dense<1.0> : tensor<1x2x3x3xf32>
  %a = ncnn.convolution %m weight %w {name = "a", num_output = 1, kernel_w = 3, pad_left = 1, activation_type = relu} : (tensor<2x1x1xf32>, tensor<1x2x3x3xf32>) -> tensor<1x1x1xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.convolution %a weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// What follows is no BinaryOp.
func.func @end(%in: tensor<1x?x?xf32>) -> tensor<2x1x1xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %a = ncnn.convolution %m weight %w {name = "a", num_output = 1, kernel_w = 1, activation_type = relu} : (tensor<2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x1xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.convolution %a weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.softmax %b {name = "y"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %y : tensor<2x1x1xf32>
}

// How many channels the image has is not certain: a vector might be for columns.
func.func @image(%in: tensor<1x?x?xf32>, %z: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %a = ncnn.convolution %m weight %w {name = "a", num_output = 1, kernel_w = 1, activation_type = relu} : (tensor<2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x1xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.convolution %a weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %z, %s {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// A sum is no Pooling.
func.func @sum(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = sum, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %a = ncnn.convolution %m weight %w {name = "a", num_output = 1, kernel_w = 1, activation_type = relu} : (tensor<2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x1xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.convolution %a weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// The Reshape makes rows of the vector, not channels.
func.func @rows(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.pooling %x {name = "m", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
  %r = ncnn.reshape %m {name = "r", w = 1, h = 2, c = 1} : (tensor<2xf32>) -> tensor<1x2x1xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x1x1x1xf32>
  %b = ncnn.convolution %r weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x2x1xf32>
  %y = ncnn.binaryop %x, %b {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x2x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Another layer reads the image of one pixel.
func.func @read_twice(%in: tensor<1x?x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x1x1xf32>) {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.pooling %x {name = "m", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
  %r = ncnn.reshape %m {name = "r", w = 1, h = 1, c = 2} : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %b = ncnn.convolution %r weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x1x1xf32>, tensor<2x2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %x, %b {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y, %r : tensor<2x?x?xf32>, tensor<2x1x1xf32>
}
