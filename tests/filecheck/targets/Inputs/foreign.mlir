func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = "test.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
