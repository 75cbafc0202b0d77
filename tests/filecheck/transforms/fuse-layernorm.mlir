// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-layernorm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-layernorm %s > %t.once
// RUN: ncnn-opt --fuse-layernorm %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-layernorm --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Mean, difference, variance, root: over the innermost axis; then scale and shift.

// Without weights.
// REMARK: remark: fuse-layernorm: BinaryOp 'y', BinaryOp 'd', Reduction 'm', UnaryOp 's', BinaryOp 'e', Reduction 'v', UnaryOp 'q'
// CHECK-LABEL: func.func @plain(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x {name = "y", affine_size = 3, eps = 1.0e-05} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @plain(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// With weights, of one dim: the blob has not as many rows.
// REMARK: remark: fuse-layernorm: BinaryOp 'y', BinaryOp 'd', Reduction 'm', UnaryOp 's', BinaryOp 'e', Reduction 'v', UnaryOp 'q'
// REMARK: remark: fuse-norm-affine: LayerNorm 'y', BinaryOp 'z'
// REMARK: remark: fuse-norm-affine: LayerNorm 'y', BinaryOp 'w'
// CHECK-LABEL: func.func @weights(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %g = ncnn.constant {name = "g"} dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>
// BEFORE-NEXT:   %b = ncnn.constant {name = "b"} dense<[5.000000e+00, 6.000000e+00, 7.000000e+00]> : tensor<3xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %g {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %w = ncnn.binaryop %z, %b {name = "w", op_type = add} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %w : tensor<2x3xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<[5.000000e+00, 6.000000e+00, 7.000000e+00]> : tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x gamma %y_gamma beta %y_beta {name = "y", blobs = ["w"], affine_size = 3, eps = 1.0e-05} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @weights(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %g = ncnn.constant {name = "g"} dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %b = ncnn.constant {name = "b"} dense<[5.0, 6.0, 7.0]> : tensor<3xf32>
  %z = ncnn.binaryop %y, %g {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %w = ncnn.binaryop %z, %b {name = "w", op_type = add} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %w : tensor<2x3xf32>
}

// With weights of two dims, the other way round; no axis is kept, so that the rows are a vector.
// CHECK-LABEL: func.func @rows(%i: tensor<1x3x3xf32>) -> tensor<3x3xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 3, h = 3} : (tensor<1x3x3xf32>) -> tensor<3x3xf32>
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], fixbug0 = 1} : (tensor<3x3xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<3x3xf32>) -> tensor<3x3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], fixbug0 = 1} : (tensor<3x3xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<3xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<3xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
// BEFORE-NEXT:   %g = ncnn.constant {name = "g"} dense<[[2.000000e+00, 3.000000e+00, 4.000000e+00]]> : tensor<1x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant {name = "b"} dense<[[5.000000e+00, 6.000000e+00, 7.000000e+00]]> : tensor<1x3xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %g, %y {name = "z", op_type = mul} : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
// BEFORE-NEXT:   %w = ncnn.binaryop %z, %b {name = "w", op_type = sub} : (tensor<3x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
// BEFORE-NEXT:   func.return %w : tensor<3x3xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<[-5.000000e+00, -6.000000e+00, -7.000000e+00]> : tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x gamma %y_gamma beta %y_beta {name = "y", blobs = ["w"], affine_size = 3, eps = 1.0e-05} : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
// AFTER-NEXT:    func.return %y : tensor<3x3xf32>
// CHECK-NEXT: }
func.func @rows(%i: tensor<1x3x3xf32>) -> tensor<3x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 3} : (tensor<1x3x3xf32>) -> tensor<3x3xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 0, fixbug0 = 1} : (tensor<3x3xf32>) -> tensor<3xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 0, fixbug0 = 1} : (tensor<3x3xf32>) -> tensor<3xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<3xf32>) -> tensor<3xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<3xf32>) -> tensor<3xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  %g = ncnn.constant {name = "g"} dense<[[2.0, 3.0, 4.0]]> : tensor<1x3xf32>
  %b = ncnn.constant {name = "b"} dense<[[5.0, 6.0, 7.0]]> : tensor<1x3xf32>
  %z = ncnn.binaryop %g, %y {name = "z", op_type = mul} : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %w = ncnn.binaryop %z, %b {name = "w", op_type = sub} : (tensor<3x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  func.return %w : tensor<3x3xf32>
}

