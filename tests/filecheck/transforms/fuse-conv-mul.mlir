// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-conv-mul %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-conv-mul %s > %t.once
// RUN: ncnn-opt --fuse-conv-mul %t.once | diff %t.once -

// Everything that multiplies each channel by a constant: weight [1, 2] and bias [10, 20] times a factor,
// the bias plus a summand if there is one.

// [1 * 3, 2 * 0.5] and [10 * 3, 20 * 0.5].
// CHECK-LABEL: func.func @scale(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["scale"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scale(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// [10 * 3 - 1, 20 * 0.5 + 4].
// CHECK-LABEL: func.func @scale_with_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %t = ncnn.constant dense<[-1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %conv scale %s bias %t {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[2.900000e+01, 1.400000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["scale"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scale_with_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %t = ncnn.constant dense<[-1.0, 4.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s bias %t {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// Without a bias there is none to scale.
// CHECK-LABEL: func.func @no_bias_needed(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["scale"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @no_bias_needed(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// Dropout scales all channels, times 0.5.
// CHECK-LABEL: func.func @dropout(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %dropout = ncnn.dropout %conv {name = "dropout", scale = 0.5} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %dropout : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[5.000000e-01]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[5.000000e+00, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["dropout"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @dropout(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %dropout = ncnn.dropout %conv {name = "dropout", scale = 0.5} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %dropout : tensor<2x1x1xf32>
}

// (shift + x * scale) ^ 1: [10 * 2 + 3, 20 * 2 + 3].
// CHECK-LABEL: func.func @power(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %power = ncnn.power %conv {name = "power", scale = 2.0, shift = 3.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %power : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[4.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[2.300000e+01, 4.300000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["power"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @power(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %power = ncnn.power %conv {name = "power", scale = 2.0, shift = 3.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %power : tensor<2x1x1xf32>
}

// Times 4.
// CHECK-LABEL: func.func @mul_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[4.000000e+00]]], [[[8.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[4.000000e+01, 8.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @mul_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// Divided by 4.
// CHECK-LABEL: func.func @div_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %div = ncnn.binaryop %conv {name = "div", op_type = div, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %div : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.500000e-01]]], [[[5.000000e-01]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[2.500000e+00, 5.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["div"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @div_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %div = ncnn.binaryop %conv {name = "div", op_type = div, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %div : tensor<2x1x1xf32>
}

// 1 - x: times -1, and the bias [1 - 10, 1 - 20].
// CHECK-LABEL: func.func @rsub_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %rsub = ncnn.binaryop %conv {name = "rsub", op_type = rsub, with_scalar = 1, b = 1.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %rsub : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[-1.000000e+00]]], [[[-2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[-9.000000e+00, -1.900000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["rsub"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @rsub_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %rsub = ncnn.binaryop %conv {name = "rsub", op_type = rsub, with_scalar = 1, b = 1.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %rsub : tensor<2x1x1xf32>
}

// [1 * 3, 2 * 0.5] and [10 * 3, 20 * 0.5].
// CHECK-LABEL: func.func @deconvolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.deconvolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.deconvolution %x weight %w bias %b {name = "conv", blobs = ["scale"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @deconvolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.deconvolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}
