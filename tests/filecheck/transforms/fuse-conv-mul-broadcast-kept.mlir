// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-conv-mul %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// 4 values, 2 channels: they are for the columns.
func.func @along_w(%x: tensor<1x3x4xf32>) -> tensor<2x3x4xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5, 1.0, 2.0]> : tensor<4xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  func.return %mul : tensor<2x3x4xf32>
}

// The same, said with all dims.
func.func @along_w_3d(%x: tensor<1x3x4xf32>) -> tensor<2x3x4xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[[[3.0, 0.5, 1.0, 2.0]]]> : tensor<1x1x4xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x3x4xf32>, tensor<1x1x4xf32>) -> tensor<2x3x4xf32>
  func.return %mul : tensor<2x3x4xf32>
}

// One row of channels, h different values.
func.func @along_h(%x: tensor<1x3x4xf32>) -> tensor<2x3x4xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[[[3.0], [0.5], [1.0]]]> : tensor<1x3x1xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x3x4xf32>, tensor<1x3x1xf32>) -> tensor<2x3x4xf32>
  func.return %mul : tensor<2x3x4xf32>
}

// A 2-D constant stands for c and h: it has two values for each channel.
func.func @square_2d(%x: tensor<1x2x2xf32>) -> tensor<2x2x2xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[[3.0, 0.5], [1.0, 2.0]]> : tensor<2x2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x2x2xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  func.return %mul : tensor<2x2x2xf32>
}

// Of a blob of unknown dims nobody knows what the constant is broadcast along.
func.func @unknown_rank(%x: tensor<*xf32>) -> tensor<*xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<*xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<*xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<*xf32>, tensor<2xf32>) -> tensor<*xf32>
  func.return %mul : tensor<*xf32>
}

// A constant of more dims makes a blob of more dims.
func.func @more_dims(%x: tensor<1x5xf32>) -> tensor<2x5x1xf32> {
  %w = ncnn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[[[3.0]], [[0.5]]]> : tensor<2x1x1xf32>
  %conv = ncnn.convolution1d %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x5xf32>, tensor<2x1x1xf32>) -> tensor<2x5x1xf32>
  func.return %mul : tensor<2x5x1xf32>
}

// The constant broadcasts the blob, not the other way round.
func.func @grows(%x: tensor<1x1x1xf32>) -> tensor<2x1x3xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[[[3.0, 3.0, 3.0]], [[0.5, 0.5, 0.5]]]> : tensor<2x1x3xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  func.return %mul : tensor<2x1x3xf32>
}

// c / x is not linear in x.
func.func @rdiv(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[2.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %rdiv = ncnn.binaryop %conv, %s {name = "rdiv", op_type = rdiv} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %rdiv : tensor<2x1x1xf32>
}

// Nor is it said that way round.
func.func @div_left(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[2.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %div = ncnn.binaryop %s, %conv {name = "div", op_type = div} : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %div : tensor<2x1x1xf32>
}

// Infinities are what the model says; no weight can say it.
func.func @div_by_zero(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[2.0, 0.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %div = ncnn.binaryop %conv, %s {name = "div", op_type = div} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %div : tensor<2x1x1xf32>
}

// Both are blobs.
func.func @two_blobs(%x: tensor<1x1x1xf32>, %s: tensor<2xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// An integer constant is none of floats.
func.func @int_constant(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3, 1]> : tensor<2xi8>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %s {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xi8>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}
