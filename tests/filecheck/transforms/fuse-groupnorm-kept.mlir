// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-groupnorm %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Only rows of a group are normalized.
func.func @rows(%i: tensor<1x3x5xf32>) -> tensor<4x3x5xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
  %r = ncnn.reshape %x {name = "r", w = 5, h = 6, c = 2} : (tensor<4x3x5xf32>) -> tensor<2x6x5xf32>
  %n = ncnn.layernorm %r {name = "n", affine_size = 5} : (tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.reshape %n {name = "y", w = 5, h = 3, c = 4} : (tensor<2x6x5xf32>) -> tensor<4x3x5xf32>
  func.return %y : tensor<4x3x5xf32>
}

// Other channels come out.
func.func @channels(%i: tensor<1x3x5xf32>) -> tensor<2x2x15xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
  %r = ncnn.reshape %x {name = "r", w = 30, h = 2} : (tensor<4x3x5xf32>) -> tensor<2x30xf32>
  %n = ncnn.layernorm %r {name = "n", affine_size = 30} : (tensor<2x30xf32>) -> tensor<2x30xf32>
  %y = ncnn.reshape %n {name = "y", w = 15, h = 2, c = 2} : (tensor<2x30xf32>) -> tensor<2x2x15xf32>
  func.return %y : tensor<2x2x15xf32>
}

// Groups of one and a half channels.
func.func @halves(%i: tensor<1x4x5xf32>) -> tensor<3x4x5xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<3x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 3, kernel_w = 3, pad_left = 1} : (tensor<1x4x5xf32>, tensor<3x1x3x3xf32>) -> tensor<3x4x5xf32>
  %r = ncnn.reshape %x {name = "r", w = -1, h = 2} : (tensor<3x4x5xf32>) -> tensor<2x30xf32>
  %n = ncnn.layernorm %r {name = "n", affine_size = 30} : (tensor<2x30xf32>) -> tensor<2x30xf32>
  %y = ncnn.reshape %n {name = "y", w = 5, h = 4, c = 3} : (tensor<2x30xf32>) -> tensor<3x4x5xf32>
  func.return %y : tensor<3x4x5xf32>
}

// Weights for each element of a group.
func.func @element_weights(%i: tensor<1x1x2xf32>) -> tensor<4x1x2xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x1x2xf32>, tensor<4x1x3x3xf32>) -> tensor<4x1x2xf32>
  %r = ncnn.reshape %x {name = "r", w = -1, h = 2} : (tensor<4x1x2xf32>) -> tensor<2x4xf32>
  %gg = ncnn.constant dense<[2.0, 3.0, 4.0, 5.0]> : tensor<4xf32>
  %bb = ncnn.constant dense<[2.0, 3.0, 4.0, 5.0]> : tensor<4xf32>
  %n = ncnn.layernorm %r gamma %gg beta %bb {name = "n", affine_size = 4} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %y = ncnn.reshape %n {name = "y", w = 2, h = 1, c = 4} : (tensor<2x4xf32>) -> tensor<4x1x2xf32>
  func.return %y : tensor<4x1x2xf32>
}

// How many channels there are is up to the input.
func.func @uncertain(%x: tensor<4x3x5xf32>) -> tensor<4x3x5xf32> {
  %r = ncnn.reshape %x {name = "r", w = -1, h = 2} : (tensor<4x3x5xf32>) -> tensor<2x30xf32>
  %n = ncnn.layernorm %r {name = "n", affine_size = 30} : (tensor<2x30xf32>) -> tensor<2x30xf32>
  %y = ncnn.reshape %n {name = "y", w = 5, h = 3, c = 4} : (tensor<2x30xf32>) -> tensor<4x3x5xf32>
  func.return %y : tensor<4x3x5xf32>
}

// Somebody else reads the groups.
func.func @second_consumer(%i: tensor<1x3x5xf32>) -> (tensor<4x3x5xf32>, tensor<2x30xf32>) {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
  %r = ncnn.reshape %x {name = "r", w = -1, h = 2} : (tensor<4x3x5xf32>) -> tensor<2x30xf32>
  %n = ncnn.layernorm %r {name = "n", affine_size = 30} : (tensor<2x30xf32>) -> tensor<2x30xf32>
  %y = ncnn.reshape %n {name = "y", w = 5, h = 3, c = 4} : (tensor<2x30xf32>) -> tensor<4x3x5xf32>
  %z = ncnn.absval %n {name = "z"} : (tensor<2x30xf32>) -> tensor<2x30xf32>
  func.return %y, %z : tensor<4x3x5xf32>, tensor<2x30xf32>
}

// How many groups there are, the input's extents decide.
func.func @any_groups(%i: tensor<1x3x5xf32>) -> tensor<4x3x5xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
  %r = ncnn.reshape %x {name = "r", w = 30, h = -1} : (tensor<4x3x5xf32>) -> tensor<2x30xf32>
  %n = ncnn.layernorm %r {name = "n", affine_size = 30} : (tensor<2x30xf32>) -> tensor<2x30xf32>
  %y = ncnn.reshape %n {name = "y", w = 5, h = 3, c = 4} : (tensor<2x30xf32>) -> tensor<4x3x5xf32>
  func.return %y : tensor<4x3x5xf32>
}
