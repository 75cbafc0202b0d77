// Needs `both is None`
// fuse-activation-activation unit_sigmoid: a BinaryOp between.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @ComposeActivation_1(%x: tensor<*xf32>) -> tensor<*xf32> {
    %0 = ncnn.binaryop %x {name = "new621803", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
    %s = ncnn.relu %0 {name = "s", slope = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
    %z = ncnn.sigmoid %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %z : tensor<*xf32>
  }
}