// A vector.
// CHECK-LABEL: func.func @vector(%x: tensor<3xf32>) -> tensor<3xf32> {
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<3xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<3xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<3xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   func.return %y : tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x {name = "y", affine_size = 3, eps = 1.0e-05} : (tensor<3xf32>) -> tensor<3xf32>
// AFTER-NEXT:    func.return %y : tensor<3xf32>
// CHECK-NEXT: }
func.func @vector(%x: tensor<3xf32>) -> tensor<3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<3xf32>) -> tensor<1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<3xf32>) -> tensor<3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<3xf32>) -> tensor<1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<1xf32>) -> tensor<1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<1xf32>) -> tensor<1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// The difference computed twice, the root inverse.
// CHECK-LABEL: func.func @twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %q = ncnn.eltwise %d, %d {name = "q", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = rsqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %n = ncnn.reduction %x {name = "n", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %f = ncnn.binaryop %n, %x {name = "f", op_type = rsub} : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %s, %f {name = "y", op_type = mul} : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x {name = "y", affine_size = 3, eps = 1.0e-05} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.eltwise %d, %d {name = "q", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = rsqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = ncnn.reduction %x {name = "n", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %f = ncnn.binaryop %n, %x {name = "f", op_type = rsub} : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %s, %f {name = "y", op_type = mul} : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// In a blob of 3 dims, whose extents come from a Reshape.
// CHECK-LABEL: func.func @slices(%a: tensor<*xf32>) -> tensor<4x2x3xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %a {name = "x", w = 3, h = 2, c = 4} : (tensor<*xf32>) -> tensor<4x2x3xf32>
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<4x2x3xf32>) -> tensor<4x2x1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<4x2x3xf32>, tensor<4x2x1xf32>) -> tensor<4x2x3xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<4x2x3xf32>) -> tensor<4x2x1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<4x2x3xf32>, tensor<4x2x1xf32>) -> tensor<4x2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x2x3xf32>
// AFTER-NEXT:    %x = ncnn.reshape %a {name = "x", w = 3, h = 2, c = 4} : (tensor<*xf32>) -> tensor<4x2x3xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x {name = "y", affine_size = 3, eps = 1.0e-05} : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<4x2x3xf32>
// CHECK-NEXT: }
func.func @slices(%a: tensor<*xf32>) -> tensor<4x2x3xf32> {
  %x = ncnn.reshape %a {name = "x", w = 3, h = 2, c = 4} : (tensor<*xf32>) -> tensor<4x2x3xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<4x2x3xf32>) -> tensor<4x2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<4x2x3xf32>, tensor<4x2x1xf32>) -> tensor<4x2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<4x2x3xf32>) -> tensor<4x2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<4x2x3xf32>, tensor<4x2x1xf32>) -> tensor<4x2x3xf32>
  func.return %y : tensor<4x2x3xf32>
}

// A scalar factor goes into the weights, too.
// REMARK: remark: fuse-layernorm: BinaryOp 'y', BinaryOp 'd', Reduction 'm', UnaryOp 's', BinaryOp 'e', Reduction 'v', UnaryOp 'q'
// REMARK: remark: fuse-norm-affine: LayerNorm 'y', BinaryOp 'z'
// CHECK-LABEL: func.func @scalar(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x3xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<2.000000e+00> : tensor<3xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<0.000000e+00> : tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x gamma %y_gamma beta %y_beta {name = "y", blobs = ["z"], affine_size = 3, eps = 1.0e-05} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @scalar(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}
