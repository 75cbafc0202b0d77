// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-conv-add %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-conv-add %s > %t.once
// RUN: ncnn-opt --fuse-conv-add %t.once | diff %t.once -

// The weight [1, 2] stays as it is, the bias [10, 20] gets a summand a channel.

// [10 + 3, 20 - 1].
// CHECK-LABEL: func.func @bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bias : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.300000e+01, 1.900000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["bias"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias : tensor<2x1x1xf32>
}

// Where there was no bias.
// CHECK-LABEL: func.func @new_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bias : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %w_bias = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %w_bias {name = "conv", blobs = ["bias"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @new_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias : tensor<2x1x1xf32>
}

// Plus 4.
// CHECK-LABEL: func.func @add_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %conv {name = "add", op_type = add, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %add : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.400000e+01, 2.400000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["add"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @add_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %add = ncnn.binaryop %conv {name = "add", op_type = add, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %add : tensor<2x1x1xf32>
}

// Minus 4.
// CHECK-LABEL: func.func @sub_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %sub = ncnn.binaryop %conv {name = "sub", op_type = sub, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %sub : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[6.000000e+00, 1.600000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["sub"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @sub_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %sub = ncnn.binaryop %conv {name = "sub", op_type = sub, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %sub : tensor<2x1x1xf32>
}

// A 1-D constant stands for the outermost axis where its extent fits.
// CHECK-LABEL: func.func @add_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %conv, %s {name = "add", op_type = add} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %add : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.300000e+01, 1.900000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["add"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @add_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %add = ncnn.binaryop %conv, %s {name = "add", op_type = add} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %add : tensor<2x1x1xf32>
}

// [10 - 3, 20 + 1].
// CHECK-LABEL: func.func @sub_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %sub = ncnn.binaryop %conv, %s {name = "sub", op_type = sub} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %sub : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[7.000000e+00, 2.100000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["sub"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @sub_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %sub = ncnn.binaryop %conv, %s {name = "sub", op_type = sub} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %sub : tensor<2x1x1xf32>
}

// s - conv(x): the weight changes its sign, the bias is [3 - 10, -1 - 20].
// CHECK-LABEL: func.func @sub_left(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %sub = ncnn.binaryop %s, %conv {name = "sub", op_type = sub} : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %sub : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[-1.000000e+00]]], [[[-2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[-7.000000e+00, -2.100000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["sub"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @sub_left(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %sub = ncnn.binaryop %s, %conv {name = "sub", op_type = sub} : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %sub : tensor<2x1x1xf32>
}

// A constant with all dims of a 4-D blob.
// CHECK-LABEL: func.func @conv3d(%x: tensor<1x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[[1.000000e+00]]]], [[[[2.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[[[[3.000000e+00]]], [[[-1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %conv, %s {name = "add", op_type = add} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   func.return %add : tensor<2x3x4x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[[1.000000e+00]]]], [[[[2.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.300000e+01, 1.900000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution3d %x weight %w bias %b {name = "conv", blobs = ["add"], num_output = 2, kernel_w = 1} : (tensor<1x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x3x4x5xf32>
// CHECK-NEXT: }
func.func @conv3d(%x: tensor<1x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %w = ncnn.constant dense<[[[[[1.0]]]], [[[[2.0]]]]]> : tensor<2x1x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[[[[3.0]]], [[[-1.0]]]]> : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  %add = ncnn.binaryop %conv, %s {name = "add", op_type = add} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1xf32>) -> tensor<2x3x4x5xf32>
  func.return %add : tensor<2x3x4x5xf32>
}

// float16 weights are not touched: what does not change is not rounded again.
// CHECK-LABEL: func.func @half(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[9.997560e-02]]]]> : tensor<2x1x1x1xf16>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf16>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bias : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[9.997560e-02]]]]> : tensor<2x1x1x1xf16>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.300000e+01, 1.900000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["bias"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf16>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @half(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[0.1]]]]> : tensor<2x1x1x1xf16>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf16>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias : tensor<2x1x1xf32>
}

// In a 2-D blob a Bias adds its first value to all elements: [10 + 3, 20 + 3].
// CHECK-LABEL: func.func @bias_of_2d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x5xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   func.return %bias : tensor<2x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.300000e+01, 2.300000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", blobs = ["bias"], num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x5xf32>
// CHECK-NEXT: }
func.func @bias_of_2d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
  %w = ncnn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x5xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  func.return %bias : tensor<2x5xf32>
}
