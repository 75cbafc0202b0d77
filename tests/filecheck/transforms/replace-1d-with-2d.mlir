// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-1d-with-2d %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-1d-with-2d %s > %t.once
// RUN: ncnn-opt --replace-1d-with-2d %t.once | diff %t.once -
// RUN: ncnn-opt --replace-1d-with-2d --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-1d-with-2d: Deconvolution1D 'd'
// REMARK-NEXT: remark: replace-1d-with-2d: ConvolutionDepthWise1D 'y'
// REMARK-NEXT: remark: replace-1d-with-2d: ConvolutionDepthWise1D 'a'
// REMARK-NEXT: remark: replace-1d-with-2d: DeconvolutionDepthWise1D 'y'
// REMARK-NEXT: remark: replace-1d-with-2d: ConvolutionDepthWise1D 'a'

// The window keeps what it has along w.
// CHECK-LABEL: func.func @deconvolution(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<1.000000e+00> : tensor<2x2x4xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution1d %x weight %w bias %b {name = "d", blobs = ["y"], num_output = 2, kernel_w = 4, dilation_w = 2, stride_w = 3, pad_left = 1, activation_type = relu, pad_right = 2, output_pad_right = 1} : (tensor<2x?xf32>, tensor<2x2x4xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<1.000000e+00> : tensor<2x2x1x4xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 0, h = 1, c = 2} : (tensor<2x?xf32>) -> tensor<2x1x?xf32>
// AFTER-NEXT:    %1 = ncnn.deconvolution %0 weight %w bias %b {name = "d", num_output = 2, kernel_w = 4, dilation_w = 2, stride_w = 3, pad_left = 1, activation_type = relu, kernel_h = 1, dilation_h = 1, stride_h = 1, pad_top = 0, pad_right = 2, output_pad_right = 1, output_pad_bottom = 0} : (tensor<2x1x?xf32>, tensor<2x2x1x4xf32>, tensor<2xf32>) -> tensor<2x1x?xf32>
// AFTER-NEXT:    %y = ncnn.reshape %1 {blobs = ["y"], w = 0, h = 2} : (tensor<2x1x?xf32>) -> tensor<2x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?xf32>
// CHECK-NEXT: }
func.func @deconvolution(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x2x4xf32>
  %b = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = ncnn.deconvolution1d %x weight %w bias %b {name = "d", blobs = ["y"], num_output = 2, kernel_w = 4, dilation_w = 2, stride_w = 3, pad_left = 1, pad_right = 2, output_pad_right = 1, activation_type = 1} : (tensor<2x?xf32>, tensor<2x2x4xf32>, tensor<2xf32>) -> tensor<2x?xf32>
  func.return %y : tensor<2x?xf32>
}

// SAME along h does nothing. So many columns as the file says are reckoned with.
// CHECK-LABEL: func.func @depthwise(%x: tensor<4x2000xf32>) -> tensor<4x2000xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<1.000000e+00> : tensor<4x1x3xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise1d %x weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = -233, group = 4, pad_value = 2.0} : (tensor<4x2000xf32>, tensor<4x1x3xf32>) -> tensor<4x2000xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x2000xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<1.000000e+00> : tensor<4x1x1x3xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 0, h = 1, c = 4} : (tensor<4x2000xf32>) -> tensor<4x1x2000xf32>
// AFTER-NEXT:    %1 = ncnn.convolutiondepthwise %0 weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = -233, group = 4, kernel_h = 1, pad_value = 2.0} : (tensor<4x1x2000xf32>, tensor<4x1x1x3xf32>) -> tensor<4x1x2000xf32>
// AFTER-NEXT:    %y = ncnn.reshape %1 {blobs = ["y"], w = 0, h = 4} : (tensor<4x1x2000xf32>) -> tensor<4x2000xf32>
// AFTER-NEXT:    func.return %y : tensor<4x2000xf32>
// CHECK-NEXT: }
func.func @depthwise(%x: tensor<4x2000xf32>) -> tensor<4x2000xf32> {
  %w = ncnn.constant dense<1.0> : tensor<4x1x3xf32>
  %y = ncnn.convolutiondepthwise1d %x weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = -233, pad_right = -233, pad_value = 2.0, group = 4} : (tensor<4x2000xf32>, tensor<4x1x3xf32>) -> tensor<4x2000xf32>
  func.return %y : tensor<4x2000xf32>
}

