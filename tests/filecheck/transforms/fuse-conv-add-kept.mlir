// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-conv-add %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// 4 values, 2 channels: they are for the columns.
func.func @along_w(%x: tensor<1x3x4xf32>) -> tensor<2x3x4xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0, 1.0, 2.0]> : tensor<4xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x3x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %add = ncnn.binaryop %conv, %s {name = "add", op_type = add} : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  func.return %add : tensor<2x3x4xf32>
}

// Of a blob of unknown dims nobody knows what the constant is broadcast along.
func.func @unknown_rank(%x: tensor<*xf32>) -> tensor<*xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<*xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<*xf32>
  %add = ncnn.binaryop %conv, %s {name = "add", op_type = add} : (tensor<*xf32>, tensor<2xf32>) -> tensor<*xf32>
  func.return %add : tensor<*xf32>
}

// A blob is no constant.
func.func @residual(%x: tensor<1x1x1xf32>, %r: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %add = ncnn.binaryop %conv, %r {name = "add", op_type = add} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %add : tensor<2x1x1xf32>
}

// One layer, but two uses.
func.func @twice_itself(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %add = ncnn.binaryop %conv, %conv {name = "add", op_type = add} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %add : tensor<2x1x1xf32>
}

// An Eltwise takes blobs of one shape: a sum of two of them.
func.func @eltwise(%x: tensor<1x1x1xf32>, %r: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %eltwise = ncnn.eltwise %conv, %r {name = "eltwise", op_type = sum} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %eltwise : tensor<2x1x1xf32>
}

// The convolution applies an activation before.
func.func @fused_activation(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias : tensor<2x1x1xf32>
}

// Somebody else needs the convolution's blob as it is.
func.func @second_consumer(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %absval = ncnn.absval %conv {name = "absval"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %bias, %absval : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// The model gives it out.
func.func @returned(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias, %conv : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// An int8 layer adds its bias between the scales.
func.func @int8(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %conv = ncnn.convolution %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so {name = "conv", num_output = 2, kernel_w = 1, int8_scale_term = 2} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias : tensor<2x1x1xf32>
}

// With a weight that is a blob, the bias would have to be one, too.
func.func @dynamic_weight(%x: tensor<1x1x1xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32> {
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias : tensor<2x1x1xf32>
}

// There are no values to add to.
func.func @elided_bias(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant #ncnn.elided : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias : tensor<2x1x1xf32>
}

// 3 summands for 2 channels.
func.func @other_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0, 1.0]> : tensor<3xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias"} : (tensor<2x1x1xf32>, tensor<3xf32>) -> tensor<2x1x1xf32>
  func.return %bias : tensor<2x1x1xf32>
}

// The runtime is told to treat the two layers differently.
func.func @other_features(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bias = ncnn.bias %conv bias %s {name = "bias", featmask = 2} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias : tensor<2x1x1xf32>
}

// fuse-conv-mul does that.
func.func @factor(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// So many channels of a weight without values, and no bias yet.
func.func @claimed(%x: tensor<1x5x5xf32>) -> tensor<16777216x5x5xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<16777216x1x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 16777216, kernel_w = 1} : (tensor<1x5x5xf32>, tensor<16777216x1x1x1xf32>) -> tensor<16777216x5x5xf32>
  %s = ncnn.binaryop %c {name = "s", op_type = add, with_scalar = 1, b = 2.0} : (tensor<16777216x5x5xf32>) -> tensor<16777216x5x5xf32>
  func.return %s : tensor<16777216x5x5xf32>
}
