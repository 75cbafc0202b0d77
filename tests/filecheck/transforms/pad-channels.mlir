// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --tune x86 --pad-channels %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --tune x86 --pad-channels %s > %t.once
// RUN: ncnn-opt --tune x86 --pad-channels %t.once | diff %t.once -
// RUN: ncnn-opt --tune x86 --pad-channels --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: pad-channels: ConvolutionDepthWise 'd', Convolution 'c', BinaryOp 'a', PReLU 'p', Convolution 'y' (7 -> 8 channels, 24 bytes more)

// Seven channels become eight, from the Convolution that makes them to the one that reads them.
// CHECK-LABEL: func.func @block(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00, 1.000000e+00]]], [[[2.000000e+00, 1.000000e+00]]], [[[3.000000e+00, 1.000000e+00]]], [[[4.000000e+00, 1.000000e+00]]], [[[5.000000e+00, 1.000000e+00]]], [[[6.000000e+00, 1.000000e+00]]], [[[7.000000e+00, 1.000000e+00]]]]> : tensor<7x1x1x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00]> : tensor<7xf32>
// BEFORE-NEXT:   %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00]> : tensor<7xf32>
// BEFORE-NEXT:   %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]], [[[4.000000e+00]]], [[[5.000000e+00]]], [[[6.000000e+00]]], [[[7.000000e+00]]]]> : tensor<7x1x1x1xf32>
// BEFORE-NEXT:   %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
// BEFORE-NEXT:   %a = ncnn.binaryop %p, %d {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
// BEFORE-NEXT:   %u = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]], [[5.000000e+00]], [[6.000000e+00]], [[7.000000e+00]]]]> : tensor<1x7x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<1x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00, 1.000000e+00]]], [[[2.000000e+00, 1.000000e+00]]], [[[3.000000e+00, 1.000000e+00]]], [[[4.000000e+00, 1.000000e+00]]], [[[5.000000e+00, 1.000000e+00]]], [[[6.000000e+00, 1.000000e+00]]], [[[7.000000e+00, 1.000000e+00]]], [[[0.000000e+00, 0.000000e+00]]]]> : tensor<8x1x1x2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 0.000000e+00]> : tensor<8xf32>
// AFTER-NEXT:    %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 8, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<8x1x1x2xf32>, tensor<8xf32>) -> tensor<8x?x?xf32>
// AFTER-NEXT:    %s = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 0.000000e+00]> : tensor<8xf32>
// AFTER-NEXT:    %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<8x?x?xf32>, tensor<8xf32>) -> tensor<8x?x?xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]], [[[4.000000e+00]]], [[[5.000000e+00]]], [[[6.000000e+00]]], [[[7.000000e+00]]], [[[0.000000e+00]]]]> : tensor<8x1x1x1xf32>
// AFTER-NEXT:    %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 8, kernel_w = 1, group = 8} : (tensor<8x?x?xf32>, tensor<8x1x1x1xf32>) -> tensor<8x?x?xf32>
// AFTER-NEXT:    %a = ncnn.binaryop %p, %d {name = "a", op_type = add} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
// AFTER-NEXT:    %u = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]], [[5.000000e+00]], [[6.000000e+00]], [[7.000000e+00]], [[0.000000e+00]]]]> : tensor<1x8x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<8x?x?xf32>, tensor<1x8x1x1xf32>) -> tensor<1x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<1x?x?xf32>
// CHECK-NEXT: }
func.func @block(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0, 1.0]]], [[[2.0, 1.0]]], [[[3.0, 1.0]]], [[[4.0, 1.0]]], [[[5.0, 1.0]]], [[[6.0, 1.0]]], [[[7.0, 1.0]]]]> : tensor<7x1x1x2xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %s = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]]]> : tensor<7x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
  %a = ncnn.binaryop %p, %d {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]]]]> : tensor<1x7x1x1xf32>
  %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}
