// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-conv-activation %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-conv-activation %s > %t.once
// RUN: ncnn-opt --fuse-conv-activation %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-conv-activation --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// No weight changes, so they may be anything, known or not.

// The layer keeps its name, and makes the blob that the activation made.
// REMARK: remark: fuse-conv-activation: Convolution 'conv', ReLU 'relu'
// CHECK-LABEL: func.func @relu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["relu"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @relu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// With its slope.
// CHECK-LABEL: func.func @leakyrelu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %leaky = ncnn.relu %conv {name = "leaky", slope = 0.1} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %leaky : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["leaky"], num_output = 2, kernel_w = 1, activation_type = leakyrelu, activation_params = [0.1]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @leakyrelu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %leaky = ncnn.relu %conv {name = "leaky", slope = 0.1} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %leaky : tensor<2x1x1xf32>
}

// With its bounds.
// CHECK-LABEL: func.func @clip(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %clip = ncnn.clip %conv {name = "clip", min = 0.0, max = 6.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %clip : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["clip"], num_output = 2, kernel_w = 1, activation_type = clip, activation_params = [0.0, 6.0]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @clip(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %clip = ncnn.clip %conv {name = "clip", min = 0.0, max = 6.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %clip : tensor<2x1x1xf32>
}

// A bound that is not given is the largest float32.
// CHECK-LABEL: func.func @clip_one_side(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %clip = ncnn.clip %conv {name = "clip", min = 0.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %clip : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["clip"], num_output = 2, kernel_w = 1, activation_type = clip, activation_params = [0.0, 3.4028235e+38]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @clip_one_side(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %clip = ncnn.clip %conv {name = "clip", min = 0.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %clip : tensor<2x1x1xf32>
}

// No parameters.
// CHECK-LABEL: func.func @sigmoid(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %sigmoid = ncnn.sigmoid %conv {name = "sigmoid"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %sigmoid : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["sigmoid"], num_output = 2, kernel_w = 1, activation_type = sigmoid} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @sigmoid(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %sigmoid = ncnn.sigmoid %conv {name = "sigmoid"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %sigmoid : tensor<2x1x1xf32>
}

// No parameters.
// CHECK-LABEL: func.func @mish(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mish = ncnn.mish %conv {name = "mish"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %mish : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["mish"], num_output = 2, kernel_w = 1, activation_type = mish} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @mish(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %mish = ncnn.mish %conv {name = "mish"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mish : tensor<2x1x1xf32>
}

// With alpha and beta, also where they are the defaults: a host has no defaults.
// CHECK-LABEL: func.func @hardswish(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %hardswish = ncnn.hardswish %conv {name = "hardswish"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %hardswish : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["hardswish"], num_output = 2, kernel_w = 1, activation_type = hardswish, activation_params = [0.2, 0.5]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @hardswish(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %hardswish = ncnn.hardswish %conv {name = "hardswish"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %hardswish : tensor<2x1x1xf32>
}

// What the weight is does not matter.
// CHECK-LABEL: func.func @dynamic_weight(%x: tensor<1x1x1xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["relu"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @dynamic_weight(%x: tensor<1x1x1xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32> {
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// Nor whether it is quantized, as long as the output is float.
// CHECK-LABEL: func.func @int8(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %si = ncnn.constant dense<[6.400000e+01, 3.200000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %so = ncnn.constant dense<[1.270000e+02]> : tensor<1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so {name = "conv", num_output = 2, kernel_w = 1, int8_scale_term = 2} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %si = ncnn.constant dense<[6.400000e+01, 3.200000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %so = ncnn.constant dense<[1.270000e+02]> : tensor<1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so {name = "conv", blobs = ["relu"], num_output = 2, kernel_w = 1, int8_scale_term = 2, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @int8(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %conv = ncnn.convolution %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so {name = "conv", num_output = 2, kernel_w = 1, int8_scale_term = 2} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// An activation does not care for dims.
// CHECK-LABEL: func.func @unknown_type(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<*xf32>, tensor<2x1x1x1xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %conv {name = "relu"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %relu : tensor<*xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["relu"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<*xf32>, tensor<2x1x1x1xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %conv : tensor<*xf32>
// CHECK-NEXT: }
func.func @unknown_type(%x: tensor<*xf32>) -> tensor<*xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<*xf32>, tensor<2x1x1x1xf32>) -> tensor<*xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %relu : tensor<*xf32>
}

// Deconvolutions are hosts, too.
// CHECK-LABEL: func.func @deconvolution1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.deconvolution1d %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x5xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2x5xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.deconvolution1d %x weight %w {name = "conv", blobs = ["relu"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x5xf32>, tensor<2x1x1xf32>) -> tensor<2x5xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x5xf32>
// CHECK-NEXT: }
func.func @deconvolution1d(%x: tensor<1x5xf32>) -> tensor<2x5xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1xf32>
  %conv = ncnn.deconvolution1d %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>) -> tensor<2x5xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x5xf32>) -> tensor<2x5xf32>
  func.return %relu : tensor<2x5xf32>
}

// The second one finds the place taken.
// CHECK-LABEL: func.func @first_of_two(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %sigmoid = ncnn.sigmoid %relu {name = "sigmoid"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %sigmoid : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["relu"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    %sigmoid = ncnn.sigmoid %conv {name = "sigmoid"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %sigmoid : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @first_of_two(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %sigmoid = ncnn.sigmoid %relu {name = "sigmoid"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %sigmoid : tensor<2x1x1xf32>
}

// A layer without a name has none afterwards; its blob has the activation's.
// CHECK-LABEL: func.func @no_name(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2x1x1xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {blobs = ["relu"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @no_name(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}
