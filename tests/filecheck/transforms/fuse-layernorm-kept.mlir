// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-layernorm %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Over the rows.
func.func @rows(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Two means over different axes.
func.func @axes(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1} : (tensor<2x2xf32>) -> tensor<1x2xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// The rows lost, so that the runtime puts the axis back at the wrong end.
func.func @lost(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [0], keepdims = 0, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<3xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [0], keepdims = 0, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<3xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<3xf32>) -> tensor<3xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<3xf32>) -> tensor<3xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The extents of a blob of 3 dims come from the input: LayerNorm would take them for a channel where they are others.
func.func @uncertain(%x: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<4x2x3xf32>) -> tensor<4x2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<4x2x3xf32>, tensor<4x2x1xf32>) -> tensor<4x2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [2], keepdims = 1, fixbug0 = 1} : (tensor<4x2x3xf32>) -> tensor<4x2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<4x2x3xf32>, tensor<4x2x1xf32>) -> tensor<4x2x3xf32>
  func.return %y : tensor<4x2x3xf32>
}

// Not even that is known.
func.func @unknown(%x: tensor<*xf32>) -> tensor<*xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<*xf32>) -> tensor<*xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<*xf32>) -> tensor<*xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// A sum is no mean.
func.func @sum(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = sum, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = sum, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// No eps.
func.func @no_eps(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %v {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Somebody else reads the difference.
func.func @second_consumer(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %z = ncnn.absval %d {name = "z"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// The mean is an output.
func.func @returned(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>) {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y, %m : tensor<2x3xf32>, tensor<2x1xf32>
}

// The runtime's vector code takes powers through the logarithm: of negative numbers it is no square.
func.func @pow(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.binaryop %d {name = "q", op_type = pow, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The square of another blob.
func.func @other_blob(%x: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = ncnn.unaryop %o {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
