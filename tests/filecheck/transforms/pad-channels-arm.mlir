// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --pad-channels %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --pad-channels %s > %t.once
// RUN: ncnn-opt --pad-channels %t.once | diff %t.once -
// RUN: ncnn-opt --pad-channels --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: pad-channels: ConvolutionDepthWise 'd', Convolution 'c', Convolution 'y' (7 -> 8 channels, 12 bytes more)

// Windows that gain on all processors.
// CHECK-LABEL: func.func @window(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]], [[[4.000000e+00]]], [[[5.000000e+00]]], [[[6.000000e+00]]], [[[7.000000e+00]]]]> : tensor<7x1x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.convolution %x weight %w {name = "c", num_output = 7, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]], [[[4.000000e+00]]], [[[5.000000e+00]]], [[[6.000000e+00]]], [[[7.000000e+00]]]]> : tensor<7x1x1x1xf32>
// BEFORE-NEXT:   %d = ncnn.convolutiondepthwise %c weight %v {name = "d", num_output = 7, kernel_w = 1, stride_w = 2, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
// BEFORE-NEXT:   %u = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]], [[5.000000e+00]], [[6.000000e+00]], [[7.000000e+00]]]]> : tensor<1x7x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %d weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<1x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]], [[[4.000000e+00]]], [[[5.000000e+00]]], [[[6.000000e+00]]], [[[7.000000e+00]]], [[[0.000000e+00]]]]> : tensor<8x1x1x1xf32>
// AFTER-NEXT:    %c = ncnn.convolution %x weight %w {name = "c", num_output = 8, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<8x1x1x1xf32>) -> tensor<8x?x?xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]], [[[4.000000e+00]]], [[[5.000000e+00]]], [[[6.000000e+00]]], [[[7.000000e+00]]], [[[0.000000e+00]]]]> : tensor<8x1x1x1xf32>
// AFTER-NEXT:    %d = ncnn.convolutiondepthwise %c weight %v {name = "d", num_output = 8, kernel_w = 1, stride_w = 2, group = 8} : (tensor<8x?x?xf32>, tensor<8x1x1x1xf32>) -> tensor<8x?x?xf32>
// AFTER-NEXT:    %u = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]], [[5.000000e+00]], [[6.000000e+00]], [[7.000000e+00]], [[0.000000e+00]]]]> : tensor<1x8x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %d weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<8x?x?xf32>, tensor<1x8x1x1xf32>) -> tensor<1x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<1x?x?xf32>
// CHECK-NEXT: }
func.func @window(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]]]> : tensor<7x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 7, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]]]> : tensor<7x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %c weight %v {name = "d", num_output = 7, kernel_w = 1, stride_w = 2, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]]]]> : tensor<1x7x1x1xf32>
  %y = ncnn.convolution %d weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}
