// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-affine-linear %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-affine-linear %s > %t.once
// RUN: ncnn-opt --fuse-affine-linear %t.once | diff %t.once -

// A factor and a summand a channel into the linear layer that reads what they make: [[1, 2], [3, 4]] is its weight
// and [10, 20] its bias, unless said otherwise.

// [[1 * 3, 2 * 0.5], [3 * 3, 4 * 0.5]].
// CHECK-LABEL: func.func @scale(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]], [[1.000000e+00]]], [[[9.000000e+00]], [[2.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @scale(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Factors [2, 0.5], summands [-1.5, 2]: b = [10 - 1.5 * 1 + 2 * 2, 20 - 1.5 * 3 + 2 * 4].
// CHECK-LABEL: func.func @batchnorm(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s_mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s_var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s_shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.batchnorm %x slope %s_slope mean %s_mean var %s_var bias %s_shift {name = "s", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]], [[1.000000e+00]]], [[[6.000000e+00]], [[2.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.250000e+01, 2.350000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @batchnorm(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %s_mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s_var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %s_shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.batchnorm %x slope %s_slope mean %s_mean var %s_var bias %s_shift {name = "s", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// [2 * (1 + 2), 2 * (3 + 4)].
// CHECK-LABEL: func.func @new_bias(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = add, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %s weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %w_bias = ncnn.constant dense<[6.000000e+00, 1.400000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w bias %w_bias {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @new_bias(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = add, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %y = ncnn.convolution %s weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// The sums run over the window: b = [10 + 1 * 10 + 10 * 4, 20 + 1 * 0 + 10 * 8].
// CHECK-LABEL: func.func @window(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s_t = ncnn.constant dense<[1.000000e+00, 1.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[1.000000e+00, 1.000000e+00], [1.000000e+00, 1.000000e+00]]], [[[0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], [[2.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00]]]]> : tensor<2x2x2x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 2} : (tensor<2x?x?xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00, 6.000000e+00], [9.000000e+00, 1.200000e+01]], [[5.000000e-01, 5.000000e-01], [5.000000e-01, 5.000000e-01]]], [[[0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], [[1.000000e+00, 1.000000e+00], [1.000000e+00, 1.000000e+00]]]]> : tensor<2x2x2x2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[6.000000e+01, 1.000000e+02]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 2} : (tensor<2x?x?xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @window(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s_t = ncnn.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 1.0], [1.0, 1.0]]], [[[0.0, 0.0], [0.0, 0.0]], [[2.0, 2.0], [2.0, 2.0]]]]> : tensor<2x2x2x2xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 2} : (tensor<2x?x?xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// An activation of the convolution comes later.
// CHECK-LABEL: func.func @activation(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]], [[4.000000e+00]]], [[[6.000000e+00]], [[8.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @activation(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// 0 is padded with, and 3 * 0 = 0.
// CHECK-LABEL: func.func @padding_without_shift(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]], [[1.000000e+00]]], [[[9.000000e+00]], [[2.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @padding_without_shift(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// 0.5 * 4 - 2 = 0: 4 is padded with now.
// CHECK-LABEL: func.func @padding(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s = ncnn.power %x {name = "s", scale = 0.5, shift = -2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[5.000000e-01]], [[1.000000e+00]]], [[[1.500000e+00]], [[2.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[4.000000e+00, 6.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = 1, pad_value = 4.0} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @padding(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.power %x {name = "s", scale = 0.5, shift = -2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// 4 - 3 = 1.
// CHECK-LABEL: func.func @padding_same(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = sub, with_scalar = 1, b = 3.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = -233, pad_value = 1.0} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+00, -1.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = -233, pad_value = 4.0} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @padding_same(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = sub, with_scalar = 1, b = 3.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = -233, pad_value = 1.0} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Each group has inputs of its own: [[1 * 1, 2 * 2], [3 * 3, 4 * 4]], b = [10 + 1 + 2, 20 + 3 + 40].
// CHECK-LABEL: func.func @groups(%x: tensor<4x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// BEFORE-NEXT:   %s_t = ncnn.constant dense<[1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+01]> : tensor<4xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<4x?x?xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<4x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[4.000000e+00]]], [[[9.000000e+00]], [[1.600000e+01]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.300000e+01, 6.300000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<4x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @groups(%x: tensor<4x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %s_t = ncnn.constant dense<[1.0, 1.0, 1.0, 10.0]> : tensor<4xf32>
  %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<4x?x?xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<4x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// CHECK-LABEL: func.func @depthwise(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s_t = ncnn.constant dense<[1.000000e+00, 1.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.100000e+01, 4.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @depthwise(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s_t = ncnn.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// CHECK-LABEL: func.func @convolution1d(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[1.000000e+00], [2.000000e+00]], [[3.000000e+00], [4.000000e+00]]]> : tensor<2x2x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolution1d %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[3.000000e+00], [1.000000e+00]], [[9.000000e+00], [2.000000e+00]]]> : tensor<2x2x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution1d %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?xf32>
