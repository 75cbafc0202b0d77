// Needs `not op.keeps_order(shapes)`
// Written for this condition.
builtin.module {
  func.func @MergeReshapes_1(%x: tensor<*xf32>) -> (tensor<3x4xf32>, tensor<2x3x2xf32>) {
    %r = ncnn.reshape %x {name = "r", w = 2, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x2xf32>
    %a = ncnn.reshape %r {name = "a", w = 3, h = 4} : (tensor<2x3x2xf32>) -> tensor<4x3xf32>
    %b = ncnn.permute %a {name = "b", order_type = 1} : (tensor<4x3xf32>) -> tensor<3x4xf32>
    func.return %b, %r : tensor<3x4xf32>, tensor<2x3x2xf32>
  }
}
