// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-innerproduct-bn %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-innerproduct-bn %s > %t.once
// RUN: ncnn-opt --fuse-innerproduct-bn %t.once | diff %t.once -

// With eps = 1 the BatchNorm is y = scale * x + shift, where
// scale = slope / sqrt(var + eps) = [4 / sqrt(4), 2 / sqrt(16)] = [2, 0.5]
// shift = bias - mean * scale = [0.5 - 1 * 2, 3 - 2 * 0.5] = [-1.5, 2]

// The rows of the weight times [2, 0.5]; the bias becomes [10 * 2 - 1.5, 20 * 0.5 + 2].
// CHECK-LABEL: func.func @with_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[2.000000e+00, 4.000000e+00, 6.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["bn"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @with_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bn : tensor<2xf32>
}

// The shift is the new bias.
// CHECK-LABEL: func.func @without_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[2.000000e+00, 4.000000e+00, 6.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %w_bias = ncnn.constant dense<[-1.500000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %w_bias {name = "fc", blobs = ["bn"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @without_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bn : tensor<2xf32>
}

// A blob that is no batch of rows is flattened.
// CHECK-LABEL: func.func @flattened(%x: tensor<3x1x1xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3x1x1xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[2.000000e+00, 4.000000e+00, 6.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["bn"], num_output = 2} : (tensor<3x1x1xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @flattened(%x: tensor<3x1x1xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3x1x1xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bn : tensor<2xf32>
}

// [1, 2, 3] * 2 and [4, 5, 6] * 0.5 are float16.
// CHECK-LABEL: func.func @half(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf16>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf16>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %bn : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[2.000000e+00, 4.000000e+00, 6.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf16>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["bn"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf16>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @half(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf16>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf16>, tensor<2xf32>) -> tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bn : tensor<2xf32>
}
