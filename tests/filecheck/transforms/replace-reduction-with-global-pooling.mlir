// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-reduction-with-global-pooling %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-reduction-with-global-pooling %s > %t.once
// RUN: ncnn-opt --replace-reduction-with-global-pooling %t.once | diff %t.once -
// RUN: ncnn-opt --replace-reduction-with-global-pooling --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-reduction-with-global-pooling: Reduction 'a'
// REMARK-NEXT: remark: replace-reduction-with-global-pooling: Reduction 'b'
// REMARK-NEXT: remark: merge-reductions: Reduction 'b', Reduction 'a'
// REMARK-NEXT: remark: replace-reduction-with-global-pooling: Reduction 'b'
// REMARK-NEXT: remark: merge-reductions: Reduction 'b', Reduction 'a'
// REMARK-NEXT: remark: replace-reduction-with-global-pooling: Reduction 'b'

// Both axes at once, of any extents, counted from either end.
// CHECK-LABEL: func.func @two_axes(%x: tensor<3x?x?xf32>) -> (tensor<3xf32> {ncnn.blob = "mean"}, tensor<3xf32>) {
// BEFORE-NEXT:   %a = ncnn.reduction %x {name = "a", blobs = ["mean"], operation = mean, reduce_all = 0, axes = [1, 2], fixbug0 = 1, shape_hints = [1, 3, 1, 1]} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %b = ncnn.reduction %x {name = "b", operation = max, reduce_all = 0, axes = [-1, -2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   func.return %a, %b : tensor<3xf32>, tensor<3xf32>
// AFTER-NEXT:    %a = ncnn.pooling %x {name = "a", blobs = ["mean"], pooling_type = avg, global_pooling = 1, shape_hints = [1, 3, 1, 1]} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// AFTER-NEXT:    %b = ncnn.pooling %x {name = "b", global_pooling = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// AFTER-NEXT:    func.return %a, %b : tensor<3xf32>, tensor<3xf32>
// CHECK-NEXT: }
func.func @two_axes(%x: tensor<3x?x?xf32>) -> (tensor<3xf32> {ncnn.blob = "mean"}, tensor<3xf32>) {
  %a = ncnn.reduction %x {name = "a", blobs = ["mean"], operation = mean, reduce_all = 0, axes = [1, 2], fixbug0 = 1, shape_hints = [1, 3, 1, 1]} : (tensor<3x?x?xf32>) -> tensor<3xf32>
  %b = ncnn.reduction %x {name = "b", operation = max, reduce_all = 0, axes = [-1, -2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
  func.return %a, %b : tensor<3xf32>, tensor<3xf32>
}

// One after the other, w first: of what is left h is axis 1, or -1.
// CHECK-LABEL: func.func @w_then_h(%x: tensor<3x?x?xf32>) -> tensor<3xf32> {
// BEFORE-NEXT:   %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
// BEFORE-NEXT:   %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [-1], fixbug0 = 1} : (tensor<3x?xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   func.return %b : tensor<3xf32>
// AFTER-NEXT:    %b = ncnn.pooling %x {name = "b", pooling_type = avg, global_pooling = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// AFTER-NEXT:    func.return %b : tensor<3xf32>
// CHECK-NEXT: }
func.func @w_then_h(%x: tensor<3x?x?xf32>) -> tensor<3xf32> {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
  %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [-1], fixbug0 = 1} : (tensor<3x?xf32>) -> tensor<3xf32>
  func.return %b : tensor<3xf32>
}

// h first, which is kept until the second drops both.
// CHECK-LABEL: func.func @h_then_both(%x: tensor<3x?x?xf32>) -> tensor<3xf32> {
// BEFORE-NEXT:   %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x1x?xf32>
// BEFORE-NEXT:   %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<3x1x?xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   func.return %b : tensor<3xf32>
// AFTER-NEXT:    %b = ncnn.pooling %x {name = "b", pooling_type = avg, global_pooling = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// AFTER-NEXT:    func.return %b : tensor<3xf32>
// CHECK-NEXT: }
func.func @h_then_both(%x: tensor<3x?x?xf32>) -> tensor<3xf32> {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x1x?xf32>
  %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<3x1x?xf32>) -> tensor<3xf32>
  func.return %b : tensor<3xf32>
}
