// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-conv-mul %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The same.
func.func @div_by_zero_scalar(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %div = ncnn.binaryop %conv {name = "div", op_type = div, with_scalar = 1, b = 0.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %div : tensor<2x1x1xf32>
}

// max is not linear.
func.func @max(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %max = ncnn.binaryop %conv, %s {name = "max", op_type = max} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %max : tensor<2x1x1xf32>
}

// min is not linear.
func.func @min(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %min = ncnn.binaryop %conv, %s {name = "min", op_type = min} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %min : tensor<2x1x1xf32>
}

// pow is not linear.
func.func @pow(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %pow = ncnn.binaryop %conv, %s {name = "pow", op_type = pow} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %pow : tensor<2x1x1xf32>
}

// The square is not linear.
func.func @power_2(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %power = ncnn.power %conv {name = "power", power = 2.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %power : tensor<2x1x1xf32>
}

// One layer, but two uses.
func.func @square_of_itself(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %conv {name = "mul", op_type = mul} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// The scale is a blob of the graph.
func.func @scale_by_blob(%x: tensor<1x1x1xf32>, %s: tensor<2xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// A Scale has its own weights or a blob's: this one is a blob.
func.func @scale_by_memory_data(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant {name = "gain"} dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// 3 factors for 2 channels: such a model is damaged, and not ours to mend.
func.func @other_channels(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5, 1.0]> : tensor<3xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<3xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// There are no values.
func.func @elided_factor(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant #ncnn.elided : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// The convolution applies an activation before.
func.func @fused_activation(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, activation_type = sigmoid} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// Somebody else needs the convolution's blob as it is.
func.func @second_consumer(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %absval = ncnn.absval %conv {name = "absval"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %scale, %absval : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// The model gives it out.
func.func @returned(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale, %conv : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// int8 weights are seen through scales.
func.func @int8(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %conv = ncnn.convolution %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so {name = "conv", num_output = 2, kernel_w = 1, int8_scale_term = 2} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// The weight is a blob of the graph.
func.func @dynamic_weight(%x: tensor<1x1x1xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32> {
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %conv scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// The runtime is told to treat the two layers differently.
func.func @other_features(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %dropout = ncnn.dropout %conv {name = "dropout", scale = 0.5, featmask = 2} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %dropout : tensor<2x1x1xf32>
}

// Nobody knows what it means.
func.func @unknown_parameter(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %dropout = ncnn.dropout %conv {name = "dropout", scale = 0.5, extra = {"3" = 1 : i32}} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %dropout : tensor<2x1x1xf32>
}

// fuse-conv-bn does that.
func.func @batchnorm(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %t = ncnn.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %s mean %s var %t bias %s {name = "bn"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// fuse-conv-add does that.
func.func @summand(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %add = ncnn.binaryop %conv {name = "add", op_type = add, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %add : tensor<2x1x1xf32>
}
