// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-instancenorm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-instancenorm %s > %t.once
// RUN: ncnn-opt --fuse-instancenorm %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-instancenorm --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Over all positions of a channel.

// With weights.
// REMARK: remark: fuse-instancenorm: BinaryOp 'y', BinaryOp 'd', Reduction 'm', UnaryOp 's', BinaryOp 'e', Reduction 'v', UnaryOp 'q'
// REMARK: remark: fuse-norm-affine: InstanceNorm 'y', BinaryOp 'z'
// REMARK: remark: fuse-norm-affine: InstanceNorm 'y', BinaryOp 'w'
// CHECK-LABEL: func.func @weights(%i: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 4, h = 3, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %g = ncnn.constant {name = "g"} dense<[[[2.000000e+00]], [[3.000000e+00]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant {name = "b"} dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %g {name = "z", op_type = mul} : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %w = ncnn.binaryop %z, %b {name = "w", op_type = add} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %w : tensor<2x3x4xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.instancenorm %x gamma %y_gamma beta %y_beta {name = "y", blobs = ["w"], channels = 2, eps = 1.0e-05} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @weights(%i: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %x = ncnn.reshape %i {name = "x", w = 4, h = 3, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
  %g = ncnn.constant {name = "g"} dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %b = ncnn.constant {name = "b"} dense<[4.0, 5.0]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %g {name = "z", op_type = mul} : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
  %w = ncnn.binaryop %z, %b {name = "w", op_type = add} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  func.return %w : tensor<2x3x4xf32>
}

// A global Pooling is the mean; whose extents are not known, keep their channels.
// REMARK: remark: fuse-instancenorm: BinaryOp 'y', BinaryOp 'd', Pooling 'm', UnaryOp 's', BinaryOp 'e', Pooling 'v', UnaryOp 'q'
// CHECK-LABEL: func.func @pooling(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %m = ncnn.pooling %x {name = "m", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %v = ncnn.pooling %q {name = "v", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %y = ncnn.instancenorm %x {name = "y", channels = 2, eps = 1.0e-05} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @pooling(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %m = ncnn.pooling %x {name = "m", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %v = ncnn.pooling %q {name = "v", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2xf32>) -> tensor<2xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2xf32>) -> tensor<2xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Of 4 dims.
// CHECK-LABEL: func.func @volume(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2, 3], fixbug0 = 1} : (tensor<2x3x4x5xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3x4x5xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [1, 2, 3], fixbug0 = 1} : (tensor<2x3x4x5xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3x4x5xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3x4x5xf32>
// AFTER-NEXT:    %y = ncnn.instancenorm %x {name = "y", channels = 2, eps = 1.0e-05} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4x5xf32>
// CHECK-NEXT: }
func.func @volume(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2, 3], keepdims = 0, fixbug0 = 1} : (tensor<2x3x4x5xf32>) -> tensor<2xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3x4x5xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [1, 2, 3], keepdims = 0, fixbug0 = 1} : (tensor<2x3x4x5xf32>) -> tensor<2xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2xf32>) -> tensor<2xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2xf32>) -> tensor<2xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3x4x5xf32>, tensor<2xf32>) -> tensor<2x3x4x5xf32>
  func.return %y : tensor<2x3x4x5xf32>
}
