// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-1d-with-2d %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Few columns: the Reshapes take longer than what is gained.
func.func @few(%x: tensor<4x20xf32>) -> tensor<4x20xf32> {
  %w = ncnn.constant dense<1.0> : tensor<4x1x3xf32>
  %y = ncnn.convolutiondepthwise1d %x weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = 1, group = 4} : (tensor<4x20xf32>, tensor<4x1x3xf32>) -> tensor<4x20xf32>
  func.return %y : tensor<4x20xf32>
}

// Channels that are not kept together: no vectors in two dims either.
func.func @lanes(%x: tensor<5x2000xf32>) -> tensor<5x2000xf32> {
  %w = ncnn.constant dense<1.0> : tensor<5x1x3xf32>
  %y = ncnn.convolutiondepthwise1d %x weight %w {name = "y", num_output = 5, kernel_w = 3, pad_left = 1, group = 5} : (tensor<5x2000xf32>, tensor<5x1x3xf32>) -> tensor<5x2000xf32>
  func.return %y : tensor<5x2000xf32>
}

// Groups of two channels.
func.func @groups(%x: tensor<4x2000xf32>) -> tensor<4x2000xf32> {
  %w = ncnn.constant dense<1.0> : tensor<4x2x2xf32>
  %y = ncnn.convolutiondepthwise1d %x weight %w {name = "y", num_output = 4, kernel_w = 2, pad_left = 1, pad_right = 0, group = 2} : (tensor<4x2000xf32>, tensor<4x2x2xf32>) -> tensor<4x2000xf32>
  func.return %y : tensor<4x2000xf32>
}

// The extent that is wanted says what is cut off.
func.func @wanted(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x2x4xf32>
  %y = ncnn.deconvolution1d %x weight %w {name = "y", num_output = 2, kernel_w = 4, stride_w = 2, pad_left = -233, pad_right = -233, output_w = 100} : (tensor<2x?xf32>, tensor<2x2x4xf32>) -> tensor<2x?xf32>
  func.return %y : tensor<2x?xf32>
}

// Float16 does not hold the weights, as the layer in two dims has them on arm.
func.func @precision(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %w = ncnn.constant dense<1.0e6> : tensor<2x2x4xf32>
  %y = ncnn.deconvolution1d %x weight %w {name = "y", num_output = 2, kernel_w = 4, stride_w = 2} : (tensor<2x?xf32>, tensor<2x2x4xf32>) -> tensor<2x?xf32>
  func.return %y : tensor<2x?xf32>
}

// A factor that the layer may take over first.
func.func @factor(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x2x4xf32>
  %a = ncnn.deconvolution1d %x weight %w {name = "a", num_output = 2, kernel_w = 4, stride_w = 2} : (tensor<2x?xf32>, tensor<2x2x4xf32>) -> tensor<2x?xf32>
  %y = ncnn.binaryop %a {name = "y", op_type = 2, with_scalar = 1, b = 3.0} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %y : tensor<2x?xf32>
}

// The same of an activation.
func.func @activation(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x2x4xf32>
  %a = ncnn.deconvolution1d %x weight %w {name = "a", num_output = 2, kernel_w = 4, stride_w = 2} : (tensor<2x?xf32>, tensor<2x2x4xf32>) -> tensor<2x?xf32>
  %y = ncnn.relu %a {name = "y"} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %y : tensor<2x?xf32>
}

// The same of another branch.
func.func @branch(%x: tensor<4x2000xf32>) -> tensor<4x2000xf32> {
  %w = ncnn.constant dense<1.0> : tensor<4x1x3xf32>
  %a = ncnn.convolutiondepthwise1d %x weight %w {name = "a", num_output = 4, kernel_w = 3, pad_left = 1, group = 4} : (tensor<4x2000xf32>, tensor<4x1x3xf32>) -> tensor<4x2000xf32>
  %y = ncnn.binaryop %a, %x {name = "y"} : (tensor<4x2000xf32>, tensor<4x2000xf32>) -> tensor<4x2000xf32>
  func.return %y : tensor<4x2000xf32>
}

// The weight is a blob.
func.func @dynamic(%x: tensor<2x?xf32>, %w: tensor<2x2x4xf32>) -> tensor<2x?xf32> {
  %y = ncnn.deconvolution1d %x weight %w {name = "y", num_output = 2, kernel_w = 4, stride_w = 2} : (tensor<2x?xf32>, tensor<2x2x4xf32>) -> tensor<2x?xf32>
  func.return %y : tensor<2x?xf32>
}

// Fast already.
func.func @convolution(%x: tensor<4x2000xf32>) -> tensor<4x2000xf32> {
  %w = ncnn.constant dense<1.0> : tensor<4x4x1xf32>
  %y = ncnn.convolution1d %x weight %w {name = "y", num_output = 4, kernel_w = 1} : (tensor<4x2000xf32>, tensor<4x4x1xf32>) -> tensor<4x2000xf32>
  func.return %y : tensor<4x2000xf32>
}
