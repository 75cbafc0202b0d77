// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-groupnorm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-groupnorm %s > %t.once
// RUN: ncnn-opt --fuse-groupnorm %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-groupnorm --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// A normalization between two reshapes; or over all of a blob.

// The second Reshape says all extents, so one of its kind goes ahead: the input may be of another size.
// REMARK: remark: fuse-groupnorm: Reshape 'y', LayerNorm 'n', Reshape 'r'
// REMARK: remark: fuse-norm-affine: GroupNorm 'y', BinaryOp 'z'
// REMARK: remark: fuse-norm-affine: GroupNorm 'y', BinaryOp 'w'
// CHECK-LABEL: func.func @literal(%i: tensor<1x3x5xf32>) -> tensor<4x3x5xf32> {
// BEFORE-NEXT:   %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// BEFORE-NEXT:   %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = -1, h = 2} : (tensor<4x3x5xf32>) -> tensor<2x30xf32>
// BEFORE-NEXT:   %n = ncnn.layernorm %r {name = "n", affine_size = 30} : (tensor<2x30xf32>) -> tensor<2x30xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %n {name = "y", w = 5, h = 3, c = 4} : (tensor<2x30xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   %g = ncnn.constant {name = "g"} dense<[2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<4xf32>
// BEFORE-NEXT:   %k = ncnn.constant {name = "k"} dense<[6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00]> : tensor<4xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %g {name = "z", op_type = mul} : (tensor<4x3x5xf32>, tensor<4xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   %w = ncnn.binaryop %z, %k {name = "w", op_type = add} : (tensor<4x3x5xf32>, tensor<4xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   func.return %w : tensor<4x3x5xf32>
// AFTER-NEXT:    %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// AFTER-NEXT:    %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 5, h = 3, c = 4} : (tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<[6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %y = ncnn.groupnorm %0 gamma %y_gamma beta %y_beta {name = "y", blobs = ["w"], group = 2, channels = 4} : (tensor<4x3x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x3x5xf32>
// AFTER-NEXT:    func.return %y : tensor<4x3x5xf32>
// CHECK-NEXT: }
func.func @literal(%i: tensor<1x3x5xf32>) -> tensor<4x3x5xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
  %r = ncnn.reshape %x {name = "r", w = -1, h = 2} : (tensor<4x3x5xf32>) -> tensor<2x30xf32>
  %n = ncnn.layernorm %r {name = "n", affine_size = 30} : (tensor<2x30xf32>) -> tensor<2x30xf32>
  %y = ncnn.reshape %n {name = "y", w = 5, h = 3, c = 4} : (tensor<2x30xf32>) -> tensor<4x3x5xf32>
  %g = ncnn.constant {name = "g"} dense<[2.0, 3.0, 4.0, 5.0]> : tensor<4xf32>
  %k = ncnn.constant {name = "k"} dense<[6.0, 7.0, 8.0, 9.0]> : tensor<4xf32>
  %z = ncnn.binaryop %y, %g {name = "z", op_type = mul} : (tensor<4x3x5xf32>, tensor<4xf32>) -> tensor<4x3x5xf32>
  %w = ncnn.binaryop %z, %k {name = "w", op_type = add} : (tensor<4x3x5xf32>, tensor<4xf32>) -> tensor<4x3x5xf32>
  func.return %w : tensor<4x3x5xf32>
}

// Both reshapes go where the second one undoes the first for any input.
// REMARK: remark: fuse-groupnorm: Reshape 'y', InstanceNorm 'n', Reshape 'r'
// CHECK-LABEL: func.func @copied(%i: tensor<1x?x?xf32>) -> tensor<4x?x?xf32> {
// BEFORE-NEXT:   %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// BEFORE-NEXT:   %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x?x?xf32>, tensor<4x1x3x3xf32>) -> tensor<4x?x?xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 0, h = 0, c = 2, d = 2} : (tensor<4x?x?xf32>) -> tensor<2x2x?x?xf32>
// BEFORE-NEXT:   %n = ncnn.instancenorm %r {name = "n", channels = 2} : (tensor<2x2x?x?xf32>) -> tensor<2x2x?x?xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %n {name = "y", w = 0, h = 0, c = 4} : (tensor<2x2x?x?xf32>) -> tensor<4x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x?x?xf32>
// AFTER-NEXT:    %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// AFTER-NEXT:    %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x?x?xf32>, tensor<4x1x3x3xf32>) -> tensor<4x?x?xf32>
// AFTER-NEXT:    %y = ncnn.groupnorm %x {name = "y", group = 2, channels = 4} : (tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<4x?x?xf32>
// CHECK-NEXT: }
func.func @copied(%i: tensor<1x?x?xf32>) -> tensor<4x?x?xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x?x?xf32>, tensor<4x1x3x3xf32>) -> tensor<4x?x?xf32>
  %r = ncnn.reshape %x {name = "r", w = 0, h = 0, d = 2, c = 2} : (tensor<4x?x?xf32>) -> tensor<2x2x?x?xf32>
  %n = ncnn.instancenorm %r {name = "n", channels = 2} : (tensor<2x2x?x?xf32>) -> tensor<2x2x?x?xf32>
  %y = ncnn.reshape %n {name = "y", w = 0, h = 0, c = 4} : (tensor<2x2x?x?xf32>) -> tensor<4x?x?xf32>
  func.return %y : tensor<4x?x?xf32>
}

