// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-convolutiondepthwise-mul %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Another layer: not what this pass is for.
func.func @of_a_convolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// Another layer: not what this pass is for.
func.func @of_a_convolutiondepthwise1d(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %w = ncnn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise1d %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x5xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x5xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  func.return %z : tensor<2x5xf32>
}

// Another layer: not what this pass is for.
func.func @of_a_deconvolutiondepthwise(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// The layer applies an activation before.
func.func @fused_activation(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2, activation_type = sigmoid} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// Another layer is between.
func.func @activation_between(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %a = ncnn.convolutiondepthwise %x weight %w bias %b {name = "a", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.tanh %a {name = "y"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// Somebody else needs the value between as it is.
func.func @second_consumer(%x: tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %other = ncnn.absval %y {name = "other"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z, %other : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// The model gives the value between out.
func.func @returned(%x: tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z, %y : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// The two may not be treated alike.
func.func @other_features(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul, featmask = 1} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// A parameter of which nothing is known.
func.func @unknown_parameter(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2, extra = {"27" = 5 : i32}} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// int8 weights are seen through scales.
func.func @int8(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %si = ncnn.constant dense<64.0> : tensor<1xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %y = ncnn.convolutiondepthwise %x weight %w weight_int8_scales %si bottom_int8_scales %so {name = "y", num_output = 2, kernel_w = 1, group = 2, int8_scale_term = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// The weight is a blob.
func.func @dynamic_weight(%x: tensor<2x1x1xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32> {
  %y = ncnn.convolutiondepthwise %x weight %w {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// The weight is a MemoryData: a blob, too.
func.func @memory_data_weight(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant {name = "w"} dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.convolutiondepthwise %x weight %w {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// There are no values.
func.func @elided_weight(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// There are no values.
func.func @elided_bias(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant #ncnn.elided : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// No constant.
func.func @two_blobs(%x: tensor<2x1x1xf32>, %r: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.binaryop %y, %r {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// A vector of another length is for w, and widens the blob.
func.func @grows(%x: tensor<2x1x1xf32>) -> tensor<2x1x3xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x1xf32>, tensor<3xf32>) -> tensor<2x1x3xf32>
  func.return %z : tensor<2x1x3xf32>
}

// A BatchNorm: another pass.
func.func @batchnorm(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// Nothing finite divides by 0.
func.func @div_by_zero(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[4.0, 0.0]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = div} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// c / x is not linear in x.
func.func @rdiv(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %c = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %z = ncnn.binaryop %c, %y {name = "z", op_type = div} : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}

// 3e38 * 20 is infinite in float32.
func.func @infinite(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolutiondepthwise %x weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, group = 2} : (tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 3.0e38} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %z : tensor<2x1x1xf32>
}
