// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-conv-bn %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-conv-bn %s > %t.once
// RUN: ncnn-opt --fuse-conv-bn %t.once | diff %t.once -

// All kinds of convolutions. The BatchNorm is that of fuse-conv-bn.mlir: scale [2, 0.5], shift
// [-1.5, 2]; so the weight [1, 2] becomes [2, 1], the bias [10, 20] becomes [18.5, 12].

// Two groups of one channel.
// CHECK-LABEL: func.func @depthwise(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolutiondepthwise %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolutiondepthwise %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @depthwise(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolutiondepthwise %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// Channels are h of a 2-D blob.
// CHECK-LABEL: func.func @conv1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[2.000000e+00]], [[1.000000e+00]]]> : tensor<2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x5xf32>
// CHECK-NEXT: }
func.func @conv1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
  %w = ncnn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  func.return %bn : tensor<2x5xf32>
}

// Channels are h of a 2-D blob.
// CHECK-LABEL: func.func @depthwise1d(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolutiondepthwise1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[2.000000e+00]], [[1.000000e+00]]]> : tensor<2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolutiondepthwise1d %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x5xf32>
// CHECK-NEXT: }
func.func @depthwise1d(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %w = ncnn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolutiondepthwise1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  func.return %bn : tensor<2x5xf32>
}

// Channels are c of a 4-D blob.
// CHECK-LABEL: func.func @conv3d(%x: tensor<1x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[[1.000000e+00]]]], [[[[2.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x3x4x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x3x4x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[[2.000000e+00]]]], [[[[1.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution3d %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x3x4x5xf32>
// CHECK-NEXT: }
func.func @conv3d(%x: tensor<1x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %w = ncnn.constant dense<[[[[[1.0]]]], [[[[2.0]]]]]> : tensor<2x1x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x3x4x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  func.return %bn : tensor<2x3x4x5xf32>
}

// Channels are c of a 4-D blob.
// CHECK-LABEL: func.func @depthwise3d(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[[1.000000e+00]]]], [[[[2.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolutiondepthwise3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x3x4x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x3x4x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[[2.000000e+00]]]], [[[[1.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolutiondepthwise3d %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x3x4x5xf32>
// CHECK-NEXT: }
func.func @depthwise3d(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %w = ncnn.constant dense<[[[[[1.0]]]], [[[[2.0]]]]]> : tensor<2x1x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolutiondepthwise3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x3x4x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  func.return %bn : tensor<2x3x4x5xf32>
}

// Weights of deconvolutions have their outputs outermost, too, as the file has them.
// CHECK-LABEL: func.func @deconvolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00, 3.000000e+00]]], [[[2.000000e+00, 4.000000e+00]]]]> : tensor<2x1x1x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.deconvolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 2, kernel_h = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00, 6.000000e+00]]], [[[1.000000e+00, 2.000000e+00]]]]> : tensor<2x1x1x2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.deconvolution %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 2, kernel_h = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x2xf32>
// CHECK-NEXT: }
func.func @deconvolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x2xf32> {
  %w = ncnn.constant dense<[[[[1.0, 3.0]]], [[[2.0, 4.0]]]]> : tensor<2x1x1x2xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.deconvolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 2, kernel_h = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
  func.return %bn : tensor<2x1x2xf32>
}

// Each channel has its own kernel.
// CHECK-LABEL: func.func @deconvolution_depthwise(%x: tensor<2x1x1xf32>) -> tensor<2x1x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00, 3.000000e+00]]], [[[2.000000e+00, 4.000000e+00]]]]> : tensor<2x1x1x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.deconvolutiondepthwise %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 2, group = 2, kernel_h = 1} : (tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00, 6.000000e+00]]], [[[1.000000e+00, 2.000000e+00]]]]> : tensor<2x1x1x2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.deconvolutiondepthwise %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 2, group = 2, kernel_h = 1} : (tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x2xf32>
// CHECK-NEXT: }
func.func @deconvolution_depthwise(%x: tensor<2x1x1xf32>) -> tensor<2x1x2xf32> {
  %w = ncnn.constant dense<[[[[1.0, 3.0]]], [[[2.0, 4.0]]]]> : tensor<2x1x1x2xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.deconvolutiondepthwise %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 2, group = 2, kernel_h = 1} : (tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
  func.return %bn : tensor<2x1x2xf32>
}

// Channels are h of a 2-D blob.
// CHECK-LABEL: func.func @deconvolution1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.deconvolution1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[2.000000e+00]], [[1.000000e+00]]]> : tensor<2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.deconvolution1d %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x5xf32>
// CHECK-NEXT: }
func.func @deconvolution1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
  %w = ncnn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.deconvolution1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  func.return %bn : tensor<2x5xf32>
}

// Channels are h of a 2-D blob.
// CHECK-LABEL: func.func @deconvolution_depthwise1d(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.deconvolutiondepthwise1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[2.000000e+00]], [[1.000000e+00]]]> : tensor<2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.deconvolutiondepthwise1d %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x5xf32>
// CHECK-NEXT: }
func.func @deconvolution_depthwise1d(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %w = ncnn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.deconvolutiondepthwise1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  func.return %bn : tensor<2x5xf32>
}

// Channels are c of a 4-D blob.
// CHECK-LABEL: func.func @deconvolution3d(%x: tensor<1x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[[1.000000e+00]]]], [[[[2.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.deconvolution3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x3x4x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x3x4x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[[2.000000e+00]]]], [[[[1.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.deconvolution3d %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x3x4x5xf32>
// CHECK-NEXT: }
func.func @deconvolution3d(%x: tensor<1x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %w = ncnn.constant dense<[[[[[1.0]]]], [[[[2.0]]]]]> : tensor<2x1x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.deconvolution3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x3x4x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  func.return %bn : tensor<2x3x4x5xf32>
}

// Channels are c of a 4-D blob.
// CHECK-LABEL: func.func @deconvolution_depthwise3d(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[[1.000000e+00]]]], [[[[2.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.deconvolutiondepthwise3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x3x4x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x3x4x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[[2.000000e+00]]]], [[[[1.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.deconvolutiondepthwise3d %x weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1, group = 2} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x3x4x5xf32>
// CHECK-NEXT: }
func.func @deconvolution_depthwise3d(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %w = ncnn.constant dense<[[[[[1.0]]]], [[[[2.0]]]]]> : tensor<2x1x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.deconvolutiondepthwise3d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x3x4x5xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  func.return %bn : tensor<2x3x4x5xf32>
}

// Linear in its weight, wherever the samples come from.
// CHECK-LABEL: func.func @deformable(%x: tensor<1x1x1xf32>, %offset: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.deformableconv2d %x, %offset weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.deformableconv2d %x, %offset weight %w bias %b {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @deformable(%x: tensor<1x1x1xf32>, %offset: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.deformableconv2d %x, %offset weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}