// Weights of groups become those of their channels.
// CHECK-LABEL: func.func @group_weights(%i: tensor<1x3x5xf32>) -> tensor<4x3x5xf32> {
// BEFORE-NEXT:   %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// BEFORE-NEXT:   %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 5, h = 6, c = 2} : (tensor<4x3x5xf32>) -> tensor<2x6x5xf32>
// BEFORE-NEXT:   %gg = ncnn.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %bb = ncnn.constant dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %n = ncnn.instancenorm %r gamma %gg beta %bb {name = "n", channels = 2} : (tensor<2x6x5xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x6x5xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %n {name = "y", w = 5, h = 3, c = 4} : (tensor<2x6x5xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x3x5xf32>
// AFTER-NEXT:    %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// AFTER-NEXT:    %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 5, h = 3, c = 4} : (tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[2.000000e+00, 2.000000e+00, 3.000000e+00, 3.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<[4.000000e+00, 4.000000e+00, 5.000000e+00, 5.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %y = ncnn.groupnorm %0 gamma %y_gamma beta %y_beta {name = "y", group = 2, channels = 4} : (tensor<4x3x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x3x5xf32>
// AFTER-NEXT:    func.return %y : tensor<4x3x5xf32>
// CHECK-NEXT: }
func.func @group_weights(%i: tensor<1x3x5xf32>) -> tensor<4x3x5xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
  %r = ncnn.reshape %x {name = "r", w = 5, h = 6, c = 2} : (tensor<4x3x5xf32>) -> tensor<2x6x5xf32>
  %gg = ncnn.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %bb = ncnn.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %n = ncnn.instancenorm %r gamma %gg beta %bb {name = "n", channels = 2} : (tensor<2x6x5xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.reshape %n {name = "y", w = 5, h = 3, c = 4} : (tensor<2x6x5xf32>) -> tensor<4x3x5xf32>
  func.return %y : tensor<4x3x5xf32>
}

// One group.
// REMARK: remark: fuse-groupnorm: BinaryOp 'y', BinaryOp 'd', Reduction 'm', UnaryOp 's', BinaryOp 'e', Reduction 'v', UnaryOp 'q'
// CHECK-LABEL: func.func @all(%i: tensor<1x3x5xf32>) -> tensor<4x3x5xf32> {
// BEFORE-NEXT:   %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// BEFORE-NEXT:   %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [0, 1, 2], keepdims = 1, fixbug0 = 1} : (tensor<4x3x5xf32>) -> tensor<1x1x1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<4x3x5xf32>, tensor<1x1x1xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0, 1, 2], keepdims = 1, fixbug0 = 1} : (tensor<4x3x5xf32>) -> tensor<1x1x1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<4x3x5xf32>, tensor<1x1x1xf32>) -> tensor<4x3x5xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x3x5xf32>
// AFTER-NEXT:    %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// AFTER-NEXT:    %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
// AFTER-NEXT:    %y = ncnn.groupnorm %x {name = "y", channels = 4, eps = 1.0e-05} : (tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
// AFTER-NEXT:    func.return %y : tensor<4x3x5xf32>
// CHECK-NEXT: }
func.func @all(%i: tensor<1x3x5xf32>) -> tensor<4x3x5xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [0, 1, 2], keepdims = 1, fixbug0 = 1} : (tensor<4x3x5xf32>) -> tensor<1x1x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<4x3x5xf32>, tensor<1x1x1xf32>) -> tensor<4x3x5xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0, 1, 2], keepdims = 1, fixbug0 = 1} : (tensor<4x3x5xf32>) -> tensor<1x1x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<4x3x5xf32>, tensor<1x1x1xf32>) -> tensor<4x3x5xf32>
  func.return %y : tensor<4x3x5xf32>
}

// What the second one says is what there was: nothing is left of it.
// CHECK-LABEL: func.func @nothing_to_say(%in: tensor<*xf32>) -> tensor<2x2x2xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %in {name = "x", w = -1, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x?xf32>
// BEFORE-NEXT:   %cut = ncnn.reshape %x {name = "cut", w = 8, h = 1} : (tensor<2x2x?xf32>) -> tensor<1x8xf32>
// BEFORE-NEXT:   %norm = ncnn.layernorm %cut {name = "norm", affine_size = 8} : (tensor<1x8xf32>) -> tensor<1x8xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %norm {name = "y", w = -1, h = 2, c = 2} : (tensor<1x8xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x2x2xf32>
// AFTER-NEXT:    %x = ncnn.reshape %in {name = "x", w = -1, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x?xf32>
// AFTER-NEXT:    %y = ncnn.groupnorm %x {name = "y", channels = 2} : (tensor<2x2x?xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    func.return %y : tensor<2x2x2xf32>
// CHECK-NEXT: }
func.func @nothing_to_say(%in: tensor<*xf32>) -> tensor<2x2x2xf32> {
  %x = ncnn.reshape %in {name = "x", w = -1, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x?xf32>
  %cut = ncnn.reshape %x {name = "cut", w = 8, h = 1} : (tensor<2x2x?xf32>) -> tensor<1x8xf32>
  %norm = ncnn.layernorm %cut {name = "norm", affine_size = 8} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %y = ncnn.reshape %norm {name = "y", w = -1, h = 2, c = 2} : (tensor<1x8xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}
