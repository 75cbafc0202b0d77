func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = ncnn.constant #ncnn.elided : tensor<8xf32>
  %y = ncnn.prelu %x slope %s {name = "prelu"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
