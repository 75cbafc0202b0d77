// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-affine-through-layout %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-affine-through-layout %s > %t.once
// RUN: ncnn-opt --fuse-affine-through-layout %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-affine-through-layout --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: fuse-affine-through-layout: Gemm 'g', BinaryOp 'm'
// REMARK-NEXT: remark: fuse-affine-through-layout: Convolution 'c', BinaryOp 'y'
// REMARK-NEXT: remark: fuse-affine-through-layout: Convolution 'c', Power 'y'

// LayerScale: rows of pixels become an image whose channels are last.
// CHECK-LABEL: func.func @pixels(%x: tensor<?x?x3xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[[7.000000e+00, 8.000000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %r B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
// BEFORE-NEXT:   %s = ncnn.constant {name = "s"} dense<[[[2.000000e+00, 5.000000e-01]]]> : tensor<1x1x2xf32>
// BEFORE-NEXT:   %m = ncnn.binaryop %s, %i {name = "m", op_type = mul} : (tensor<1x1x2xf32>, tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
// BEFORE-NEXT:   %y = ncnn.permute %m {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[2.000000e+00, 4.000000e+00, 6.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[[1.400000e+01, 4.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %g = ncnn.gemm %r B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    %i = ncnn.reshape %g, %x {name = "i", blobs = ["m"], shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
// AFTER-NEXT:    %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @pixels(%x: tensor<?x?x3xf32>) -> tensor<2x?x?xf32> {
  %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %g = ncnn.gemm %r B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
  %s = ncnn.constant {name = "s"} dense<[[[2.0, 0.5]]]> : tensor<1x1x2xf32>
  %m = ncnn.binaryop %s, %i {name = "m", op_type = mul} : (tensor<1x1x2xf32>, tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
  %y = ncnn.permute %m {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// The channels of a convolution become columns; a scale and shift for each.
// CHECK-LABEL: func.func @columns(%x: tensor<1x?x?xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %c {name = "r", w = -1, h = 2} : (tensor<2x?x?xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   %p = ncnn.permute %r {name = "p", order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %s = ncnn.constant {name = "s"} dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %p, %s {name = "y", op_type = rsub} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[-1.000000e+00]]], [[[-2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %w_bias = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %c = ncnn.convolution %x weight %w bias %w_bias {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %r = ncnn.reshape %c {name = "r", w = -1, h = 2} : (tensor<2x?x?xf32>) -> tensor<2x?xf32>
// AFTER-NEXT:    %p = ncnn.permute %r {name = "p", blobs = ["y"], order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %p : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @columns(%x: tensor<1x?x?xf32>) -> tensor<?x2xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %r = ncnn.reshape %c {name = "r", w = -1, h = 2} : (tensor<2x?x?xf32>) -> tensor<2x?xf32>
  %p = ncnn.permute %r {name = "p", order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
  %s = ncnn.constant {name = "s"} dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %y = ncnn.binaryop %p, %s {name = "y", op_type = rsub} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// One factor for all does not see where the channels are.
// CHECK-LABEL: func.func @one(%x: tensor<1x?x?xf32>) -> tensor<?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %f = ncnn.flatten %c {name = "f"} : (tensor<2x?x?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %y = ncnn.power %f {name = "y", scale = 2.0, shift = 1.0} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[4.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+00, 5.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %f = ncnn.flatten %c {name = "f", blobs = ["y"]} : (tensor<2x?x?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    func.return %f : tensor<?xf32>
// CHECK-NEXT: }
func.func @one(%x: tensor<1x?x?xf32>) -> tensor<?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %f = ncnn.flatten %c {name = "f"} : (tensor<2x?x?xf32>) -> tensor<?xf32>
  %y = ncnn.power %f {name = "y", scale = 2.0, shift = 1.0} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}
