// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-normalize %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-normalize %s > %t.once
// RUN: ncnn-opt --fuse-normalize %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-normalize --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Divided by the root of the sum of squares, over channels, positions, or both.

// Over channels; as PyTorch keeps the norm from 0.
// REMARK: remark: fuse-normalize: BinaryOp 'y', Clip 'm', Reduction 'n'
// CHECK-LABEL: func.func @pytorch(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// BEFORE-NEXT:   %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
// BEFORE-NEXT:   %m = ncnn.clip %n {name = "m", min = 1.0e-12} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3x4xf32>
// AFTER-NEXT:    %y_scale = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %y = ncnn.normalize %x scale %y_scale {name = "y", channel_shared = 1, eps = 1.0e-12, eps_mode = 1} : (tensor<2x3x4xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @pytorch(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %m = ncnn.clip %n {name = "m", min = 1.0e-12} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// As TensorFlow does.
// CHECK-LABEL: func.func @tensorflow(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// BEFORE-NEXT:   %s = ncnn.reduction %x {name = "s", operation = sumsq, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
// BEFORE-NEXT:   %m = ncnn.binaryop %s {name = "m", op_type = max, with_scalar = 1, b = 1.0e-12} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
// BEFORE-NEXT:   %r = ncnn.unaryop %m {name = "r", op_type = rsqrt} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %r {name = "y", op_type = mul} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3x4xf32>
// AFTER-NEXT:    %y_scale = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %y = ncnn.normalize %x scale %y_scale {name = "y", channel_shared = 1, eps = 1.0e-12, eps_mode = 2} : (tensor<2x3x4xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @tensorflow(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %s = ncnn.reduction %x {name = "s", operation = sumsq, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %m = ncnn.binaryop %s {name = "m", op_type = max, with_scalar = 1, b = 1.0e-12} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %r = ncnn.unaryop %m {name = "r", op_type = rsqrt} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %y = ncnn.binaryop %x, %r {name = "y", op_type = mul} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// As Caffe does; over all of a blob.
// CHECK-LABEL: func.func @caffe(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// BEFORE-NEXT:   %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %s = ncnn.reduction %q {name = "s", reduce_all = 0, axes = [0, 1, 2], fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %s {name = "e", op_type = add, with_scalar = 1, b = 1.0e-12} : (tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %r = ncnn.unaryop %e {name = "r", op_type = sqrt} : (tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %r {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3x4xf32>
// AFTER-NEXT:    %y_scale = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %y = ncnn.normalize %x scale %y_scale {name = "y", across_spatial = 1, channel_shared = 1, eps = 1.0e-12} : (tensor<2x3x4xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @caffe(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %s = ncnn.reduction %q {name = "s", operation = sum, reduce_all = 0, axes = [0, 1, 2], keepdims = 0, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1xf32>
  %e = ncnn.binaryop %s {name = "e", op_type = add, with_scalar = 1, b = 1.0e-12} : (tensor<1xf32>) -> tensor<1xf32>
  %r = ncnn.unaryop %e {name = "r", op_type = sqrt} : (tensor<1xf32>) -> tensor<1xf32>
  %y = ncnn.binaryop %x, %r {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Over positions.
// CHECK-LABEL: func.func @positions(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// BEFORE-NEXT:   %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %m = ncnn.clip %n {name = "m", min = 1.0e-12} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3x4xf32>
// AFTER-NEXT:    %y_scale = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %y = ncnn.normalize %x scale %y_scale {name = "y", across_spatial = 1, channel_shared = 1, eps = 1.0e-12, across_channel = 0, eps_mode = 1} : (tensor<2x3x4xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @positions(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [1, 2], keepdims = 0, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2xf32>
  %m = ncnn.clip %n {name = "m", min = 1.0e-12} : (tensor<2xf32>) -> tensor<2xf32>
  %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// A vector.
// CHECK-LABEL: func.func @vector(%x: tensor<4xf32>) -> tensor<4xf32> {
// BEFORE-NEXT:   %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<4xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %m = ncnn.clip %n {name = "m", min = 1.0e-12} : (tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
// BEFORE-NEXT:   func.return %y : tensor<4xf32>
// AFTER-NEXT:    %y_scale = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %y = ncnn.normalize %x scale %y_scale {name = "y", across_spatial = 1, channel_shared = 1, eps = 1.0e-12, eps_mode = 1} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
// AFTER-NEXT:    func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @vector(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<4xf32>) -> tensor<1xf32>
  %m = ncnn.clip %n {name = "m", min = 1.0e-12} : (tensor<1xf32>) -> tensor<1xf32>
  %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
