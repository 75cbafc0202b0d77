// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --pad-channels %s | diff %t.before -
// RUN: ncnn-opt --tune arm %s > %t.arm
// RUN: ncnn-opt --tune arm --pad-channels %s | diff %t.arm -
// RUN: ncnn-opt --tune x86 --pad-channels %s | filecheck %s

// Nothing here may change but on x86.

// CHECK-LABEL: @four
// CHECK: num_output = 12, kernel_w = 1, stride_w = 2, group = 12
// CHECK-LABEL: @sixteen
// CHECK: num_output = 16, kernel_w = 1, stride_w = 2, group = 16
// CHECK-LABEL: @wrong
// CHECK: num_output = 8, kernel_w = 3, stride_w = 2, group = 8
// CHECK-LABEL: @slow
// CHECK: num_output = 8, kernel_w = 5, group = 8

// Twelve channels would be kept together by four: on arm, in float16, that is slower than apart.
func.func @four(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]], [[[8.0]]], [[[9.0]]], [[[10.0]]]]> : tensor<10x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 10, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<10x1x1x1xf32>) -> tensor<10x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]], [[[8.0]]], [[[9.0]]], [[[10.0]]]]> : tensor<10x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %c weight %v {name = "d", num_output = 10, kernel_w = 1, stride_w = 2, group = 10} : (tensor<10x?x?xf32>, tensor<10x1x1x1xf32>) -> tensor<10x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]], [[10.0]]]]> : tensor<1x10x1x1xf32>
  %y = ncnn.convolution %d weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<10x?x?xf32>, tensor<1x10x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// Sixteen instead of thirteen are more than pay on arm.
func.func @sixteen(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]], [[[8.0]]], [[[9.0]]], [[[10.0]]], [[[11.0]]], [[[12.0]]], [[[13.0]]]]> : tensor<13x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 13, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<13x1x1x1xf32>) -> tensor<13x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]], [[[8.0]]], [[[9.0]]], [[[10.0]]], [[[11.0]]], [[[12.0]]], [[[13.0]]]]> : tensor<13x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %c weight %v {name = "d", num_output = 13, kernel_w = 1, stride_w = 2, group = 13} : (tensor<13x?x?xf32>, tensor<13x1x1x1xf32>) -> tensor<13x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]], [[10.0]], [[11.0]], [[12.0]], [[13.0]]]]> : tensor<1x13x1x1xf32>
  %y = ncnn.convolution %d weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<13x?x?xf32>, tensor<1x13x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// On arm the runtime computes such windows of eight channels of float16 wrongly.
func.func @wrong(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]]]> : tensor<7x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 7, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
  %v = ncnn.constant dense<2.0> : tensor<7x1x3x3xf32>
  %d = ncnn.convolutiondepthwise %c weight %v {name = "d", num_output = 7, kernel_w = 3, stride_w = 2, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x3x3xf32>) -> tensor<7x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]]]]> : tensor<1x7x1x1xf32>
  %y = ncnn.convolution %d weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// Such windows take more instructions on arm.
func.func @slow(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]]]> : tensor<7x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 7, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
  %v = ncnn.constant dense<2.0> : tensor<7x1x5x5xf32>
  %d = ncnn.convolutiondepthwise %c weight %v {name = "d", num_output = 7, kernel_w = 5, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x5x5xf32>) -> tensor<7x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]]]]> : tensor<1x7x1x1xf32>
  %y = ncnn.convolution %d weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}
