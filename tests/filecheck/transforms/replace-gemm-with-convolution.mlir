// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-gemm-with-convolution %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-gemm-with-convolution %s > %t.once
// RUN: ncnn-opt --replace-gemm-with-convolution %t.once | diff %t.once -
// RUN: ncnn-opt --replace-gemm-with-convolution --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-gemm-with-convolution: Reshape 'i', Gemm 'g', Reshape 'r', Permute 'y'
// REMARK-NEXT: remark: replace-gemm-with-convolution: TanH 's', Reshape 'i', Gemm 'g', GELU 'a', Gemm 'f', Reshape 'r', Permute 'y'

// The image goes through the Permute first; the rest is done there.
// CHECK-LABEL: func.func @one(%in: tensor<*xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %in {name = "x", w = 3, h = -1, c = 2} : (tensor<*xf32>) -> tensor<2x?x3xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<2x?x3xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[[7.000000e+00, 8.000000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %r B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<2x?x3xf32>) -> tensor<2x?x2xf32>
// BEFORE-NEXT:   %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<2x?x2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %x = ncnn.reshape %in {name = "x", w = 3, h = -1, c = 2} : (tensor<*xf32>) -> tensor<2x?x3xf32>
// AFTER-NEXT:    %0 = ncnn.permute %x {name = "y", order_type = 4} : (tensor<2x?x3xf32>) -> tensor<3x2x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]]], [[[4.000000e+00]], [[5.000000e+00]], [[6.000000e+00]]]]> : tensor<2x3x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.convolution %0 weight %w bias %b {name = "g", blobs = ["y"], num_output = 2, kernel_w = 1} : (tensor<3x2x?xf32>, tensor<2x3x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @one(%in: tensor<*xf32>) -> tensor<2x?x?xf32> {
  %x = ncnn.reshape %in {name = "x", w = 3, h = -1, c = 2} : (tensor<*xf32>) -> tensor<2x?x3xf32>
  %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<2x?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %g = ncnn.gemm %r B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<2x?x3xf32>) -> tensor<2x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<2x?x2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Two with an activation between and behind; B as it is multiplied, one summand for all.
// CHECK-LABEL: func.func @two(%x: tensor<?x?x2xf32>) -> tensor<1x?x?xf32> {
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", shape_expr = "0w,*(0h,0c)"} : (tensor<?x?x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[7.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %f = ncnn.gemm %r B %v C %b {name = "f", constantB = 1, constantC = 1, constantN = 3, constantK = 2} : (tensor<?x2xf32>, tensor<2x3xf32>, tensor<1xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   %a = ncnn.gelu %f {name = "a"} : (tensor<?x3xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00]]> : tensor<1x3xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %a B %w {name = "g", transB = 1, constantB = 1, constantN = 1, constantK = 3} : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x1xf32>
// BEFORE-NEXT:   %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x1xf32>, tensor<?x?x2xf32>) -> tensor<?x?x1xf32>
// BEFORE-NEXT:   %s = ncnn.tanh %i {name = "s"} : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
// BEFORE-NEXT:   %y = ncnn.permute %s {name = "y", order_type = 5} : (tensor<?x?x1xf32>) -> tensor<1x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<1x?x?xf32>
// AFTER-NEXT:    %0 = ncnn.permute %x {name = "y", order_type = 5} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00]], [[4.000000e+00]]], [[[2.000000e+00]], [[5.000000e+00]]], [[[3.000000e+00]], [[6.000000e+00]]]]> : tensor<3x2x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<7.000000e+00> : tensor<3xf32>
// AFTER-NEXT:    %1 = ncnn.convolution %0 weight %v bias %b {name = "f", num_output = 3, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<3x?x?xf32>
// AFTER-NEXT:    %2 = ncnn.gelu %1 {name = "a"} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]]]]> : tensor<1x3x1x1xf32>
// AFTER-NEXT:    %3 = ncnn.convolution %2 weight %w {name = "g", num_output = 1, kernel_w = 1} : (tensor<3x?x?xf32>, tensor<1x3x1x1xf32>) -> tensor<1x?x?xf32>
// AFTER-NEXT:    %y = ncnn.tanh %3 {name = "s", blobs = ["y"]} : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<1x?x?xf32>
// CHECK-NEXT: }
func.func @two(%x: tensor<?x?x2xf32>) -> tensor<1x?x?xf32> {
  %r = ncnn.reshape %x {name = "r", shape_expr = "0w,*(0h,0c)"} : (tensor<?x?x2xf32>) -> tensor<?x2xf32>
  %v = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<7.0> : tensor<1xf32>
  %f = ncnn.gemm %r B %v C %b {name = "f", constantB = 1, constantC = 1, constantN = 3, constantK = 2} : (tensor<?x2xf32>, tensor<2x3xf32>, tensor<1xf32>) -> tensor<?x3xf32>
  %a = ncnn.gelu %f {name = "a"} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %g = ncnn.gemm %a B %w {name = "g", transB = 1, constantB = 1, constantN = 1, constantK = 3} : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x1xf32>
  %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x1xf32>, tensor<?x?x2xf32>) -> tensor<?x?x1xf32>
  %s = ncnn.tanh %i {name = "s"} : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %y = ncnn.permute %s {name = "y", order_type = 5} : (tensor<?x?x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}
