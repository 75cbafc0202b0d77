// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-conv-activation %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The convolution has one already, and no activation of ncnn is both.
func.func @fused_activation(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1, activation_type = clip, activation_params = [-1.0, 6.0]} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu", slope = 0.1} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// Even the same one: relu(relu(x)) is relu(x), but mish(mish(x)) is not mish(x).
func.func @same_activation(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1, activation_type = mish} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %mish = ncnn.mish %conv {name = "mish"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mish : tensor<2x1x1xf32>
}

// Somebody else needs the convolution's blob as it is.
func.func @second_consumer(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %absval = ncnn.absval %conv {name = "absval"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu, %absval : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// The model gives it out.
func.func @returned(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu, %conv : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// Over 100 the output is quantized after a fused activation, but before a separate one.
func.func @int8_output(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %conv = ncnn.convolution %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so top_int8_scales %so {name = "conv", num_output = 2, kernel_w = 1, int8_scale_term = 102} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// ncnn has no such fused activation.
func.func @tanh(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %tanh = ncnn.tanh %conv {name = "tanh"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %tanh : tensor<2x1x1xf32>
}

// ncnn has no such fused activation.
func.func @elu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %elu = ncnn.elu %conv {name = "elu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %elu : tensor<2x1x1xf32>
}

// ncnn has no such fused activation.
func.func @swish(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %swish = ncnn.swish %conv {name = "swish"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %swish : tensor<2x1x1xf32>
}

// ncnn has no such fused activation.
func.func @hardsigmoid(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %hardsigmoid = ncnn.hardsigmoid %conv {name = "hardsigmoid"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %hardsigmoid : tensor<2x1x1xf32>
}

// ncnn has no such fused activation.
func.func @gelu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %gelu = ncnn.gelu %conv {name = "gelu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %gelu : tensor<2x1x1xf32>
}

// A slope a channel: a leaky ReLU has one.
func.func @prelu(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %s = ncnn.constant dense<[0.1, 0.2]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %prelu = ncnn.prelu %conv slope %s {name = "prelu"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %prelu : tensor<2x1x1xf32>
}

// The runtime is told to treat the two layers differently.
func.func @other_features(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu", featmask = 2} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// Nobody knows what it means.
func.func @unknown_parameter(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu", extra = {"3" = 1 : i32}} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// A MatMul applies none.
func.func @no_host(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %mm = ncnn.matmul %x, %y {name = "mm"} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %relu = ncnn.relu %mm {name = "relu"} : (tensor<3x5xf32>) -> tensor<3x5xf32>
  func.return %relu : tensor<3x5xf32>
}

// fuse-innerproduct-activation does that.
func.func @innerproduct(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %fc {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}
