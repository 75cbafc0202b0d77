// Needs `low > high` or `close(pattern.value, number)`
// fuse-normalize pytorch: max = -3.4028234663852886e+38.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @clipped_1(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
    %m = ncnn.clip %n {name = "m", min = 1.0e-12, max = -3.4028235e+38} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    func.return %y : tensor<2x3x4xf32>
  }
}

// -----

// Needs `scale > 0` or `close(pattern.value, number)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @match_clip_1(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
    %nn = ncnn.unaryop %n {name = "nn", op_type = neg} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %m = ncnn.clip %nn {name = "m", min = -0.01} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %xn = ncnn.unaryop %x {name = "xn", op_type = neg} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %y = ncnn.binaryop %xn, %m {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    func.return %y : tensor<2x3x4xf32>
  }
}
