// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-conv-mul %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-conv-mul %s > %t.once
// RUN: ncnn-opt --fuse-conv-mul %t.once | diff %t.once -

// Constants that ncnn broadcasts per channel, on either side: weight [1, 2] and bias [10, 20] times a factor.

// A 1-D constant stands for the outermost axis where its extent fits.
// CHECK-LABEL: func.func @mul_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @mul_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// The product of constant and blob is the same.
// CHECK-LABEL: func.func @channels_mul(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %s, %conv {name = "mul", op_type = mul} : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @channels_mul(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %s, %conv {name = "mul", op_type = mul} : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// [3, 0.5] along c.
// CHECK-LABEL: func.func @mul_3d(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[[[3.000000e+00]], [[5.000000e-01]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @mul_3d(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[[[3.0]], [[0.5]]]> : tensor<2x1x1xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// A 2-D constant stands for c and h: here it has one row for each channel.
// CHECK-LABEL: func.func @mul_2d(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[[3.000000e+00], [5.000000e-01]]> : tensor<2x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @mul_2d(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[[3.0], [0.5]]> : tensor<2x1xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2x1xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// One element is for all.
// CHECK-LABEL: func.func @mul_one(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[4.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[4.000000e+00]]], [[[8.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[4.000000e+01, 8.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @mul_one(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<4.0> : tensor<1xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// Divided by [2, 0.5].
// CHECK-LABEL: func.func @div_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[2.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %div = ncnn.binaryop %conv, %s {name = "div", op_type = div} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %div : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[5.000000e-01]]], [[[4.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[5.000000e+00, 4.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["div"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @div_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[2.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %div = ncnn.binaryop %conv, %s {name = "div", op_type = div} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %div : tensor<2x1x1xf32>
}

// rdiv(a, b) is b / a: with the constant as a, the blob is divided by [2, 0.5].
// CHECK-LABEL: func.func @rdiv_left(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[2.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %rdiv = ncnn.binaryop %s, %conv {name = "rdiv", op_type = rdiv} : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %rdiv : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[5.000000e-01]]], [[[4.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[5.000000e+00, 4.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["rdiv"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @rdiv_left(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[2.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %rdiv = ncnn.binaryop %s, %conv {name = "rdiv", op_type = rdiv} : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %rdiv : tensor<2x1x1xf32>
}

// 2 channels of 2x2: a 1-D constant of 2 is for the channels first, says ncnn's BinaryOp.
// CHECK-LABEL: func.func @square(%x: tensor<1x2x2xf32>) -> tensor<2x2x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x2x2xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x2x2xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x2x2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x2x2xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x2x2xf32>
// CHECK-NEXT: }
func.func @square(%x: tensor<1x2x2xf32>) -> tensor<2x2x2xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x2x2xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x2x2xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  func.return %mul : tensor<2x2x2xf32>
}

// Whatever h and w are.
// CHECK-LABEL: func.func @unknown_extents(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @unknown_extents(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %mul : tensor<2x?x?xf32>
}

// Channels are h of a 2-D blob.
// CHECK-LABEL: func.func @conv1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x5xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[3.000000e+00]], [[1.000000e+00]]]> : tensor<2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x5xf32>
// CHECK-NEXT: }
func.func @conv1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
  %w = ncnn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x5xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  func.return %mul : tensor<2x5xf32>
}

// A MemoryData layer is a constant, too.
// CHECK-LABEL: func.func @memory_data(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant {name = "gain"} dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @memory_data(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant {name = "gain"} dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}
