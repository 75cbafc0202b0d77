// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-softmax %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Along two axes.
func.func @axes(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %e = ncnn.unaryop %x {name = "e", op_type = exp} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %s = ncnn.reduction %e {name = "s", operation = sum, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %e, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// The mean.
func.func @mean(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %e = ncnn.unaryop %x {name = "e", op_type = exp} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %s = ncnn.reduction %e {name = "s", operation = mean, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %y = ncnn.binaryop %e, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Somebody else reads the exponentials.
func.func @second_consumer(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %e = ncnn.unaryop %x {name = "e", op_type = exp} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %s = ncnn.reduction %e {name = "s", operation = sum, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %y = ncnn.binaryop %e, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  %z = ncnn.absval %e {name = "z"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y, %z : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// The axis lost, so that the runtime puts it back at the wrong end.
func.func @lost(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %e = ncnn.unaryop %x {name = "e", op_type = exp} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %s = ncnn.reduction %e {name = "s", operation = sum, reduce_all = 0, axes = [0], keepdims = 0, fixbug0 = 1} : (tensor<3x3xf32>) -> tensor<3xf32>
  %y = ncnn.binaryop %e, %s {name = "y", op_type = div} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  func.return %y : tensor<3x3xf32>
}

// Powers of 2.
func.func @base(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = ncnn.exp %x {name = "e", base = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.reduction %e {name = "s", operation = sum, reduce_all = 0, axes = [-1], keepdims = 0, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2xf32>
  %y = ncnn.binaryop %s, %e {name = "y", op_type = rdiv} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
