// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-instancenorm %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Over the channels.
func.func @channels(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Over columns only.
func.func @columns(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Over rows only.
func.func @rows(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Scales for each column.
func.func @columns_scaled(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %y = ncnn.instancenorm %x {name = "y", channels = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %g = ncnn.constant {name = "g"} dense<[2.0, 3.0, 4.0, 5.0]> : tensor<4xf32>
  %z = ncnn.binaryop %y, %g {name = "z", op_type = mul} : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  func.return %z : tensor<2x3x4xf32>
}
