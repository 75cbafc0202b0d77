// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --canonicalize %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --canonicalize %s > %t.once
// RUN: ncnn-opt --canonicalize %t.once | diff %t.once -

// All patterns at once, until none matches. As in fuse-conv-bn.mlir the BatchNorm is y = [2, 0.5] * x + [-1.5, 2].

// [1 * 2 * 3, 2 * 0.5 * 0.25] and [(10 * 2 - 1.5) * 3 - 1, (20 * 0.5 + 2) * 0.25 + 4], then the ReLU.
// CHECK-LABEL: func.func @conv_bn_scale_relu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %t = ncnn.constant dense<[-1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %bn scale %s bias %t {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %scale {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[6.000000e+00]]], [[[2.500000e-01]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[5.450000e+01, 7.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["relu"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @conv_bn_scale_relu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %t = ncnn.constant dense<[-1.0, 4.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s bias %t {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %scale {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// What comes after an activation stays: but the two affine layers become one.
// CHECK-LABEL: func.func @conv_activation_bn(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %relu slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["relu"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    %slope = ncnn.constant dense<[1.200000e+01, 5.000000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %shift = ncnn.constant dense<[1.500000e+00, 7.500000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", blobs = ["scale"], eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %bn : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @conv_activation_bn(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %relu slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// (x + [3, 0.25]) * 4.
// CHECK-LABEL: func.func @conv_add_mul(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %conv, %s {name = "add", op_type = add} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %add {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[4.000000e+00]]], [[[8.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[5.200000e+01, 8.100000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["mul"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @conv_add_mul(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %add = ncnn.binaryop %conv, %s {name = "add", op_type = add} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %add {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// Dropout is gone before the ReLU looks for a host.
// CHECK-LABEL: func.func @innerproduct_dropout_relu(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %dropout = ncnn.dropout %fc {name = "dropout"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %dropout {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", blobs = ["relu"], num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @innerproduct_dropout_relu(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %dropout = ncnn.dropout %fc {name = "dropout"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %dropout {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// Where a blob has one consumer left, it folds.
// CHECK-LABEL: func.func @split(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %a, %unused = ncnn.split %conv {name = "split", blobs = ["a", "unused"]} : (tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>)
// BEFORE-NEXT:   %scale = ncnn.scale %a scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[3.000000e+00]]], [[[5.000000e-01]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 5.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["scale"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @split(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %a, %unused = ncnn.split %conv {name = "split", blobs = ["a", "unused"]} : (tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  %scale = ncnn.scale %a scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// Two affine layers without a linear one before them.

// Into the first one: slope [4 * 2, 2 * 0.5], bias [0.5 * 2 - 1.5, 3 * 0.5 + 2].
// CHECK-LABEL: func.func @bn_bn(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn2 = ncnn.batchnorm %bn slope %slope mean %mean var %var bias %shift {name = "bn2", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn2 : tensor<2x1x1xf32>
// AFTER-NEXT:    %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %slope = ncnn.constant dense<[8.000000e+00, 1.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %shift = ncnn.constant dense<[-5.000000e-01, 3.500000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", blobs = ["bn2"], eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %bn : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @bn_bn(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn2 = ncnn.batchnorm %bn slope %slope mean %mean var %var bias %shift {name = "bn2", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn2 : tensor<2x1x1xf32>
}

// slope * 0.5, bias * 0.5.
// CHECK-LABEL: func.func @bn_dropout(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %dropout = ncnn.dropout %bn {name = "dropout", scale = 0.5} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %dropout : tensor<2x1x1xf32>
// AFTER-NEXT:    %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %slope = ncnn.constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %shift = ncnn.constant dense<[2.500000e-01, 1.500000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", blobs = ["dropout"], eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %bn : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @bn_dropout(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %dropout = ncnn.dropout %bn {name = "dropout", scale = 0.5} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %dropout : tensor<2x1x1xf32>
}

// bias + 4.
// CHECK-LABEL: func.func @bn_add(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %bn {name = "add", op_type = add, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %add : tensor<2x1x1xf32>
// AFTER-NEXT:    %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %shift = ncnn.constant dense<[4.500000e+00, 7.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", blobs = ["add"], eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %bn : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @bn_add(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %add = ncnn.binaryop %bn {name = "add", op_type = add, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %add : tensor<2x1x1xf32>
}

// [3 * 3, 0.25 * 0.25], and the bias of the second one.
// CHECK-LABEL: func.func @scale_scale(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %t = ncnn.constant dense<[-1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale2 = ncnn.scale %scale scale %s bias %t {name = "scale2"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale2 : tensor<2x1x1xf32>
// AFTER-NEXT:    %s = ncnn.constant dense<[9.000000e+00, 6.250000e-02]> : tensor<2xf32>
// AFTER-NEXT:    %0 = ncnn.constant dense<[-1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %scale = ncnn.scale %x scale %s bias %0 {name = "scale", blobs = ["scale2"]} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %scale : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scale_scale(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %t = ncnn.constant dense<[-1.0, 4.0]> : tensor<2xf32>
  %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale2 = ncnn.scale %scale scale %s bias %t {name = "scale2"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale2 : tensor<2x1x1xf32>
}

// A Scale gets a bias of [0 - 4, 0 - 4].
// CHECK-LABEL: func.func @scale_sub(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %sub = ncnn.binaryop %scale {name = "sub", op_type = sub, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %sub : tensor<2x1x1xf32>
// AFTER-NEXT:    %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %0 = ncnn.constant dense<-4.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %scale = ncnn.scale %x scale %s bias %0 {name = "scale", blobs = ["sub"]} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %scale : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scale_sub(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %sub = ncnn.binaryop %scale {name = "sub", op_type = sub, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %sub : tensor<2x1x1xf32>
}

// [3 * 2, 0.25 * 0.5] and the shift: the first one stays.
// CHECK-LABEL: func.func @scale_bn(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %scale slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2x1x1xf32>
// AFTER-NEXT:    %s = ncnn.constant dense<[6.000000e+00, 1.250000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %0 = ncnn.constant dense<[-1.500000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %scale = ncnn.scale %x scale %s bias %0 {name = "scale", blobs = ["bn"]} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %scale : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scale_bn(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %scale slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// What nobody uses is gone; layers without outputs are not.

// A layer, and the constant that only it uses.
// CHECK-LABEL: func.func @unused(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %x {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2x1x1xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %relu : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @unused(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %relu = ncnn.relu %x {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// The Noop keeps what it consumes.
// CHECK-LABEL: func.func @sink(%x: tensor<2x1x1xf32>) {
// BEFORE-NEXT:   %dropout = ncnn.dropout %x {name = "dropout"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %dropout {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   ncnn.noop %relu {name = "sink"} : (tensor<2x1x1xf32>) -> ()
// BEFORE-NEXT:   func.return
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    ncnn.noop %relu {name = "sink"} : (tensor<2x1x1xf32>) -> ()
// AFTER-NEXT:    func.return
// CHECK-NEXT: }
func.func @sink(%x: tensor<2x1x1xf32>) -> () {
  %dropout = ncnn.dropout %x {name = "dropout"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %dropout {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  ncnn.noop %relu {name = "sink"} : (tensor<2x1x1xf32>) -> ()
  func.return
}
