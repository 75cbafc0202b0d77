// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-rmsnorm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-rmsnorm %s > %t.once
// RUN: ncnn-opt --fuse-rmsnorm %t.once | diff %t.once -
// RUN: ncnn-opt --canonicalize %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-rmsnorm --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Divided by the root of the mean of squares; then a scale.

// With a weight.
// REMARK: remark: fuse-rmsnorm: BinaryOp 'y', UnaryOp 's', BinaryOp 'e', Reduction 'v', BinaryOp 'q'
// REMARK: remark: fuse-norm-affine: RMSNorm 'y', BinaryOp 'z'
// CHECK-LABEL: func.func @weight(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %q = ncnn.binaryop %x, %x {name = "q", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-06} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = rsqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %g = ncnn.constant {name = "g"} dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %g, %y {name = "z", op_type = mul} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x3xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.rmsnorm %x gamma %y_gamma {name = "y", blobs = ["z"], affine_size = 3, eps = 1.0e-06} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @weight(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %q = ncnn.binaryop %x, %x {name = "q", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-06} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = rsqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %g = ncnn.constant {name = "g"} dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %z = ncnn.binaryop %g, %y {name = "z", op_type = mul} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// The square as a Power layer, the root as a division.
// REMARK: remark: fuse-rmsnorm: BinaryOp 'y', UnaryOp 's', BinaryOp 'e', Reduction 'v', Power 'q'
// CHECK-LABEL: func.func @divided(%x: tensor<3xf32>) -> tensor<3xf32> {
// BEFORE-NEXT:   %q = ncnn.power %x {name = "q", power = 2.0} : (tensor<3xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0], fixbug0 = 1} : (tensor<3xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %eps = ncnn.constant {name = "eps"} dense<[1.000000e-06]> : tensor<1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %eps, %v {name = "e", op_type = add} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %s {name = "y", op_type = div} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   func.return %y : tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.rmsnorm %x {name = "y", affine_size = 3, eps = 1.0e-06} : (tensor<3xf32>) -> tensor<3xf32>
// AFTER-NEXT:    func.return %y : tensor<3xf32>
// CHECK-NEXT: }
func.func @divided(%x: tensor<3xf32>) -> tensor<3xf32> {
  %q = ncnn.power %x {name = "q", power = 2.0} : (tensor<3xf32>) -> tensor<3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0], keepdims = 0, fixbug0 = 1} : (tensor<3xf32>) -> tensor<1xf32>
  %eps = ncnn.constant {name = "eps"} dense<[1.0e-06]> : tensor<1xf32>
  %e = ncnn.binaryop %eps, %v {name = "e", op_type = add} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<1xf32>) -> tensor<1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = div} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// Without eps.
// REMARK: remark: fuse-rmsnorm: BinaryOp 'y', UnaryOp 's', Reduction 'v', UnaryOp 'q'
// CHECK-LABEL: func.func @no_eps(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
// BEFORE-NEXT:   %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<?x3xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<?x3xf32>) -> tensor<?x1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %v {name = "s", op_type = sqrt} : (tensor<?x1xf32>) -> tensor<?x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %s {name = "y", op_type = div} : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x3xf32>
// AFTER-NEXT:    %y = ncnn.rmsnorm %x {name = "y", affine_size = 3, eps = 0.0} : (tensor<?x3xf32>) -> tensor<?x3xf32>
// AFTER-NEXT:    func.return %y : tensor<?x3xf32>
// CHECK-NEXT: }
func.func @no_eps(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<?x3xf32>) -> tensor<?x1xf32>
  %s = ncnn.unaryop %v {name = "s", op_type = sqrt} : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = div} : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}
