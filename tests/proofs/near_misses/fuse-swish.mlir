// Needs `'pow' in BINARY_OPS[op.op_type] and whole` or `self.blobs[name] is value`
// fuse-swish-kept factor: op_type = 6; the input has shape (1, 2, 3).
builtin.module attributes {ncnn.tune = "none"} {
  func.func @by_formula_1(%x: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
    %s = ncnn.sigmoid %x {name = "s"} : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %h = ncnn.binaryop %s {name = "h", op_type = pow, with_scalar = 1, b = 2.0} : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %y = ncnn.binaryop %x, %h {name = "y", op_type = mul} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    func.return %y : tensor<1x2x3xf32>
  }
}
