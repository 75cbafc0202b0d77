// Needs `inner_low <= inner_high`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @clipped_1(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %a = ncnn.binaryop %x {name = "a", op_type = rsub, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %b0 = ncnn.clip %a {name = "b0", min = -5.0, max = -1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %b = ncnn.clip %b0 {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = -1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %y : tensor<2x3xf32>
  }
}
