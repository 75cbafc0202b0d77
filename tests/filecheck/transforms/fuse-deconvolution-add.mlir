// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-deconvolution-add %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-deconvolution-add %s > %t.once
// RUN: ncnn-opt --fuse-deconvolution-add %t.once | diff %t.once -

// A summand a channel into the bias of the Deconvolution before it: [5, 7], unless said otherwise. The weight
// stays as it is.

// CHECK-LABEL: func.func @constant(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.constant {name = "summand"} dense<[5.000000e+00, 7.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = add} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.500000e+01, 2.700000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.deconvolution %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @constant(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant {name = "summand"} dense<[5.0, 7.0]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = add} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// The constant is the first operand, with as many dims as the blob.
// CHECK-LABEL: func.func @constant_first(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[[5.000000e+00]], [[7.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %c, %y {name = "z", op_type = add} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.500000e+01, 2.700000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.deconvolution %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @constant_first(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[[[5.0]], [[7.0]]]> : tensor<2x1x1xf32>
  %z = ncnn.binaryop %c, %y {name = "z", op_type = add} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// A bias [-5, -7] where there was none.
// CHECK-LABEL: func.func @new_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[5.000000e+00, 7.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = sub} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %w_bias = ncnn.constant dense<[-5.000000e+00, -7.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.deconvolution %x weight %w bias %w_bias {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @new_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[5.0, 7.0]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = sub} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// [10 - 4, 20 - 4].
// CHECK-LABEL: func.func @scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y {name = "z", op_type = sub, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[6.000000e+00, 1.600000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.deconvolution %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = sub, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// Bias layer.
// CHECK-LABEL: func.func @bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %t = ncnn.constant dense<[5.000000e+00, 7.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.bias %y bias %t {name = "z"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.500000e+01, 2.700000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.deconvolution %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %t = ncnn.constant dense<[5.0, 7.0]> : tensor<2xf32>
  %z = ncnn.bias %y bias %t {name = "z"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}
