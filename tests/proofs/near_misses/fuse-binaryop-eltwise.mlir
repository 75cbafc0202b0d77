// Needs `x.type == value.type` or `fusion_obstacle(value, user) is not None`
// fuse-binaryop-eltwise-kept other_features: a further BinaryOp; a blob is declared as (-9223372036854775808, -9223372036854775808, 3).
builtin.module attributes {ncnn.tune = "none"} {
  func.func @term_1(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
    %p = ncnn.binaryop %x {name = "new969513", op_type = mul, with_scalar = 1, b = 2.0, featmask = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %a = ncnn.absval %p {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %p_1 = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0, featmask = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x3xf32>
    %y = ncnn.binaryop %p_1, %b {name = "y", op_type = add} : (tensor<?x?x3xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    func.return %y : tensor<?x?x?xf32>
  }
}
