// Needs `not cut.keeps_order(shapes)`
// near_misses by_hand: written by hand.
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
// near_misses by_hand: written by hand.
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
// near_misses by_hand: written by hand.
builtin.module {
  func.func @groups_1(%i: tensor<1x1x8xf32>) -> tensor<4x2xf32> {
    %x = ncnn.reshape %i {name = "x", w = 2, h = 4} : (tensor<1x1x8xf32>) -> tensor<4x2xf32>
    %r = ncnn.reshape %x {name = "r", w = 4, h = 2} : (tensor<4x2xf32>) -> tensor<2x4xf32>
    %n = ncnn.instancenorm %r {name = "n"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %y = ncnn.reshape %n {name = "y", w = 2, h = 4} : (tensor<2x4xf32>) -> tensor<4x2xf32>
    func.return %y : tensor<4x2xf32>
  }
}
