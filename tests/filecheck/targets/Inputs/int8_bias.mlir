func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %b = ncnn.constant dense<1> : tensor<8xi8>
  %y = ncnn.bias %x bias %b {name = "bias"} : (tensor<8xf32>, tensor<8xi8>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
