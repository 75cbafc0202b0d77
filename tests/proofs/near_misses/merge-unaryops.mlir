// Needs `function_of(layer) == 'neg'`
// merge-unaryops binary: op_type = 3; promised shapes.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @MergeNegation_1(%x: tensor<2xf32> {ncnn.promised}, %y: tensor<2xf32> {ncnn.promised}) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
    %a = ncnn.unaryop %y {name = "a", op_type = ceil} : (tensor<2xf32>) -> tensor<2xf32>
    %b = ncnn.binaryop %x, %a {name = "b", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %c = ncnn.binaryop %a, %x {name = "c", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %d = ncnn.binaryop %x, %a {name = "d", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %e = ncnn.binaryop %a, %x {name = "e", op_type = rsub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    func.return %b, %c, %d, %e : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
}
