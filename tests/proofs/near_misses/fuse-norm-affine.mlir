// Needs `isinstance(norm, InstanceNormOp) and len(shape) < 3`
// Written for this condition.
builtin.module {
  func.func @along_channels_1(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %z = ncnn.reshape %x {name = "z", w = 5, h = 2, c = 2} : (tensor<4x5xf32>) -> tensor<2x2x5xf32>
    %r = ncnn.reshape %z {name = "r", w = 5, h = 4} : (tensor<2x2x5xf32>) -> tensor<4x5xf32>
    %n = ncnn.instancenorm %r {name = "n"} : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %s = ncnn.constant #ncnn.elided : tensor<4xf32>
    %y = ncnn.scale %n scale %s {name = "y"} : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<4x5xf32>
    func.return %y : tensor<4x5xf32>
  }
}

// -----

// Needs `len(own) <= len(shape)`
// Written for this condition.
builtin.module {
  func.func @along_slice_1(%x: tensor<*xf32>) -> tensor<2x3x3xf32> {
    %z = ncnn.reshape %x {name = "z", w = 3, h = 2, c = 1} : (tensor<*xf32>) -> tensor<1x2x3xf32>
    %r = ncnn.reshape %z {name = "r", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    %n = ncnn.layernorm %r {name = "n", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %c = ncnn.constant {name = "c"} #ncnn.elided : tensor<1x1x3xf32>
    %y = ncnn.binaryop %n, %c {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<1x1x3xf32>) -> tensor<2x3x3xf32>
    func.return %y : tensor<2x3x3xf32>
  }
}

// -----

// Needs `isinstance(norm, GroupNormOp) and channels != shape[0]` or `fusion_obstacle(value, user) is not None`
// fuse-norm-affine-kept declared_groups: featmask = 3; the input has shape (2, 2, 4).
builtin.module attributes {ncnn.tune = "none"} {
  func.func @along_channels_2(%x: tensor<2x2x4xf32>) -> tensor<2x2x4xf32> {
    %gg = ncnn.constant #ncnn.elided : tensor<2xf32>
    %bb = ncnn.constant #ncnn.elided : tensor<2xf32>
    %y = ncnn.groupnorm %x gamma %gg beta %bb {name = "y", channels = 2} : (tensor<2x2x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x4xf32>
    %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0, featmask = 3} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    func.return %z : tensor<2x2x4xf32>
  }
}

// -----

// Needs `dims is None` or `len(shape) == 1`
// fuse-norm-affine-kept scale: unknown shapes.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @along_slice_2(%i: tensor<*xf32>) -> tensor<3x?xf32> {
    %x = ncnn.reshape %i {name = "x", w = 3, h = 3} : (tensor<*xf32>) -> tensor<3x?xf32>
    %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<3x?xf32>) -> tensor<3x?xf32>
    %sc = ncnn.constant #ncnn.elided : tensor<3xf32>
    %z = ncnn.scale %y scale %sc {name = "z"} : (tensor<3x?xf32>, tensor<3xf32>) -> tensor<3x?xf32>
    func.return %z : tensor<3x?xf32>
  }
}
