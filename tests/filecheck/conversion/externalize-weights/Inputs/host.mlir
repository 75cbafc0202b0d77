func.func @main(%x: tensor<40xf32> {ncnn.blob = "x"}) -> (tensor<*xf32> {ncnn.blob = "y"}) {
  %relu = ncnn.relu %x {name = "relu"} : (tensor<40xf32>) -> tensor<40xf32>
  %y = ncnn.argmax %relu {name = "best", topk = 3} : (tensor<40xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
