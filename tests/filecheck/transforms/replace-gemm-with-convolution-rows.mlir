// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-gemm-with-convolution %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-gemm-with-convolution %s > %t.once
// RUN: ncnn-opt --replace-gemm-with-convolution %t.once | diff %t.once -
// RUN: ncnn-opt --replace-gemm-with-convolution --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-gemm-with-convolution: Reshape 'y', Permute 'p', GELU 'a', Gemm 'g'
// REMARK-NEXT: remark: replace-gemm-with-convolution: Permute 'y', Reshape 'i', Gemm 'g'
// REMARK-NEXT: remark: replace-gemm-with-convolution: Permute 'p', Reshape 'f', GELU 'a', Gemm 'y'
// REMARK-NEXT: remark: replace-gemm-with-convolution: Reshape 'y', Permute 'q', Gemm 'g', Permute 'p', Reshape 'f'

// The image of a MixFFN is made before the Gemm that makes rows wider: of three columns instead of four.
// CHECK-LABEL: func.func @wider(%x: tensor<?x3xf32>) -> tensor<4x2x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00, 9.000000e+00], [1.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<4x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[[7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+00]]> : tensor<1x4xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 4, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<4x3xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
// BEFORE-NEXT:   %a = ncnn.gelu %g {name = "a"} : (tensor<?x4xf32>) -> tensor<?x4xf32>
// BEFORE-NEXT:   %p = ncnn.permute %a {name = "p", order_type = 1} : (tensor<?x4xf32>) -> tensor<4x?xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %p {name = "y", w = -1, h = 2, c = 4} : (tensor<4x?xf32>) -> tensor<4x2x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x2x?xf32>
// AFTER-NEXT:    %0 = ncnn.permute %x {order_type = 1} : (tensor<?x3xf32>) -> tensor<3x?xf32>
// AFTER-NEXT:    %1 = ncnn.reshape %0 {w = -1, h = 2, c = 3} : (tensor<3x?xf32>) -> tensor<3x2x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]]], [[[4.000000e+00]], [[5.000000e+00]], [[6.000000e+00]]], [[[7.000000e+00]], [[8.000000e+00]], [[9.000000e+00]]], [[[1.000000e+00]], [[0.000000e+00]], [[1.000000e+00]]]]> : tensor<4x3x1x1xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %2 = ncnn.convolution %1 weight %w bias %b {name = "g", num_output = 4, kernel_w = 1} : (tensor<3x2x?xf32>, tensor<4x3x1x1xf32>, tensor<4xf32>) -> tensor<4x2x?xf32>
// AFTER-NEXT:    %y = ncnn.gelu %2 {name = "a", blobs = ["y"]} : (tensor<4x2x?xf32>) -> tensor<4x2x?xf32>
// AFTER-NEXT:    func.return %y : tensor<4x2x?xf32>
// CHECK-NEXT: }
func.func @wider(%x: tensor<?x3xf32>) -> tensor<4x2x?xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [1.0, 0.0, 1.0]]> : tensor<4x3xf32>
  %b = ncnn.constant dense<[[7.0, 8.0, 9.0, 1.0]]> : tensor<1x4xf32>
  %g = ncnn.gemm %x B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 4, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<4x3xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  %a = ncnn.gelu %g {name = "a"} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %p = ncnn.permute %a {name = "p", order_type = 1} : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %y = ncnn.reshape %p {name = "y", w = -1, h = 2, c = 4} : (tensor<4x?xf32>) -> tensor<4x2x?xf32>
  func.return %y : tensor<4x2x?xf32>
}