// CHECK-NEXT: }
func.func @convolution1d(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution1d %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>, tensor<2xf32>) -> tensor<2x?xf32>
  func.return %y : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @convolution3d(%x: tensor<2x?x?x?xf32>) -> tensor<2x?x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[[1.000000e+00]]], [[[2.000000e+00]]]], [[[[3.000000e+00]]], [[[4.000000e+00]]]]]> : tensor<2x2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolution3d %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?x?xf32>, tensor<2x2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[[3.000000e+00]]], [[[1.000000e+00]]]], [[[[9.000000e+00]]], [[[2.000000e+00]]]]]> : tensor<2x2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution3d %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?x?xf32>, tensor<2x2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?x?xf32>
// CHECK-NEXT: }
func.func @convolution3d(%x: tensor<2x?x?x?xf32>) -> tensor<2x?x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?x?xf32>
  %w = ncnn.constant dense<[[[[[1.0]]], [[[2.0]]]], [[[[3.0]]], [[[4.0]]]]]> : tensor<2x2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution3d %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?x?xf32>, tensor<2x2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?x?xf32>
  func.return %y : tensor<2x?x?x?xf32>
}

// A scale goes into any.
// CHECK-LABEL: func.func @deconvolution(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[1.000000e+00, 1.000000e+00], [1.000000e+00, 1.000000e+00]]], [[[0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], [[2.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00]]]]> : tensor<2x2x2x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 2, stride_w = 2} : (tensor<2x?x?xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00, 6.000000e+00], [9.000000e+00, 1.200000e+01]], [[5.000000e-01, 5.000000e-01], [5.000000e-01, 5.000000e-01]]], [[[0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], [[1.000000e+00, 1.000000e+00], [1.000000e+00, 1.000000e+00]]]]> : tensor<2x2x2x2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 2, stride_w = 2} : (tensor<2x?x?xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @deconvolution(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 1.0], [1.0, 1.0]]], [[[0.0, 0.0], [0.0, 0.0]], [[2.0, 2.0], [2.0, 2.0]]]]> : tensor<2x2x2x2xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 2, stride_w = 2} : (tensor<2x?x?xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// A shift reaches all elements alike where each has one product.
// CHECK-LABEL: func.func @deconvolution_of_points(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s_t = ncnn.constant dense<[1.000000e+00, 1.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]], [[1.000000e+00]]], [[[9.000000e+00]], [[2.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.100000e+01, 6.300000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @deconvolution_of_points(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s_t = ncnn.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// What is sampled outside of the blob is 0, also times a factor.
// CHECK-LABEL: func.func @deformable(%x: tensor<2x?x?xf32>, %offset: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.deformableconv2d %s, %offset weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]], [[1.000000e+00]]], [[[9.000000e+00]], [[2.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %y = ncnn.deformableconv2d %x, %offset weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @deformable(%x: tensor<2x?x?xf32>, %offset: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %y = ncnn.deformableconv2d %s, %offset weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// CHECK-LABEL: func.func @innerproduct(%x: tensor<4xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %y : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 4.000000e+00, 9.000000e+00, 1.600000e+01], [5.000000e+00, 1.200000e+01, 2.100000e+01, 3.200000e+01]]> : tensor<2x4xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.innerproduct %x weight %w bias %b {name = "y", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @innerproduct(%x: tensor<4xf32>) -> tensor<2xf32> {
  %s_f = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// Flattened: two inputs for each channel, and two channels for certain.
