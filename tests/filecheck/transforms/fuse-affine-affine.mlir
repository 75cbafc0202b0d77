// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-affine-affine %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-affine-affine %s > %t.once
// RUN: ncnn-opt --fuse-affine-affine %t.once | diff %t.once -

// Two layers that scale and shift channels as one, and chains of scalars.

// [3 * 2, 0.5 * 4], [1 * 2 + 5, 2 * 4 + 7].
// CHECK-LABEL: func.func @scale_scale(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s_t = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %z_f = ncnn.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z_t = ncnn.constant dense<[5.000000e+00, 7.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.scale %s scale %z_f bias %z_t {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?x?xf32>
// AFTER-NEXT:    %s_f = ncnn.constant dense<[6.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %s_t = ncnn.constant dense<[7.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %s = ncnn.scale %x scale %s_f bias %s_t {name = "s", blobs = ["z"]} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %s : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @scale_scale(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s_t = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %z_t = ncnn.constant dense<[5.0, 7.0]> : tensor<2xf32>
  %z = ncnn.scale %s scale %z_f bias %z_t {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// Slope [4 * 2, 2 * 2], bias [0.5 * 2 + 1, 3 * 2 + 1]; mean and variance stay.
// CHECK-LABEL: func.func @batchnorm_power(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s_mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s_var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s_shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.batchnorm %x slope %s_slope mean %s_mean var %s_var bias %s_shift {name = "s", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %z = ncnn.power %s {name = "z", scale = 2.0, shift = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?x?xf32>
// AFTER-NEXT:    %s_mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %s_var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %s_slope = ncnn.constant dense<[8.000000e+00, 4.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %s_shift = ncnn.constant dense<[2.000000e+00, 7.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %s = ncnn.batchnorm %x slope %s_slope mean %s_mean var %s_var bias %s_shift {name = "s", blobs = ["z"], eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %s : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @batchnorm_power(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %s_mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s_var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %s_shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.batchnorm %x slope %s_slope mean %s_mean var %s_var bias %s_shift {name = "s", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z = ncnn.power %s {name = "z", scale = 2.0, shift = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// Slope [4 * 2, 2 * 2], bias [2 * 1 - 1.5 + 4 * 1, 0.5 * 1 + 2 + 1 * 2]: what was the summand, and the mean taken out again.
// CHECK-LABEL: func.func @power_batchnorm(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s = ncnn.power %x {name = "s", scale = 2.0, shift = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %z_slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z_mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z_var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %z_shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.batchnorm %s slope %z_slope mean %z_mean var %z_var bias %z_shift {name = "z", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?x?xf32>
// AFTER-NEXT:    %z_mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %z_var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %z_slope = ncnn.constant dense<[8.000000e+00, 4.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %z_shift = ncnn.constant dense<4.500000e+00> : tensor<2xf32>
// AFTER-NEXT:    %z = ncnn.batchnorm %x slope %z_slope mean %z_mean var %z_var bias %z_shift {name = "z", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %z : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @power_batchnorm(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.power %x {name = "s", scale = 2.0, shift = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %z_slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %z_mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %z_var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %z_shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %z = ncnn.batchnorm %s slope %z_slope mean %z_mean var %z_var bias %z_shift {name = "z", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// CHECK-LABEL: func.func @dropout_scale(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s = ncnn.dropout %x {name = "s", scale = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %z_f = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?x?xf32>
// AFTER-NEXT:    %z_f = ncnn.constant dense<[1.500000e+00, 2.500000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %z = ncnn.scale %x scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %z : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @dropout_scale(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.dropout %x {name = "s", scale = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// Slope as it was, bias [-1.5 + 2 * 1 + 2 * 1, 2 + 0.5 * 2 + 0.5 * 2].
// CHECK-LABEL: func.func @bias_batchnorm(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %s_t = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.bias %x bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %z_slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z_mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z_var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %z_shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.batchnorm %s slope %z_slope mean %z_mean var %z_var bias %z_shift {name = "z", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?x?xf32>
// AFTER-NEXT:    %z_mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %z_var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %z_slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %z_shift = ncnn.constant dense<[2.500000e+00, 4.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %z = ncnn.batchnorm %x slope %z_slope mean %z_mean var %z_var bias %z_shift {name = "z", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %z : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @bias_batchnorm(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_t = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = ncnn.bias %x bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %z_mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %z_var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %z_shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %z = ncnn.batchnorm %s slope %z_slope mean %z_mean var %z_var bias %z_shift {name = "z", eps = 1.0} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// Two constants make a Scale: two channels for certain.
// CHECK-LABEL: func.func @mul_add(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %s_c = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.binaryop %a, %s_c {name = "s", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %z_c = ncnn.constant dense<[[[5.000000e+00]], [[7.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %s, %z_c {name = "z", op_type = add} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?x?xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %scale = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %bias = ncnn.constant dense<[5.000000e+00, 7.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %z = ncnn.scale %a scale %scale bias %bias {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %z : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @mul_add(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %s_c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.binaryop %a, %s_c {name = "s", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_c = ncnn.constant dense<[[[5.0]], [[7.0]]]> : tensor<2x1x1xf32>
  %z = ncnn.binaryop %s, %z_c {name = "z", op_type = add} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// [-1, -1], [3 + 1, 0.5 + 2].
// CHECK-LABEL: func.func @rsub_bias(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %s_c = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.binaryop %a, %s_c {name = "s", op_type = rsub} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %z_t = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.bias %s bias %z_t {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?x?xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %scale = ncnn.constant dense<-1.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %bias = ncnn.constant dense<[4.000000e+00, 2.500000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %z = ncnn.scale %a scale %scale bias %bias {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %z : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @rsub_bias(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %s_c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.binaryop %a, %s_c {name = "s", op_type = rsub} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_t = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %z = ncnn.bias %s bias %z_t {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// CHECK-LABEL: func.func @scalar_mul(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %s = ncnn.binaryop %a {name = "s", op_type = sub, with_scalar = 1, b = 4.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %z_c = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %s, %z_c {name = "z", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?x?xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %scale = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %bias = ncnn.constant dense<[-1.200000e+01, -2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %z = ncnn.scale %a scale %scale bias %bias {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %z : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @scalar_mul(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %s = ncnn.binaryop %a {name = "s", op_type = sub, with_scalar = 1, b = 4.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %z_c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %s, %z_c {name = "z", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// 3 / 2.
// CHECK-LABEL: func.func @scalars(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %s {name = "z", op_type = div, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.binaryop %x {name = "z", op_type = mul, with_scalar = 1, b = 1.5} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @scalars(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = div, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// 3 - 5.
// CHECK-LABEL: func.func @summands(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = add, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %s {name = "z", op_type = sub, with_scalar = 1, b = 5.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.binaryop %x {name = "z", op_type = add, with_scalar = 1, b = -2.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @summands(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = add, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = sub, with_scalar = 1, b = 5.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// 5 - (3 - x) = x + 2.
// CHECK-LABEL: func.func @negatives(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = rsub, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %s {name = "z", op_type = rsub, with_scalar = 1, b = 5.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.binaryop %x {name = "z", op_type = add, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @negatives(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = rsub, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = rsub, with_scalar = 1, b = 5.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// 5 - x.
// CHECK-LABEL: func.func @negative(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = -1.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %s {name = "z", op_type = add, with_scalar = 1, b = 5.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.binaryop %x {name = "z", op_type = rsub, with_scalar = 1, b = 5.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @negative(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = -1.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = add, with_scalar = 1, b = 5.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// A Power has a place for both.
// CHECK-LABEL: func.func @power_of_one(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.power %x {name = "s", scale = 2.0, shift = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %s {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.power %x {name = "z", scale = 4.0, shift = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @power_of_one(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.power %x {name = "s", scale = 2.0, shift = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// 2 x + 5: two layers instead of three.
// CHECK-LABEL: func.func @chain_of_three(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = add, with_scalar = 1, b = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %t {name = "z", op_type = add, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.binaryop %s {name = "z", op_type = add, with_scalar = 1, b = 5.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @chain_of_three(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = add, with_scalar = 1, b = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %t {name = "z", op_type = add, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// x / 8: one instead of four.
// CHECK-LABEL: func.func @chain_of_four(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = div, with_scalar = 1, b = 4.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %t = ncnn.binaryop %s {name = "t", op_type = sub, with_scalar = 1, b = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %u = ncnn.dropout %t {name = "u", scale = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %u {name = "z", op_type = add, with_scalar = 1, b = 0.25} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.binaryop %x {name = "z", op_type = mul, with_scalar = 1, b = 0.125} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @chain_of_four(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = div, with_scalar = 1, b = 4.0} : (tensor<*xf32>) -> tensor<*xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = sub, with_scalar = 1, b = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
  %u = ncnn.dropout %t {name = "u", scale = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %u {name = "z", op_type = add, with_scalar = 1, b = 0.25} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}
