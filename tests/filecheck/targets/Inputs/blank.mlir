func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = ncnn.relu %x {name = "relu 1"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
