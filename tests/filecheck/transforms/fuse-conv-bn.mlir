// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-conv-bn %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-conv-bn %s > %t.once
// RUN: ncnn-opt --fuse-conv-bn %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-conv-bn --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// With eps = 1 the BatchNorm of all functions is y = scale * x + shift per channel, where
// scale = slope / sqrt(var + eps) = [4 / sqrt(4), 2 / sqrt(16)] = [2, 0.5]
// shift = bias - mean * scale = [0.5 - 1 * 2, 3 - 2 * 0.5] = [-1.5, 2]

// The weight becomes [1 * 2, 2 * 0.5], the bias [10 * 2 - 1.5, 20 * 0.5 + 2].
// The layer keeps its name, and makes the blob that the BatchNorm made.
// REMARK: remark: fuse-conv-bn: Convolution 'conv', BatchNorm 'bn'
// CHECK-LABEL: func.func @with_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @with_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// The shift is the new bias.
// CHECK-LABEL: func.func @without_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %w_bias = ncnn.constant dense<[-1.500000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %w_bias {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @without_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// Both fold: the weight is [1 * 2 * 2, 2 * 0.5 * 0.5], the bias [18.5 * 2 - 1.5, 12 * 0.5 + 2].
// CHECK-LABEL: func.func @twice(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn2 = ncnn.batchnorm %bn slope %slope mean %mean var %var bias %shift {name = "bn2", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn2 : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[4.000000e+00]]], [[[5.000000e-01]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.550000e+01, 8.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["bn2"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @twice(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn2 = ncnn.batchnorm %bn slope %slope mean %mean var %var bias %shift {name = "bn2", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn2 : tensor<2x1x1xf32>
}

// Another layer with the same weight keeps it as it is.
// CHECK-LABEL: func.func @shared_weight(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %other = ncnn.convolution %x weight %w bias %b {name = "other", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn, %other : tensor<2x1x1xf32>, tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %w_1 = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b_1 = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w_1 bias %b_1 {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    %other = ncnn.convolution %x weight %w bias %b {name = "other", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv, %other : tensor<2x1x1xf32>, tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @shared_weight(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %other = ncnn.convolution %x weight %w bias %b {name = "other", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn, %other : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// What is known of the blobs does not matter: a convolution's channels are the outermost axis.
// CHECK-LABEL: func.func @unknown_extents(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<*xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<*xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %bn : tensor<*xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<*xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %conv : tensor<*xf32>
// CHECK-NEXT: }
func.func @unknown_extents(%x: tensor<*xf32>) -> tensor<*xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<*xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<*xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<*xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  func.return %bn : tensor<*xf32>
}

// Storage: weights stay float16 where that is exact.

// [1 * 2, 2 * 0.5] are float16. The bias is none, and not touched.
// CHECK-LABEL: func.func @half_exact(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf16>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf16>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf16>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf16>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @half_exact(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf16>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf16>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// With a slope of 6 the scale is [3, 0.5]: 683 * 3 = 2049 has 12 bits, float16 has 11. The weight
// becomes float32.
// The shift is now [0.5 - 1 * 3, 2].
// REMARK: remark: fuse-conv-bn: Convolution 'half', BatchNorm 'bn'
// CHECK-LABEL: func.func @half_inexact(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[6.830000e+02]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf16>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[6.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "half", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf16>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.049000e+03]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[2.750000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "half", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @half_inexact(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[683.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf16>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[6.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "half", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf16>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// Not so where both have the same mask: it stays.
// CHECK-LABEL: func.func @same_features(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, featmask = 2} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0, featmask = 2} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1, featmask = 2} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @same_features(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, featmask = 2} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0, featmask = 2} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// Of two channels one is switched off: its weight may become too small for float16.
// REMARK: remark: fuse-conv-bn: Convolution 'conv', BatchNorm 'bn'
// CHECK-LABEL: func.func @switched_off(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 8.000000e-13]> : tensor<2xf32>
// BEFORE-NEXT:   %zero = ncnn.constant dense<0.000000e+00> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %zero var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[4.000000e-13]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %w_bias = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %w_bias {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @switched_off(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %slope = ncnn.constant dense<[4.0, 8.0e-13]> : tensor<2xf32>
  %zero = ncnn.constant dense<0.0> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %zero var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// ncnn takes 0.0001 for a deviation of 0: the scale is [0.0001 / 0.0001, 4 / sqrt(4)] = [1, 2], the
// shift [0.5 - 1 * 1, 3 - 2 * 2] = [-0.5, -1].
// CHECK-LABEL: func.func @no_deviation(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[1.000000e-04, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[0.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[4.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[9.500000e+00, 3.900000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @no_deviation(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[0.0001, 4.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[0.0, 4.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}
