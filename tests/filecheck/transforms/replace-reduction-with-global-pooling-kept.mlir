// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-reduction-with-global-pooling %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The axes stay with extent 1: a global Pooling gives one dim.
func.func @keepdims(%x: tensor<3x?x?xf32>) -> (tensor<3x1x1xf32>, tensor<3x1x1xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x1x1xf32>
  %b = ncnn.reduction %x {name = "b", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?x1xf32>
  %c = ncnn.reduction %b {name = "c", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<3x?x1xf32>) -> tensor<3x1x1xf32>
  func.return %a, %c : tensor<3x1x1xf32>, tensor<3x1x1xf32>
}

// The same axis twice (as it looks to those who count the batch), or the channels.
func.func @other_axes(%x: tensor<3x?x?xf32>) -> (tensor<3x?x1xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?x1xf32>
  %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<3x?x1xf32>) -> tensor<3x?x1xf32>
  %c = ncnn.reduction %x {name = "c", operation = mean, reduce_all = 0, axes = [0, 1], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<?xf32>
  %d = ncnn.reduction %x {name = "d", operation = mean, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
  %e = ncnn.reduction %d {name = "e", operation = mean, reduce_all = 0, axes = [0], fixbug0 = 1} : (tensor<3x?xf32>) -> tensor<?xf32>
  func.return %b, %c, %e : tensor<3x?x1xf32>, tensor<?xf32>, tensor<?xf32>
}

// Of how many dims nobody knows, or not 3 of them.
func.func @dims(%x: tensor<*xf32>, %y: tensor<?x?x?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<*xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %b = ncnn.reduction %y {name = "b", operation = mean, reduce_all = 0, axes = [-1, -2], fixbug0 = 1} : (tensor<?x?x?x?xf32>) -> tensor<?x?xf32>
  %c = ncnn.reduction %y {name = "c", operation = mean, reduce_all = 0, axes = [1, 2, 3], fixbug0 = 1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
  %d = ncnn.reduction %z {name = "d", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<?x?xf32>) -> tensor<?xf32>
  func.return %a, %b, %c, %d : tensor<*xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Another operation, a coefficient, everything, another operation first.
func.func @operations(%x: tensor<3x?x?xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<3xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = sum, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
  %b = ncnn.reduction %x {name = "b", operation = mean, reduce_all = 0, coeff = 2.0, axes = [1, 2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
  %c = ncnn.reduction %x {name = "c", operation = mean} : (tensor<3x?x?xf32>) -> tensor<1xf32>
  %d = ncnn.reduction %x {name = "d", operation = max, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
  %e = ncnn.reduction %d {name = "e", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x?xf32>) -> tensor<3xf32>
  func.return %a, %b, %c, %e : tensor<3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<3xf32>
}

// The value between is read twice, or is an output; nobody knows what a parameter means.
func.func @apart(%x: tensor<3x?x?xf32>) -> (tensor<3xf32>, tensor<3x?xf32>, tensor<3xf32>) {
  %a = ncnn.reduction %x {name = "a", operation = mean, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
  %b = ncnn.reduction %a {name = "b", operation = mean, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x?xf32>) -> tensor<3xf32>
  %c = ncnn.reduction %x {name = "c", operation = mean, reduce_all = 0, axes = [1, 2], fixbug0 = 1, extra = {"9" = 1 : i32}} : (tensor<3x?x?xf32>) -> tensor<3xf32>
  func.return %b, %a, %c : tensor<3xf32>, tensor<3x?xf32>, tensor<3xf32>
}

// merge-reductions does that.
func.func @sums(%x: tensor<3x?x?xf32>) -> tensor<3xf32> {
  %a = ncnn.reduction %x {name = "a", reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3x?xf32>
  %b = ncnn.reduction %a {name = "b", reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<3x?xf32>) -> tensor<3xf32>
  func.return %b : tensor<3xf32>
}
