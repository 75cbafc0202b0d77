func.func @main(%x: tensor<8xf32> {ncnn.blob = "x"}) -> tensor<8xf32> {
  %y = ncnn.relu %x {name = "r"} : (tensor<8xf32>) -> tensor<8xf32> loc("net.param":8:1)
  %z = ncnn.unaryop %y {name = "op", op_type = 28} : (tensor<8xf32>) -> tensor<8xf32> loc("net.param":9:1)
  func.return %z : tensor<8xf32>
}
