// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-deconvolution-batchnorm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-deconvolution-batchnorm %s > %t.once
// RUN: ncnn-opt --fuse-deconvolution-batchnorm %t.once | diff %t.once -

// A BatchNorm into the Deconvolution before it: factors 4 / sqrt(3 + 1) = 2 and 2 / sqrt(15 + 1) = 0.5 into
// the weight, and bias b to 2 * (b - 1) + 0.5 and 0.5 * (b - 2) + 3.

// [2 * (10 - 1) + 0.5, 0.5 * (20 - 2) + 3].
// CHECK-LABEL: func.func @with_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.deconvolution %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @with_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// [2 * (0 - 1) + 0.5, 0.5 * (0 - 2) + 3].
// CHECK-LABEL: func.func @without_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %w_bias = ncnn.constant dense<[-1.500000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.deconvolution %x weight %w bias %w_bias {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @without_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}
