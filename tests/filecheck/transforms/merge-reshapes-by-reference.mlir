// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --merge-reshapes %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --merge-reshapes %s > %t.once
// RUN: ncnn-opt --merge-reshapes %t.once | diff %t.once -
// RUN: ncnn-opt --merge-reshapes --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: merge-reshapes: Reshape 'a'
// REMARK-NEXT: remark: merge-reshapes: Reshape 'a'
// REMARK-NEXT: remark: merge-reshapes: Reshape 'a'
// REMARK-NEXT: remark: merge-reshapes: Reshape 'a'
// REMARK-NEXT: remark: merge-reshapes: Reshape 'a'

// Numbers that follow from a promise.
// CHECK-LABEL: func.func @promised(%x: tensor<6x4xf32> {ncnn.promised}) -> tensor<6x4xf32> {
// CHECK-NEXT:    %p = ncnn.permute %x {name = "p", order_type = 1} : (tensor<6x4xf32>) -> tensor<4x6xf32>
// BEFORE-NEXT:   %a = ncnn.reshape %p, %x {name = "a", shape_expr = "1w,1h"} : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
// AFTER-NEXT:    %a = ncnn.reshape %p {name = "a", w = 4, h = 6} : (tensor<4x6xf32>) -> tensor<6x4xf32>
// CHECK-NEXT:    func.return %a : tensor<6x4xf32>
// CHECK-NEXT: }
func.func @promised(%x: tensor<6x4xf32> {ncnn.promised}) -> tensor<6x4xf32> {
  %p = ncnn.permute %x {name = "p", order_type = 1} : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %a = ncnn.reshape %p, %x {name = "a", shape_expr = "1w,1h"} : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  func.return %a : tensor<6x4xf32>
}

// What weights decide, and what is left.
// CHECK-LABEL: func.func @left(%x: tensor<?x?x?xf32>) -> (tensor<?x2xf32>, tensor<2x?x?xf32>) {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<?x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %a = ncnn.reshape %x, %c {name = "a", shape_expr = "1c,-1"} : (tensor<?x?x?xf32>, tensor<2x?x?xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %a, %c : tensor<?x2xf32>, tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<?x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = 2, h = -1} : (tensor<?x?x?xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %a, %c : tensor<?x2xf32>, tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @left(%x: tensor<?x?x?xf32>) -> (tensor<?x2xf32>, tensor<2x?x?xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<?x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %a = ncnn.reshape %x, %c {name = "a", shape_expr = "1c,-1"} : (tensor<?x?x?xf32>, tensor<2x?x?xf32>) -> tensor<?x2xf32>
  func.return %a, %c : tensor<?x2xf32>, tensor<2x?x?xf32>
}

// Its own extents, where they stay where they are.
// CHECK-LABEL: func.func @own(%x: tensor<?x?x?xf32>) -> tensor<1x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", shape_expr = "0w,*(0h,0c),1"} : (tensor<?x?x?xf32>) -> tensor<1x?x?xf32>
// BEFORE-NEXT:   func.return %a : tensor<1x?x?xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = 0, h = -1, c = 1} : (tensor<?x?x?xf32>) -> tensor<1x?x?xf32>
// AFTER-NEXT:    func.return %a : tensor<1x?x?xf32>
// CHECK-NEXT: }
func.func @own(%x: tensor<?x?x?xf32>) -> tensor<1x?x?xf32> {
  %a = ncnn.reshape %x {name = "a", shape_expr = "0w,*(0h,0c),1"} : (tensor<?x?x?xf32>) -> tensor<1x?x?xf32>
  func.return %a : tensor<1x?x?xf32>
}

// Nothing of another blob is asked for.
// CHECK-LABEL: func.func @unread(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<2x?xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x, %y {name = "a", w = -1, h = 2} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   func.return %a : tensor<2x?xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = -1, h = 2} : (tensor<?x?xf32>) -> tensor<2x?xf32>
// AFTER-NEXT:    func.return %a : tensor<2x?xf32>
// CHECK-NEXT: }
func.func @unread(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<2x?xf32> {
  %a = ncnn.reshape %x, %y {name = "a", w = -1, h = 2} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
  func.return %a : tensor<2x?xf32>
}

// A blob of as many rows stays as it is, and of others there are so many columns.
// CHECK-LABEL: func.func @rows(%x: tensor<?x?xf32>) -> tensor<2x?xf32> {
// BEFORE-NEXT:   %y = ncnn.reshape %x {name = "y", w = 2, h = -1, c = 1} : (tensor<?x?xf32>) -> tensor<1x?x2xf32>
// BEFORE-NEXT:   %a = ncnn.reshape %x, %y {name = "a", shape_expr = "1h,2"} : (tensor<?x?xf32>, tensor<1x?x2xf32>) -> tensor<2x?xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = -1, h = 2} : (tensor<?x?xf32>) -> tensor<2x?xf32>
// CHECK-NEXT:    func.return %a : tensor<2x?xf32>
// CHECK-NEXT: }
func.func @rows(%x: tensor<?x?xf32>) -> tensor<2x?xf32> {
  %y = ncnn.reshape %x {name = "y", w = 2, h = -1, c = 1} : (tensor<?x?xf32>) -> tensor<1x?x2xf32>
  %a = ncnn.reshape %x, %y {name = "a", shape_expr = "1h,2"} : (tensor<?x?xf32>, tensor<1x?x2xf32>) -> tensor<2x?xf32>
  func.return %a : tensor<2x?xf32>
}
