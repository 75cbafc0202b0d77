func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = ncnn.clip %x {name = "clip", max = inf} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
