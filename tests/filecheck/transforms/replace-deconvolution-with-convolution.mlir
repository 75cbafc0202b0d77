// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-deconvolution-with-convolution %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-deconvolution-with-convolution %s > %t.once
// RUN: ncnn-opt --replace-deconvolution-with-convolution %t.once | diff %t.once -
// RUN: ncnn-opt --replace-deconvolution-with-convolution --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-deconvolution-with-convolution: Deconvolution 'y'
// REMARK-NEXT: remark: replace-deconvolution-with-convolution: Deconvolution 'y'

// Each element of the output belongs to one window: the windows' elements are channels of a Convolution.
// CHECK-LABEL: func.func @bias(%x: tensor<2x3x4xf32>) -> tensor<2x6x8xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]], [[[-1.000000e+00, -2.000000e+00], [-3.000000e+00, -4.000000e+00]], [[-5.000000e+00, -6.000000e+00], [-7.000000e+00, -8.000000e+00]]]]> : tensor<2x2x2x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 2, stride_w = 2, activation_type = leakyrelu, activation_params = [0.1]} : (tensor<2x3x4xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<2x6x8xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x6x8xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[5.000000e+00]]], [[[2.000000e+00]], [[6.000000e+00]]], [[[3.000000e+00]], [[7.000000e+00]]], [[[4.000000e+00]], [[8.000000e+00]]], [[[-1.000000e+00]], [[-5.000000e+00]]], [[[-2.000000e+00]], [[-6.000000e+00]]], [[[-3.000000e+00]], [[-7.000000e+00]]], [[[-4.000000e+00]], [[-8.000000e+00]]]]> : tensor<8x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00]> : tensor<8xf32>
// AFTER-NEXT:    %0 = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 8, kernel_w = 1, activation_type = leakyrelu, activation_params = [0.1]} : (tensor<2x3x4xf32>, tensor<8x2x1x1xf32>, tensor<8xf32>) -> tensor<8x3x4xf32>
// AFTER-NEXT:    %y = ncnn.pixelshuffle %0 {blobs = ["y"], upscale_factor = 2} : (tensor<8x3x4xf32>) -> tensor<2x6x8xf32>
// AFTER-NEXT:    func.return %y : tensor<2x6x8xf32>
// CHECK-NEXT: }
func.func @bias(%x: tensor<2x3x4xf32>) -> tensor<2x6x8xf32> {
  %w = ncnn.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], [[[-1.0, -2.0], [-3.0, -4.0]], [[-5.0, -6.0], [-7.0, -8.0]]]]> : tensor<2x2x2x2xf32>
  %b = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 2, stride_w = 2, activation_type = leakyrelu, activation_params = [1.0e-01]} : (tensor<2x3x4xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<2x6x8xf32>
  func.return %y : tensor<2x6x8xf32>
}

// Of any size, without a bias, in float16.
// CHECK-LABEL: func.func @half(%x: tensor<*xf32>) -> tensor<1x?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00, 9.000000e+00]]]]> : tensor<1x1x3x3xf16>
// BEFORE-NEXT:   %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 3, stride_w = 3} : (tensor<*xf32>, tensor<1x1x3x3xf16>) -> tensor<1x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<1x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]], [[[4.000000e+00]]], [[[5.000000e+00]]], [[[6.000000e+00]]], [[[7.000000e+00]]], [[[8.000000e+00]]], [[[9.000000e+00]]]]> : tensor<9x1x1x1xf16>
// AFTER-NEXT:    %0 = ncnn.convolution %x weight %w {name = "y", num_output = 9, kernel_w = 1} : (tensor<*xf32>, tensor<9x1x1x1xf16>) -> tensor<9x?x?xf32>
// AFTER-NEXT:    %y = ncnn.pixelshuffle %0 {blobs = ["y"], upscale_factor = 3} : (tensor<9x?x?xf32>) -> tensor<1x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<1x?x?xf32>
// CHECK-NEXT: }
func.func @half(%x: tensor<*xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf16>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 3, stride_w = 3} : (tensor<*xf32>, tensor<1x1x3x3xf16>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}