// Another order of Reshape and Permute, and an image as large as another one.
// CHECK-LABEL: func.func @like(%x: tensor<?x1xf32>, %z: tensor<3x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 1} : (tensor<?x1xf32>, tensor<2x1xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %i = ncnn.reshape %g, %z {name = "i", shape_expr = "2,1w,1h"} : (tensor<?x2xf32>, tensor<3x?x?xf32>) -> tensor<?x?x2xf32>
// BEFORE-NEXT:   %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %0 = ncnn.permute %x {order_type = 1} : (tensor<?x1xf32>) -> tensor<1x?xf32>
// AFTER-NEXT:    %1 = ncnn.reshape %0, %z {shape_expr = "1w,1h,1"} : (tensor<1x?xf32>, tensor<3x?x?xf32>) -> tensor<1x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %1 weight %w {name = "g", blobs = ["y"], num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @like(%x: tensor<?x1xf32>, %z: tensor<3x?x?xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 1} : (tensor<?x1xf32>, tensor<2x1xf32>) -> tensor<?x2xf32>
  %i = ncnn.reshape %g, %z {name = "i", shape_expr = "2,1w,1h"} : (tensor<?x2xf32>, tensor<3x?x?xf32>) -> tensor<?x?x2xf32>
  %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Rows of an image are made behind the Gemm that makes them narrower.
// CHECK-LABEL: func.func @narrower(%x: tensor<1x?x?xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]]]> : tensor<3x1x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.convolution %x weight %v {name = "c", num_output = 3, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<3x1x1x1xf32>) -> tensor<3x?x?xf32>
// BEFORE-NEXT:   %f = ncnn.reshape %c {name = "f", w = -1, h = 3} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
// BEFORE-NEXT:   %p = ncnn.permute %f {name = "p", order_type = 1} : (tensor<3x?xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   %a = ncnn.gelu %p {name = "a"} : (tensor<?x3xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %a B %w {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]]]> : tensor<3x1x1x1xf32>
// AFTER-NEXT:    %c = ncnn.convolution %x weight %v {name = "c", num_output = 3, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<3x1x1x1xf32>) -> tensor<3x?x?xf32>
// AFTER-NEXT:    %0 = ncnn.gelu %c {name = "a"} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[3.000000e+00]], [[5.000000e+00]]], [[[2.000000e+00]], [[4.000000e+00]], [[6.000000e+00]]]]> : tensor<2x3x1x1xf32>
// AFTER-NEXT:    %1 = ncnn.convolution %0 weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<3x?x?xf32>, tensor<2x3x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %2 = ncnn.reshape %1 {w = -1, h = 2} : (tensor<2x?x?xf32>) -> tensor<2x?xf32>
// AFTER-NEXT:    %y = ncnn.permute %2 {blobs = ["y"], order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @narrower(%x: tensor<1x?x?xf32>) -> tensor<?x2xf32> {
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]]]> : tensor<3x1x1x1xf32>
  %c = ncnn.convolution %x weight %v {name = "c", num_output = 3, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<3x1x1x1xf32>) -> tensor<3x?x?xf32>
  %f = ncnn.reshape %c {name = "f", w = -1, h = 3} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
  %p = ncnn.permute %f {name = "p", order_type = 1} : (tensor<3x?xf32>) -> tensor<?x3xf32>
  %a = ncnn.gelu %p {name = "a"} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %a B %w {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// Rows that become such an image as they came from: nothing is moved, however wide they are between.
// CHECK-LABEL: func.func @between(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.convolution %x weight %v {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %s = ncnn.sigmoid %c {name = "s"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %f = ncnn.reshape %s {name = "f", w = -1, h = 2} : (tensor<2x?x?xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   %p = ncnn.permute %f {name = "p", order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %p B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %q = ncnn.permute %g {name = "q", order_type = 1} : (tensor<?x2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %q, %c {name = "y", shape_expr = "1w,1h,2"} : (tensor<2x?xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %c = ncnn.convolution %x weight %v {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %s = ncnn.sigmoid %c {name = "s"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]], [[[3.000000e+00]], [[4.000000e+00]]]]> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %s weight %w {name = "g", blobs = ["y"], num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @between(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %c = ncnn.convolution %x weight %v {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %s = ncnn.sigmoid %c {name = "s"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %f = ncnn.reshape %s {name = "f", w = -1, h = 2} : (tensor<2x?x?xf32>) -> tensor<2x?xf32>
  %p = ncnn.permute %f {name = "p", order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
  %w = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %g = ncnn.gemm %p B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %q = ncnn.permute %g {name = "q", order_type = 1} : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %y = ncnn.reshape %q, %c {name = "y", shape_expr = "1w,1h,2"} : (tensor<2x?xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}
