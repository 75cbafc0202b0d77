// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --merge-reductions %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --merge-reductions %s > %t.once
// RUN: ncnn-opt --merge-reductions %t.once | diff %t.once -
// RUN: ncnn-opt --merge-reductions --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: merge-reductions: Reduction 'b', Reduction 'a'
// REMARK-NEXT: remark: merge-reductions: Reduction 'b', Reduction 'a'
// REMARK-NEXT: remark: merge-reductions: Reduction 'b', Reduction 'a'
// REMARK-NEXT: remark: merge-reductions: Reduction 'b', Reduction 'a'
// REMARK-NEXT: remark: merge-reductions: Reduction 'a', Flatten 'flat'
// REMARK-NEXT: remark: merge-reductions: Reduction 'b', Squeeze 'squeeze'

// One axis after the other: of what is left, h is axis 1.
// CHECK-LABEL: func.func @mean(%x: tensor<3x?x?xf32>) -> tensor<3xf32> {
// BEFORE-NEXT:   %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
// BEFORE-NEXT:   %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x?xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   func.return %b : tensor<3xf32>
// AFTER-NEXT:    %b = ncnn.reduction %x {name = "b", operation = mean, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// AFTER-NEXT:    func.return %b : tensor<3xf32>
// CHECK-NEXT: }
func.func @mean(%x: tensor<3x?x?xf32>) -> tensor<3xf32> {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
  %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x?xf32>) -> tensor<3xf32>
  func.return %b : tensor<3xf32>
}

