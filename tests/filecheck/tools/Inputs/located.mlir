func.func @main(%x: tensor<3x?x?xf32> {ncnn.blob = "x"}) -> tensor<3xf32> {
  %y = ncnn.relu %x {name = "r"} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32> loc("net.param":6:1)
  %z = ncnn.reduction %y {name = "mean", operation = mean, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32> loc("net.param":7:1)
  func.return %z : tensor<3xf32>
}
