// Needs `not cut.keeps_order(shapes)`
// Written for this condition.
builtin.module {
  func.func @FormGroupNorm_1(%i: tensor<1x1x8xf32>) -> tensor<4x2xf32> {
    %x = ncnn.reshape %i {name = "x", w = 2, h = 4} : (tensor<1x1x8xf32>) -> tensor<4x2xf32>
    %r = ncnn.permute %x {name = "r", order_type = 1} : (tensor<4x2xf32>) -> tensor<2x4xf32>
    %n = ncnn.layernorm %r {name = "n", affine_size = 4} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %y = ncnn.reshape %n {name = "y", w = 2, h = 4} : (tensor<2x4xf32>) -> tensor<4x2xf32>
    func.return %y : tensor<4x2xf32>
  }
}

// -----

// Needs `not op.keeps_order(shapes)`
// Written for this condition.
builtin.module {
  func.func @FormGroupNorm_2(%i: tensor<1x1x8xf32>) -> tensor<4x2xf32> {
    %x = ncnn.reshape %i {name = "x", w = 2, h = 4} : (tensor<1x1x8xf32>) -> tensor<4x2xf32>
    %r = ncnn.reshape %x {name = "r", w = 4, h = 2} : (tensor<4x2xf32>) -> tensor<2x4xf32>
    %n = ncnn.layernorm %r {name = "n", affine_size = 4} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %y = ncnn.permute %n {name = "y", order_type = 1} : (tensor<2x4xf32>) -> tensor<4x2xf32>
    func.return %y : tensor<4x2xf32>
  }
}

// -----

// Needs `inner > 1`
// Written for this condition.
builtin.module {
  func.func @groups_1(%i: tensor<1x1x8xf32>) -> tensor<4x2xf32> {
    %x = ncnn.reshape %i {name = "x", w = 2, h = 4} : (tensor<1x1x8xf32>) -> tensor<4x2xf32>
    %r = ncnn.reshape %x {name = "r", w = 4, h = 2} : (tensor<4x2xf32>) -> tensor<2x4xf32>
    %n = ncnn.instancenorm %r {name = "n"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %y = ncnn.reshape %n {name = "y", w = 2, h = 4} : (tensor<2x4xf32>) -> tensor<4x2xf32>
    func.return %y : tensor<4x2xf32>
  }
}

// -----

// Needs `len(axes) == len(shape) > 1`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FormNorm_layer_1(%i: tensor<*xf32>) -> tensor<2x3xf32> {
    %z = ncnn.reshape %i {name = "z", w = 3, h = 1, c = 2} : (tensor<*xf32>) -> tensor<2x1x3xf32>
    %x = ncnn.reshape %z {name = "x", w = 3, h = 2} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
    %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    %q = ncnn.unaryop %d {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-05} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %s = ncnn.unaryop %e {name = "s", op_type = sqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %y = ncnn.binaryop %d, %s {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    func.return %y : tensor<2x3xf32>
  }
}
