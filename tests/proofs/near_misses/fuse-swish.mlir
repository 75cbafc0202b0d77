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

// -----

// Needs `term.exponent % 1 == 0` or `2 <= term.exponent <= len(patterns)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @match_inside_1(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %p = ncnn.binaryop %x, %s {name = "p", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %y = ncnn.binaryop %p {name = "y", op_type = pow, with_scalar = 1, b = 1.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %y : tensor<2x3xf32>
  }
}

// -----

// Needs `2 <= term.exponent <= len(patterns)` or `term.exponent % 1 == 0`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @match_inside_2(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %p = ncnn.binaryop %x, %s {name = "p", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %y = ncnn.binaryop %p {name = "y", op_type = pow, with_scalar = 1, b = 1.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %y : tensor<2x3xf32>
  }
}
