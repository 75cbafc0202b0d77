// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-normalize %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Over columns.
func.func @columns(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %m = ncnn.clip %n {name = "m", min = 1.0e-12} : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Of two dims, which are one channel to Normalize.
func.func @matrix(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<3x4xf32>) -> tensor<3x1xf32>
  %m = ncnn.clip %n {name = "m", min = 1.0e-12} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}

// Nothing keeps the norm from 0.
func.func @zero(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %y = ncnn.binaryop %x, %n {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Bounded above as well.
func.func @bounded(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %n = ncnn.reduction %x {name = "n", operation = l2, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %m = ncnn.clip %n {name = "m", min = 1.0e-12, max = 9.0} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// The norm of another blob.
func.func @other_blob(%x: tensor<2x3x4xf32>, %z: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %n = ncnn.reduction %z {name = "n", operation = l2, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %m = ncnn.clip %n {name = "m", min = 1.0e-12} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %y = ncnn.binaryop %x, %m {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Half of it.
func.func @coeff(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %s = ncnn.reduction %x {name = "s", operation = sumsq, coeff = 0.5, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %m = ncnn.binaryop %s {name = "m", op_type = max, with_scalar = 1, b = 1.0e-12} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %r = ncnn.unaryop %m {name = "r", op_type = rsqrt} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %y = ncnn.binaryop %x, %r {name = "y", op_type = mul} : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}
