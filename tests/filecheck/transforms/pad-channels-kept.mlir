// RUN: ncnn-opt --tune x86 %s > %t.before
// RUN: ncnn-opt --tune x86 --pad-channels %s | diff %t.before -

// Nothing here may change, on x86, where more is done than on arm. Each function is one that does, but for one thing.

// A blob of the channels is an output as well.
func.func @result(%x: tensor<1x?x?xf32>) -> (tensor<1x?x?xf32>, tensor<7x?x?xf32>) {
  %w = ncnn.constant dense<[[[[1.0, 1.0]]], [[[2.0, 1.0]]], [[[3.0, 1.0]]], [[[4.0, 1.0]]], [[[5.0, 1.0]]], [[[6.0, 1.0]]], [[[7.0, 1.0]]]]> : tensor<7x1x1x2xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %s = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]]]> : tensor<7x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
  %a = ncnn.binaryop %p, %d {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]]]]> : tensor<1x7x1x1xf32>
  %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y, %d : tensor<1x?x?xf32>, tensor<7x?x?xf32>
}

// What is made of zeros is no finite number.
func.func @infinite(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0, 1.0]]], [[[2.0, 1.0]]], [[[3.0, 1.0]]], [[[4.0, 1.0]]], [[[5.0, 1.0]]], [[[6.0, 1.0]]], [[[7.0, 1.0]]]]> : tensor<7x1x1x2xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %s = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]]]> : tensor<7x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
  %l = ncnn.log %d {name = "l"} : (tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
  %a = ncnn.binaryop %p, %l {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]]]]> : tensor<1x7x1x1xf32>
  %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// Nor is a number over zero.
func.func @scalar(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0, 1.0]]], [[[2.0, 1.0]]], [[[3.0, 1.0]]], [[[4.0, 1.0]]], [[[5.0, 1.0]]], [[[6.0, 1.0]]], [[[7.0, 1.0]]]]> : tensor<7x1x1x2xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %s = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]]]> : tensor<7x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
  %l = ncnn.binaryop %d {name = "l", op_type = rdiv, with_scalar = 1, b = 2.0} : (tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
  %a = ncnn.binaryop %p, %l {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]]]]> : tensor<1x7x1x1xf32>
  %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// A layer mixes the channels.
func.func @mixed(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0, 1.0]]], [[[2.0, 1.0]]], [[[3.0, 1.0]]], [[[4.0, 1.0]]], [[[5.0, 1.0]]], [[[6.0, 1.0]]], [[[7.0, 1.0]]]]> : tensor<7x1x1x2xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %s = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]]]> : tensor<7x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
  %l = ncnn.shufflechannel %d {name = "l", group = 7} : (tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
  %a = ncnn.binaryop %p, %l {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]]]]> : tensor<1x7x1x1xf32>
  %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// Eight channels are kept together.
func.func @even(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]], [[[8.0]]]]> : tensor<8x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 8, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<8x1x1x1xf32>) -> tensor<8x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[5.0]]], [[[6.0]]], [[[7.0]]], [[[8.0]]]]> : tensor<8x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %c weight %v {name = "d", num_output = 8, kernel_w = 1, group = 8} : (tensor<8x?x?xf32>, tensor<8x1x1x1xf32>) -> tensor<8x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]]]]> : tensor<1x8x1x1xf32>
  %y = ncnn.convolution %d weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<8x?x?xf32>, tensor<1x8x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}

// Of three channels a fourth one is a third more.
func.func @few(%x: tensor<2x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]], [[1.0]]], [[[2.0]], [[1.0]]], [[[3.0]], [[1.0]]]]> : tensor<3x2x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 3, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<3x2x1x1xf32>) -> tensor<3x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]]]> : tensor<3x1x1x1xf32>
  %d = ncnn.convolutiondepthwise %c weight %v {name = "d", num_output = 3, kernel_w = 1, group = 3} : (tensor<3x?x?xf32>, tensor<3x1x1x1xf32>) -> tensor<3x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]]]]> : tensor<1x3x1x1xf32>
  %y = ncnn.convolution %d weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<3x?x?xf32>, tensor<1x3x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}
