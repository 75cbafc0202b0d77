// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --repair-cast %s | diff %t.before -

// Of an input: it may be a cast to integers.
func.func @input(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = ncnn.custom "Tensor.to"(%x) {name = "t"} : (tensor<4xf32>) -> tensor<*xf32>
  %y = ncnn.relu %t {name = "y"} : (tensor<*xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Of a maximum, as well.
func.func @positions(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %m = ncnn.reduction %x {name = "m", operation = max, axes = [0], fixbug0 = 1, reduce_all = 0} : (tensor<4x4xf32>) -> tensor<4xf32>
  %t = ncnn.custom "Tensor.to"(%m) {name = "t"} : (tensor<4xf32>) -> tensor<*xf32>
  %y = ncnn.relu %t {name = "y"} : (tensor<*xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// For a product, an output, or a layer that PyTorch computes of integers, too: a cast to integers
// in front of them rounds.
func.func @rounded(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<*xf32>) {
  %s = ncnn.softmax %x {name = "s", axis = 0, fixbug0 = 1} : (tensor<4xf32>) -> tensor<4xf32>
  %t = ncnn.custom "Tensor.to"(%s) {name = "t"} : (tensor<4xf32>) -> tensor<*xf32>
  %y = ncnn.binaryop %t {name = "y", op_type = mul, with_scalar = 1, b = 255.0} : (tensor<*xf32>) -> tensor<4xf32>
  %u = ncnn.custom "Tensor.to"(%s) {name = "u"} : (tensor<4xf32>) -> tensor<*xf32>
  %z = ncnn.sigmoid %u {name = "z"} : (tensor<*xf32>) -> tensor<4xf32>
  %v = ncnn.custom "Tensor.to"(%s) {name = "v"} : (tensor<4xf32>) -> tensor<*xf32>
  func.return %y, %z, %v : tensor<4xf32>, tensor<4xf32>, tensor<*xf32>
}

// Of one reader that may take integers beside one that does not.
func.func @beside(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = ncnn.softmax %x {name = "s", axis = 0, fixbug0 = 1} : (tensor<4xf32>) -> tensor<4xf32>
  %t = ncnn.custom "Tensor.to"(%s) {name = "t"} : (tensor<4xf32>) -> tensor<*xf32>
  %y = ncnn.gelu %t {name = "y"} : (tensor<*xf32>) -> tensor<4xf32>
  %z = ncnn.relu %t {name = "z"} : (tensor<*xf32>) -> tensor<4xf32>
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// For an Embed, which takes integers.
func.func @embedded(%x: tensor<4xf32>) -> tensor<4x2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<3x2xf32>
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<4xf32>) -> tensor<4xf32>
  %t = ncnn.custom "Tensor.to"(%s) {name = "t"} : (tensor<4xf32>) -> tensor<*xf32>
  %y = ncnn.embed %t weight %w {name = "y", num_output = 2, input_dim = 3} : (tensor<*xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

// Another operator.
func.func @expand(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<4xf32>) -> tensor<4xf32>
  %t = ncnn.custom "Tensor.expand"(%s) {name = "t"} : (tensor<4xf32>) -> tensor<*xf32>
  %y = ncnn.relu %t {name = "y"} : (tensor<*xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
