// Needs `not op.keeps_order(shapes)`
// Written for this condition.
builtin.module {
  func.func @DropKeptAxes_1(%x: tensor<2x3x4xf32>) -> tensor<3x2x1xf32> {
    %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %a = ncnn.reduction %r {name = "a", operation = max, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
    %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
    func.return %b : tensor<3x2x1xf32>
  }
}

// -----

// Needs `first.keepdims or axis not in reduced`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @axes_of_both_1(%x: tensor<3x4x5xf32>) -> tensor<*xf32> {
    %a = ncnn.reduction %x {name = "a", operation = max, reduce_all = 0, axes = [0], fixbug0 = 1} : (tensor<3x4x5xf32>) -> tensor<*xf32>
    %b = ncnn.reduction %a {name = "b", operation = max, reduce_all = 0, axes = [1], fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %b : tensor<*xf32>
  }
}

// -----

// Needs `bool(first.keepdims) == bool(second.keepdims) or (first.keepdims and reduced <= mapped)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @axes_of_both_2(%x: tensor<3x4x5xf32>) -> tensor<*xf32> {
    %a = ncnn.reduction %x {name = "a", operation = max, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<3x4x5xf32>) -> tensor<*xf32>
    %b = ncnn.reduction %a {name = "b", operation = max, reduce_all = 0, axes = [2], fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %b : tensor<*xf32>
  }
}
