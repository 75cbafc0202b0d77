// Needs `len(wanted) == 1`
// Written for this condition.
builtin.module {
  func.func @ReplaceMatMul_1(%x: tensor<4xf32>) -> tensor<1x3xf32> {
    %c = ncnn.constant #ncnn.elided : tensor<1x4x3xf32>
    %y = ncnn.matmul %x, %c {name = "y"} : (tensor<4xf32>, tensor<1x4x3xf32>) -> tensor<1x3xf32>
    func.return %y : tensor<1x3xf32>
  }
}
