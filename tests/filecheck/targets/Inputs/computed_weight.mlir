func.func @main(%x: tensor<6xf32>, %w: tensor<4x6xf32>) -> tensor<4xf32> {
  %y = ncnn.innerproduct %x weight %w {name = "fc", num_output = 4} : (tensor<6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