// Neighbours: one as the other, and what is between as well, once Reshapes are merged.
// CHECK-LABEL: func.func @neighbours(%x: tensor<4x2000xf32>) -> tensor<4x4000xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<1.000000e+00> : tensor<4x1x3xf32>
// BEFORE-NEXT:   %a = ncnn.convolutiondepthwise1d %x weight %w {name = "a", num_output = 4, kernel_w = 3, pad_left = 1, group = 4} : (tensor<4x2000xf32>, tensor<4x1x3xf32>) -> tensor<4x2000xf32>
// BEFORE-NEXT:   %s = ncnn.swish %a {name = "s"} : (tensor<4x2000xf32>) -> tensor<4x2000xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<1.000000e+00> : tensor<4x1x4xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolutiondepthwise1d %s weight %v {name = "y", num_output = 4, kernel_w = 4, stride_w = 2, pad_left = 1, group = 4} : (tensor<4x2000xf32>, tensor<4x1x4xf32>) -> tensor<4x4000xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x4000xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<1.000000e+00> : tensor<4x1x1x3xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 0, h = 1, c = 4} : (tensor<4x2000xf32>) -> tensor<4x1x2000xf32>
// AFTER-NEXT:    %1 = ncnn.convolutiondepthwise %0 weight %w {name = "a", num_output = 4, kernel_w = 3, pad_left = 1, group = 4, kernel_h = 1, pad_top = 0} : (tensor<4x1x2000xf32>, tensor<4x1x1x3xf32>) -> tensor<4x1x2000xf32>
// AFTER-NEXT:    %a = ncnn.reshape %1 {blobs = ["a"], w = 0, h = 4} : (tensor<4x1x2000xf32>) -> tensor<4x2000xf32>
// AFTER-NEXT:    %s = ncnn.swish %a {name = "s"} : (tensor<4x2000xf32>) -> tensor<4x2000xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<1.000000e+00> : tensor<4x1x1x4xf32>
// AFTER-NEXT:    %2 = ncnn.reshape %s {w = 0, h = 1, c = 4} : (tensor<4x2000xf32>) -> tensor<4x1x2000xf32>
// AFTER-NEXT:    %3 = ncnn.deconvolutiondepthwise %2 weight %v {name = "y", num_output = 4, kernel_w = 4, stride_w = 2, pad_left = 1, group = 4, kernel_h = 1, stride_h = 1, pad_top = 0} : (tensor<4x1x2000xf32>, tensor<4x1x1x4xf32>) -> tensor<4x1x4000xf32>
// AFTER-NEXT:    %y = ncnn.reshape %3 {blobs = ["y"], w = 0, h = 4} : (tensor<4x1x4000xf32>) -> tensor<4x4000xf32>
// AFTER-NEXT:    func.return %y : tensor<4x4000xf32>
// CHECK-NEXT: }
func.func @neighbours(%x: tensor<4x2000xf32>) -> tensor<4x4000xf32> {
  %w = ncnn.constant dense<1.0> : tensor<4x1x3xf32>
  %a = ncnn.convolutiondepthwise1d %x weight %w {name = "a", num_output = 4, kernel_w = 3, pad_left = 1, group = 4} : (tensor<4x2000xf32>, tensor<4x1x3xf32>) -> tensor<4x2000xf32>
  %s = ncnn.swish %a {name = "s"} : (tensor<4x2000xf32>) -> tensor<4x2000xf32>
  %v = ncnn.constant dense<1.0> : tensor<4x1x4xf32>
  %y = ncnn.deconvolutiondepthwise1d %s weight %v {name = "y", num_output = 4, kernel_w = 4, stride_w = 2, pad_left = 1, group = 4} : (tensor<4x2000xf32>, tensor<4x1x4xf32>) -> tensor<4x4000xf32>
  func.return %y : tensor<4x4000xf32>
}

// Activations that are slow in such a layer stay apart in any case.
// CHECK-LABEL: func.func @apart(%x: tensor<4x2000xf32>) -> tensor<4x2000xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<1.000000e+00> : tensor<4x1x3xf32>
// BEFORE-NEXT:   %a = ncnn.convolutiondepthwise1d %x weight %w {name = "a", num_output = 4, kernel_w = 3, pad_left = 1, group = 4} : (tensor<4x2000xf32>, tensor<4x1x3xf32>) -> tensor<4x2000xf32>
// BEFORE-NEXT:   %y = ncnn.sigmoid %a {name = "y"} : (tensor<4x2000xf32>) -> tensor<4x2000xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x2000xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<1.000000e+00> : tensor<4x1x1x3xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 0, h = 1, c = 4} : (tensor<4x2000xf32>) -> tensor<4x1x2000xf32>
// AFTER-NEXT:    %1 = ncnn.convolutiondepthwise %0 weight %w {name = "a", num_output = 4, kernel_w = 3, pad_left = 1, group = 4, kernel_h = 1, pad_top = 0} : (tensor<4x1x2000xf32>, tensor<4x1x1x3xf32>) -> tensor<4x1x2000xf32>
// AFTER-NEXT:    %a = ncnn.reshape %1 {blobs = ["a"], w = 0, h = 4} : (tensor<4x1x2000xf32>) -> tensor<4x2000xf32>
// AFTER-NEXT:    %y = ncnn.sigmoid %a {name = "y"} : (tensor<4x2000xf32>) -> tensor<4x2000xf32>
// AFTER-NEXT:    func.return %y : tensor<4x2000xf32>
// CHECK-NEXT: }
func.func @apart(%x: tensor<4x2000xf32>) -> tensor<4x2000xf32> {
  %w = ncnn.constant dense<1.0> : tensor<4x1x3xf32>
  %a = ncnn.convolutiondepthwise1d %x weight %w {name = "a", num_output = 4, kernel_w = 3, pad_left = 1, group = 4} : (tensor<4x2000xf32>, tensor<4x1x3xf32>) -> tensor<4x2000xf32>
  %y = ncnn.sigmoid %a {name = "y"} : (tensor<4x2000xf32>) -> tensor<4x2000xf32>
  func.return %y : tensor<4x2000xf32>
}
