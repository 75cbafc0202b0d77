func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32> {ncnn.blob = "out"}, tensor<8xf32> {ncnn.blob = "out"}) {
  func.return %x, %y : tensor<8xf32>, tensor<8xf32>
}
