// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-convolution-activation %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-convolution-activation %s > %t.once
// RUN: ncnn-opt --fuse-convolution-activation %t.once | diff %t.once -

// Every activation that ncnn has for a fused one, done by the Convolution before it.

// CHECK-LABEL: func.func @relu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.relu %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @relu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.relu %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// CHECK-LABEL: func.func @leakyrelu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.relu %y {name = "z", slope = 0.1} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = leakyrelu, activation_params = [0.1]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @leakyrelu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.relu %y {name = "z", slope = 0.1} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// CHECK-LABEL: func.func @clip(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.clip %y {name = "z", min = 0.0, max = 6.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = clip, activation_params = [0.0, 6.0]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @clip(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.clip %y {name = "z", min = 0.0, max = 6.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// CHECK-LABEL: func.func @sigmoid(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.sigmoid %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = sigmoid} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @sigmoid(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.sigmoid %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// CHECK-LABEL: func.func @mish(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.mish %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = mish} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @mish(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.mish %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// CHECK-LABEL: func.func @hardswish(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.hardswish %y {name = "z", alpha = 0.16666667} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = hardswish, activation_params = [0.16666667, 0.5]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @hardswish(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.hardswish %y {name = "z", alpha = 0.16666667} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// max(x, 0) is ReLU.
// CHECK-LABEL: func.func @max(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y {name = "z", op_type = max, with_scalar = 1} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @max(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = max, with_scalar = 1, b = 0.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// ReLU, then min(x, 6), is Clip(0, 6).
// CHECK-LABEL: func.func @min_after_relu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y {name = "z", op_type = min, with_scalar = 1, b = 6.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = clip, activation_params = [0.0, 6.0]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @min_after_relu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = min, with_scalar = 1, b = 6.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// Two that are one: ReLU, then Clip(-1, 6), is Clip(0, 6).
// CHECK-LABEL: func.func @relu_then_clip(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.clip %y {name = "z", min = -1.0, max = 6.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = clip, activation_params = [0.0, 6.0]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @relu_then_clip(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.clip %y {name = "z", min = -1.0, max = 6.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// A Convolution1D as well, HardSwish included.
// CHECK-LABEL: func.func @convolution1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution1d %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   %z = ncnn.hardswish %y {name = "z"} : (tensor<2x5xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x5xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution1d %x weight %w {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, activation_type = hardswish, activation_params = [0.2, 0.5]} : (tensor<1x5xf32>, tensor<2x1x1xf32>) -> tensor<2x5xf32>
// AFTER-NEXT:    func.return %y : tensor<2x5xf32>
// CHECK-NEXT: }
func.func @convolution1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
  %w = ncnn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %y = ncnn.convolution1d %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>) -> tensor<2x5xf32>
  %z = ncnn.hardswish %y {name = "z"} : (tensor<2x5xf32>) -> tensor<2x5xf32>
  func.return %z : tensor<2x5xf32>
}

// int8 weights, a float output.
// CHECK-LABEL: func.func @int8(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
// BEFORE-NEXT:   %si = ncnn.constant dense<[6.400000e+01, 3.200000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %so = ncnn.constant dense<[1.270000e+02]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %x weight %w weight_int8_scales %si bottom_int8_scales %so {name = "y", num_output = 2, kernel_w = 1, int8_scale_term = 2} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.relu %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
// AFTER-NEXT:    %si = ncnn.constant dense<[6.400000e+01, 3.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %so = ncnn.constant dense<[1.270000e+02]> : tensor<1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w weight_int8_scales %si bottom_int8_scales %so {name = "y", blobs = ["z"], num_output = 2, kernel_w = 1, int8_scale_term = 2, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @int8(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %y = ncnn.convolution %x weight %w weight_int8_scales %si bottom_int8_scales %so {name = "y", num_output = 2, kernel_w = 1, int8_scale_term = 2} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.relu %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}
