// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --merge-reductions %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// A norm of norms is one, but a sum of squares of such is not.
func.func @other_operations(%x: tensor<3x4x5xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = sumsq, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x4x5xf32>) -> tensor<3x4xf32>
  %b = ncnn.reduction %a {name = "b", operation = sumsq, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x4xf32>) -> tensor<3xf32>
  %c = ncnn.reduction %x {name = "c", operation = sum, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x4x5xf32>) -> tensor<3x4xf32>
  %d = ncnn.reduction %c {name = "d", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x4xf32>) -> tensor<3xf32>
  func.return %b, %d : tensor<3xf32>, tensor<3xf32>
}

// A maximum of negative multiples is none of all.
func.func @coefficient(%x: tensor<3x4x5xf32>) -> tensor<3xf32> {
  %a = ncnn.reduction %x {name = "a", operation = max, reduce_all = 0, coeff = -1.0, axes = [2], fixbug0 = 1} : (tensor<3x4x5xf32>) -> tensor<3x4xf32>
  %b = ncnn.reduction %a {name = "b", operation = max, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x4xf32>) -> tensor<3xf32>
  func.return %b : tensor<3xf32>
}

// Some axes stay with extent 1, others go.
func.func @keepdims(%x: tensor<3x4x5xf32>) -> (tensor<3x1xf32>, tensor<3x1xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<3x4x5xf32>) -> tensor<3x4x1xf32>
  %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x4x1xf32>) -> tensor<3x1xf32>
  %c = ncnn.reduction %x {name = "c", operation = mean, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x4x5xf32>) -> tensor<3x4xf32>
  %d = ncnn.reduction %c {name = "d", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<3x4xf32>) -> tensor<3x1xf32>
  func.return %b, %d : tensor<3x1xf32>, tensor<3x1xf32>
}

// Which axes these are depends on how many there are.
func.func @unknown(%x: tensor<*xf32>) -> tensor<*xf32> {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [0], fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %b : tensor<*xf32>
}

// The value between is read twice; a layer between; a parameter that nobody knows.
func.func @apart(%x: tensor<3x4xf32>) -> (tensor<1xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x4xf32>) -> tensor<3xf32>
  %b = ncnn.reduction %a {name = "b", operation = mean} : (tensor<3xf32>) -> tensor<1xf32>
  %c = ncnn.reduction %x {name = "c", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x4xf32>) -> tensor<3xf32>
  %abs = ncnn.absval %c {name = "abs"} : (tensor<3xf32>) -> tensor<3xf32>
  %d = ncnn.reduction %abs {name = "d", operation = mean} : (tensor<3xf32>) -> tensor<1xf32>
  %e = ncnn.reduction %x {name = "e", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1, extra = {"9" = 1 : i32}} : (tensor<3x4xf32>) -> tensor<3xf32>
  %f = ncnn.reduction %e {name = "f", operation = mean} : (tensor<3xf32>) -> tensor<1xf32>
  func.return %b, %a, %d, %f : tensor<1xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>
}

// What is reshaped is read elsewhere, too, or needs the axes.
func.func @kept_axes(%x: tensor<3x?x?xf32>, %y: tensor<?x?x?xf32>) -> (tensor<3xf32>, tensor<3x1x1xf32>, tensor<?x?x1x1xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = max, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x1x1xf32>
  %flat = ncnn.flatten %a {name = "flat"} : (tensor<3x1x1xf32>) -> tensor<3xf32>
  %b = ncnn.reduction %y {name = "b", operation = max, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %expand = ncnn.expanddims %b {name = "expand", axes = [3]} : (tensor<?x?x1xf32>) -> tensor<?x?x1x1xf32>
  func.return %flat, %a, %expand : tensor<3xf32>, tensor<3x1x1xf32>, tensor<?x?x1x1xf32>
}

// The declared extents of the Reduction's input do not fit those of the Reshape's result.
func.func @contradiction(%x: tensor<8x3x3xf32>) -> tensor<8x1xf32> {
  %r = ncnn.reduction %x {name = "r", reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<8x3x3xf32>) -> tensor<8x3x1xf32>
  %y = ncnn.reshape %r {name = "y", w = 1, h = 8} : (tensor<8x3x1xf32>) -> tensor<8x1xf32>
  func.return %y : tensor<8x1xf32>
}