// CHECK-LABEL: func.func @flattened(%x: tensor<1x2x1xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<1.000000e+00> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x2x1xf32>
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %a scale %s_f {name = "s"} : (tensor<2x2x1xf32>, tensor<2xf32>) -> tensor<2x2x1xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<2x2x1xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %y : tensor<2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<1.000000e+00> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x2x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[3.000000e+00, 6.000000e+00, 1.500000e+00, 2.000000e+00], [1.500000e+01, 1.800000e+01, 3.500000e+00, 4.000000e+00]]> : tensor<2x4xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.innerproduct %a weight %w bias %b {name = "y", num_output = 2} : (tensor<2x2x1xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @flattened(%x: tensor<1x2x1xf32>) -> tensor<2xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x1x1x1xf32>
  %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x2x1xf32>
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %a scale %s_f {name = "s"} : (tensor<2x2x1xf32>, tensor<2xf32>) -> tensor<2x2x1xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<2x2x1xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// Rows of 4 for certain: a factor for each column.
// CHECK-LABEL: func.func @rows(%x: tensor<?x1xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<1.000000e+00> : tensor<1x4xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x B %v {name = "g", constantB = 1, constantN = 4, constantK = 1} : (tensor<?x1xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
// BEFORE-NEXT:   %a = ncnn.relu %g {name = "a"} : (tensor<?x4xf32>) -> tensor<?x4xf32>
// BEFORE-NEXT:   %s_c = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]> : tensor<1x4xf32>
// BEFORE-NEXT:   %s = ncnn.binaryop %a, %s_c {name = "s", op_type = mul} : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<?x4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<1.000000e+00> : tensor<1x4xf32>
// AFTER-NEXT:    %g = ncnn.gemm %x B %v {name = "g", constantB = 1, constantN = 4, constantK = 1} : (tensor<?x1xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
// AFTER-NEXT:    %a = ncnn.relu %g {name = "a"} : (tensor<?x4xf32>) -> tensor<?x4xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 4.000000e+00, 9.000000e+00, 1.600000e+01], [5.000000e+00, 1.200000e+01, 2.100000e+01, 3.200000e+01]]> : tensor<2x4xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.innerproduct %a weight %w bias %b {name = "y", num_output = 2} : (tensor<?x4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @rows(%x: tensor<?x1xf32>) -> tensor<?x2xf32> {
  %v = ncnn.constant dense<1.0> : tensor<1x4xf32>
  %g = ncnn.gemm %x B %v {name = "g", constantB = 1, constantN = 4, constantK = 1} : (tensor<?x1xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  %a = ncnn.relu %g {name = "a"} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %s_c = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %s = ncnn.binaryop %a, %s_c {name = "s", op_type = mul} : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<?x4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// One factor is for any blob.
// CHECK-LABEL: func.func @scalar_of_any_blob(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<*xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %y : tensor<*xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[2.000000e+00, 4.000000e+00, 6.000000e+00, 8.000000e+00], [1.000000e+01, 1.200000e+01, 1.400000e+01, 1.600000e+01]]> : tensor<2x4xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.innerproduct %x weight %w bias %b {name = "y", num_output = 2} : (tensor<*xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %y : tensor<*xf32>
// CHECK-NEXT: }
func.func @scalar_of_any_blob(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<*xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// Rows of a transposed A are those of B.
// CHECK-LABEL: func.func @gemm(%x: tensor<2x?xf32>) -> tensor<?x3xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s_t = ncnn.constant dense<[1.000000e+00, 1.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %s B %B {name = "y", alpha = 2.0, transA = 1, constantB = 1, constantN = 3, constantK = 2} : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x3xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[3.000000e+00, 6.000000e+00, 9.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %B_bias = ncnn.constant dense<[[4.100000e+01, 5.200000e+01, 6.300000e+01]]> : tensor<1x3xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B C %B_bias {name = "y", alpha = 2.0, transA = 1, constantB = 1, constantC = 1, constantN = 3, constantK = 2, constant_broadcast_type_C = 4} : (tensor<2x?xf32>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
// AFTER-NEXT:    func.return %y : tensor<?x3xf32>
// CHECK-NEXT: }
func.func @gemm(%x: tensor<2x?xf32>) -> tensor<?x3xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s_t = ncnn.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?xf32>
  %B = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = ncnn.gemm %s B %B {name = "y", alpha = 2.0, transA = 1, constantB = 1, constantN = 3, constantK = 2} : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}
