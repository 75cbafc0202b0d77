// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-convolutiondepthwise-mul %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-convolutiondepthwise-mul %s > %t.once
// RUN: ncnn-opt --fuse-convolutiondepthwise-mul %t.once | diff %t.once -

// A factor a channel into the ConvolutionDepthWise before it: [3, 0.5] times weight and bias, unless said otherwise.

// CHECK-LABEL: func.func @constant(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.constant {name = "factor"} dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @constant(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant {name = "factor"} dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// The constant is the first operand, with as many dims as the blob.
// CHECK-LABEL: func.func @constant_first(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[[3.000000e+00]], [[5.000000e-01]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %c, %y {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @constant_first(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[[[3.0]], [[0.5]]]> : tensor<2x1x1xf32>
  %z = ncnn.binaryop %c, %y {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// [1 / 4, 1 / 0.5].
// CHECK-LABEL: func.func @div(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[4.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = div} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.500000e-01]]], [[[4.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[2.500000e+00, 4.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @div(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[4.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = div} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// 4 for all channels; without a bias there is none to scale.
// CHECK-LABEL: func.func @scalar(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise %x weight %w {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[4.000000e+00]]], [[[8.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolutiondepthwise %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scalar(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolutiondepthwise %x weight %w {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// [3 * 10 + 5, 0.5 * 20 + 7].
// CHECK-LABEL: func.func @scale(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %t = ncnn.constant dense<[5.000000e+00, 7.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.scale %y scale %s bias %t {name = "z"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.500000e+01, 1.700000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scale(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %t = ncnn.constant dense<[5.0, 7.0]> : tensor<2xf32>
  %z = ncnn.scale %y scale %s bias %t {name = "z"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// (5 + 3 x)^1.
// CHECK-LABEL: func.func @power(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.power %y {name = "z", scale = 3.0, shift = 5.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[6.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.500000e+01, 6.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @power(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.power %y {name = "z", scale = 3.0, shift = 5.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}
