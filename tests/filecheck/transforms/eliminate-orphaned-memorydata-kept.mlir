// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-orphaned-memorydata %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// A layer uses it; a layer that nothing uses does; it is an output.
func.func @used(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %k = ncnn.constant {name = "k"} dense<[1.0, 2.0]> : tensor<2xf32>
  %a = ncnn.binaryop %x, %k {name = "a", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %l = ncnn.constant {name = "l"} dense<[1.0, 2.0]> : tensor<2xf32>
  %b = ncnn.relu %l {name = "b"} : (tensor<2xf32>) -> tensor<2xf32>
  %m = ncnn.constant {name = "m"} dense<[1.0, 2.0]> : tensor<2xf32>
  func.return %a, %m : tensor<2xf32>, tensor<2xf32>
}

// eliminate-dead-layers does that.
func.func @dead(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = ncnn.tanh %x {name = "a"} : (tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c : tensor<2xf32>
}
