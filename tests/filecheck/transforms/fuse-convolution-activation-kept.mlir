// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-convolution-activation %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Another layer: not what this pass is for.
func.func @of_a_convolutiondepthwise(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.hardswish %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// Another layer: not what this pass is for.
func.func @of_a_deconvolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.hardswish %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// ReLU, then HardSwish: no activation of ncnn is both.
func.func @fused_activation(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.hardswish %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// Another layer is between.
func.func @activation_between(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %a = ncnn.convolution %x weight %w bias %b {name = "a", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.tanh %a {name = "y"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.hardswish %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// Somebody else needs the value between as it is.
func.func @second_consumer(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.hardswish %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %other = ncnn.absval %y {name = "other"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z, %other : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// The model gives the value between out.
func.func @returned(%x: tensor<1x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.hardswish %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z, %y : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// The two may not be treated alike.
func.func @other_features(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.hardswish %y {name = "z", featmask = 1} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// A parameter of which nothing is known.
func.func @unknown_parameter(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, extra = {"27" = 5 : i32}} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.hardswish %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// The larger of two blobs.
func.func @two_blobs(%x: tensor<1x1x1xf32>, %r: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.binaryop %y, %r {name = "z", op_type = max} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// The output is quantized before the ReLU.
func.func @int8_output(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %st = ncnn.constant dense<100.0> : tensor<1xf32>
  %y = ncnn.convolution %x weight %w weight_int8_scales %si bottom_int8_scales %so top_int8_scales %st {name = "y", num_output = 2, kernel_w = 1, int8_scale_term = 101} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.relu %y {name = "z"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// A Clip from -3.4e38 on would make an infinity of the other sign finite.
func.func @min(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolution %x weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = min, with_scalar = 1, b = 6.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}