// With all axes kept, counted from the end, with coefficients.
// CHECK-LABEL: func.func @kept_axes(%x: tensor<3x?x?xf32>) -> tensor<3x1x1xf32> {
// BEFORE-NEXT:   %a = ncnn.reduction %x {name = "a", reduce_all = 0, coeff = 2.0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?x1xf32>
// BEFORE-NEXT:   %b = ncnn.reduction %a {name = "b", reduce_all = 0, coeff = 0.25, axes = [-2], keepdims = 1, fixbug0 = 1, shape_hints = [3, 1, 1, 3]} : (tensor<3x?x1xf32>) -> tensor<3x1x1xf32>
// BEFORE-NEXT:   func.return %b : tensor<3x1x1xf32>
// AFTER-NEXT:    %b = ncnn.reduction %x {name = "b", reduce_all = 0, coeff = 0.5, axes = [1, 2], keepdims = 1, fixbug0 = 1, shape_hints = [3, 1, 1, 3]} : (tensor<3x?x?xf32>) -> tensor<3x1x1xf32>
// AFTER-NEXT:    func.return %b : tensor<3x1x1xf32>
// CHECK-NEXT: }
func.func @kept_axes(%x: tensor<3x?x?xf32>) -> tensor<3x1x1xf32> {
  %a = ncnn.reduction %x {name = "a", operation = sum, reduce_all = 0, coeff = 2.0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?x1xf32>
  %b = ncnn.reduction %a {name = "b", operation = sum, reduce_all = 0, coeff = 0.25, axes = [-2], keepdims = 1, fixbug0 = 1, shape_hints = [3, 1, 1, 3]} : (tensor<3x?x1xf32>) -> tensor<3x1x1xf32>
  func.return %b : tensor<3x1x1xf32>
}

// All of it in the end: the maximum of maxima.
// CHECK-LABEL: func.func @all(%x: tensor<?x?xf32>) -> tensor<1xf32> {
// BEFORE-NEXT:   %a = ncnn.reduction %x {name = "a", operation = max, reduce_all = 0, axes = [0], fixbug0 = 1} : (tensor<?x?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %b = ncnn.reduction %a {name = "b", operation = max} : (tensor<?xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   func.return %b : tensor<1xf32>
// AFTER-NEXT:    %b = ncnn.reduction %x {name = "b", operation = max, reduce_all = 0, axes = [0, 1], fixbug0 = 1} : (tensor<?x?xf32>) -> tensor<1xf32>
// AFTER-NEXT:    func.return %b : tensor<1xf32>
// CHECK-NEXT: }
func.func @all(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %a = ncnn.reduction %x {name = "a", operation = max, reduce_all = 0, axes = [0], fixbug0 = 1} : (tensor<?x?xf32>) -> tensor<?xf32>
  %b = ncnn.reduction %a {name = "b", operation = max} : (tensor<?xf32>) -> tensor<1xf32>
  func.return %b : tensor<1xf32>
}

// The second one drops what the first one kept.
// CHECK-LABEL: func.func @dropped_later(%x: tensor<3x?x?xf32>) -> tensor<3xf32> {
// BEFORE-NEXT:   %a = ncnn.reduction %x {name = "a", operation = prod, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x1x?xf32>
// BEFORE-NEXT:   %b = ncnn.reduction %a {name = "b", operation = prod, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<3x1x?xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   func.return %b : tensor<3xf32>
// AFTER-NEXT:    %b = ncnn.reduction %x {name = "b", operation = prod, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// AFTER-NEXT:    func.return %b : tensor<3xf32>
// CHECK-NEXT: }
func.func @dropped_later(%x: tensor<3x?x?xf32>) -> tensor<3xf32> {
  %a = ncnn.reduction %x {name = "a", operation = prod, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x1x?xf32>
  %b = ncnn.reduction %a {name = "b", operation = prod, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<3x1x?xf32>) -> tensor<3xf32>
  func.return %b : tensor<3xf32>
}

// Axes that are kept only to be dropped: eliminate-identity does the rest.
// CHECK-LABEL: func.func @reshaped(%x: tensor<3x?x?xf32>, %y: tensor<?x?x?xf32>) -> (tensor<3xf32>, tensor<?x?xf32>) {
// BEFORE-NEXT:   %a = ncnn.reduction %x {name = "a", operation = l2, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1, shape_hints = [3, 1, 1, 3]} : (tensor<3x?x?xf32>) -> tensor<3x1x1xf32>
// BEFORE-NEXT:   %flat = ncnn.flatten %a {name = "flat"} : (tensor<3x1x1xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %b = ncnn.reduction %y {name = "b", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<?x?x?xf32>) -> tensor<?x1x?xf32>
// BEFORE-NEXT:   %squeeze = ncnn.squeeze %b {name = "squeeze", axes = [1]} : (tensor<?x1x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   func.return %flat, %squeeze : tensor<3xf32>, tensor<?x?xf32>
// AFTER-NEXT:    %a = ncnn.reduction %x {name = "a", operation = l2, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// AFTER-NEXT:    %flat = ncnn.flatten %a {name = "flat"} : (tensor<3xf32>) -> tensor<3xf32>
// AFTER-NEXT:    %b = ncnn.reduction %y {name = "b", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    %squeeze = ncnn.reshape %b {name = "squeeze", w = 0, h = 0} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    func.return %flat, %squeeze : tensor<3xf32>, tensor<?x?xf32>
// CHECK-NEXT: }
func.func @reshaped(%x: tensor<3x?x?xf32>, %y: tensor<?x?x?xf32>) -> (tensor<3xf32>, tensor<?x?xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = l2, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1, shape_hints = [3, 1, 1, 3]} : (tensor<3x?x?xf32>) -> tensor<3x1x1xf32>
  %flat = ncnn.flatten %a {name = "flat"} : (tensor<3x1x1xf32>) -> tensor<3xf32>
  %b = ncnn.reduction %y {name = "b", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<?x?x?xf32>) -> tensor<?x1x?xf32>
  %squeeze = ncnn.squeeze %b {name = "squeeze", axes = [1]} : (tensor<?x1x?xf32>) -> tensor<?x?xf32>
  func.return %flat, %squeeze : tensor<3xf32>, tensor<?x?xf32>
}
