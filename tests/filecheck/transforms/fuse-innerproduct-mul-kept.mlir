// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-innerproduct-mul %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// On a 2-D blob a 1-D constant of 2 may be for the rows or for the outputs; here for the outputs,
// but which axis has them is only told by the InnerProduct's input.
func.func @rows(%x: tensor<7x3xf32>) -> tensor<7x2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<7x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<7x2xf32>
  %mul = ncnn.binaryop %fc, %s {name = "mul", op_type = mul} : (tensor<7x2xf32>, tensor<2xf32>) -> tensor<7x2xf32>
  func.return %mul : tensor<7x2xf32>
}

// 2 rows of 2 outputs: the constant is for the rows.
func.func @square_rows(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %mul = ncnn.binaryop %fc, %s {name = "mul", op_type = mul} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %mul : tensor<2x2xf32>
}

// A Scale of a 2-D blob is for its rows.
func.func @scale_of_rows(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %scale = ncnn.scale %fc scale %s {name = "scale"} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %scale : tensor<2x2xf32>
}

// The constant makes a matrix of the vector.
func.func @grows(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %mul = ncnn.binaryop %fc, %s {name = "mul", op_type = mul} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %mul : tensor<2x3xf32>
}

// c / x is not linear in x.
func.func @rdiv(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %rdiv = ncnn.binaryop %fc, %s {name = "rdiv", op_type = rdiv} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %rdiv : tensor<2xf32>
}

// No weight is infinite.
func.func @div_by_zero(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[2.0, 0.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %div = ncnn.binaryop %fc, %s {name = "div", op_type = div} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %div : tensor<2xf32>
}

// max is not linear.
func.func @max(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %max = ncnn.binaryop %fc {name = "max", op_type = max, with_scalar = 1, b = 4.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %max : tensor<2xf32>
}

// The InnerProduct applies an activation before.
func.func @fused_activation(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2, activation_type = mish} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %mul = ncnn.binaryop %fc {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %mul : tensor<2xf32>
}

// Somebody else needs the blob as it is.
func.func @second_consumer(%x: tensor<3xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %mul = ncnn.binaryop %fc {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2xf32>) -> tensor<2xf32>
  %absval = ncnn.absval %fc {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %mul, %absval : tensor<2xf32>, tensor<2xf32>
}

// int8 weights are seen through scales.
func.func @int8(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so {name = "fc", num_output = 2, int8_scale_term = 2} : (tensor<3xf32>, tensor<2x3xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %mul = ncnn.binaryop %fc {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %mul : tensor<2xf32>
}

// fuse-conv-mul does that.
func.func @convolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mul : tensor<2x1x1xf32>
}

// The runtime has the weights in float16, where 1e-5 * 1 has three bits …
func.func @too_small_for_float16(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %mul = ncnn.binaryop %fc {name = "mul", op_type = mul, with_scalar = 1, b = 0.00001} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %mul : tensor<2xf32>
}

// … for one of the outputs, which is as good as any …
func.func @one_too_small_for_float16(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %s = ncnn.constant dense<[1.0, 0.000001]> : tensor<2xf32>
  %mul = ncnn.binaryop %fc, %s {name = "mul", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %mul : tensor<2xf32>
}

// … and 1e6 * 1 is infinite.
func.func @too_large_for_float16(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %mul = ncnn.binaryop %fc {name = "mul", op_type = mul, with_scalar = 1, b = 1000000.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %mul : tensor<2xf32>
}

// What was below the normal numbers of float16 must not lose more of itself.
func.func @smaller_still(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0e-5, 2.0e-5, 3.0e-5], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %mul = ncnn.binaryop %fc {name = "mul", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %mul : tensor<2xf32>
}
