// Needs `not affine.shift.any()`
// eliminate-identity affine: a BinaryOp between.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @EliminateNeutralAffine_1(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
    %blob = ncnn.constant {name = "blob"} #ncnn.elided : tensor<1xf32>
    %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %b = ncnn.binaryop %a {name = "b", op_type = div, with_scalar = 1, b = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %c = ncnn.binaryop %b {name = "c", op_type = add, with_scalar = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %d = ncnn.binaryop %c {name = "d", op_type = sub, with_scalar = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %e = ncnn.binaryop %d, %blob {name = "e", op_type = add} : (tensor<2x?x?xf32>, tensor<1xf32>) -> tensor<2x?x?xf32>
    %f = ncnn.power %e {name = "f"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %tanh = ncnn.tanh %f {name = "tanh"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %0 = ncnn.binaryop %tanh {name = "new435590", op_type = sub, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    func.return %0 : tensor<2x?x?xf32>
  }
}
