// Needs `len(shape) in (3, 4)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @candidates_1(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %z = ncnn.reshape %x {name = "z", w = 3, h = 4, c = 1} : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %r = ncnn.reshape %z {name = "r", w = 3, h = 2, c = 2} : (tensor<1x4x3xf32>) -> tensor<2x2x3xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
    %y = ncnn.reshape %p {name = "y", w = 3, h = 4} : (tensor<2x2x3xf32>) -> tensor<4x3xf32>
    func.return %y : tensor<4x3xf32>
  }
}
