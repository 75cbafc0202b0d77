// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-rmsnorm %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// A shift: RMSNorm has none. (The factor would fit.)
func.func @shift(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = ncnn.rmsnorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.constant {name = "b"} dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %z = ncnn.binaryop %b, %y {name = "z", op_type = add} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// As many rows as columns: the vector is for the rows.
func.func @rows(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %y = ncnn.rmsnorm %x {name = "y", affine_size = 3} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %b = ncnn.constant {name = "b"} dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %z = ncnn.binaryop %b, %y {name = "z", op_type = mul} : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  func.return %z : tensor<3x3xf32>
}

// Who knows how many rows.
func.func @unknown_rows(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = ncnn.rmsnorm %x {name = "y", affine_size = 3} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %b = ncnn.constant {name = "b"} dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %z = ncnn.binaryop %b, %y {name = "z", op_type = mul} : (tensor<3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  func.return %z : tensor<?x3xf32>
}

// Over the rows.
func.func @outer(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.binaryop %x, %x {name = "q", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-06} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = rsqrt} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Over all of a blob with several dims.
func.func @all(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.binaryop %x, %x {name = "q", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0, 1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<1x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-06} : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = rsqrt} : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The maximum.
func.func @max(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.binaryop %x, %x {name = "q", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = max, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-06} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = rsqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Without eps, by the sum of squares.
func.func @sum(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = sum, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %v {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Without eps and without a root.
func.func @no_root(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %x, %v {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Without eps, of another blob.
func.func @other(%x: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.unaryop %z {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %v {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// In 3 dims the parameter decides on the axes, and nobody knows the extents of both.
func.func @two_unknown(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 0.001} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}
