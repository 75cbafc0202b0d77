// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-affine-linear %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// 0 comes from -1 / 3 in one channel and -20 in the other.
func.func @shift_and_padding(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s_t = ncnn.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// 1 comes from 1 / 3 in one channel and 2 in the other.
func.func @padding_with_a_value(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = 1, pad_value = 1.0} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// 0 comes from nothing.
func.func @padding_and_zero(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.power %x {name = "s", scale = 0.0, shift = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, pad_left = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// At its border the output is of fewer products.
func.func @shift_into_deconvolution(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = add, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 1.0], [1.0, 1.0]]], [[[0.0, 0.0], [0.0, 0.0]], [[2.0, 2.0], [2.0, 2.0]]]]> : tensor<2x2x2x2xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 2} : (tensor<2x?x?xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Between its products the output is only bias.
func.func @shift_into_deconvolution_with_gaps(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = add, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.deconvolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, stride_w = 2} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// What is sampled outside of the blob is 0 and not 2.
func.func @deformable(%x: tensor<2x?x?xf32>, %offset: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = add, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %y = ncnn.deformableconv2d %s, %offset weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Offsets are no blob that it is linear in.
func.func @offset(%x: tensor<2x?x?xf32>, %offset: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %offset {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %y = ncnn.deformableconv2d %x, %s weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// The runtime takes an input of one channel, which the constant makes two.
func.func @constant_may_broadcast(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_c = ncnn.constant dense<[[[3.0]], [[0.5]]]> : tensor<2x1x1xf32>
  %s = ncnn.binaryop %x, %s_c {name = "s", op_type = mul} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Factors for the rows.
func.func @rows(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// An input of 2 x 2 is flattened, but one of 2 x 4 would not be.
func.func @perhaps_rows(%x: tensor<2x2xf32>) -> tensor<2xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<2x2xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// Flattened or rows?
func.func @any_blob(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<*xf32>, tensor<2xf32>) -> tensor<*xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<*xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// 3 factors for 2 channels.
func.func @other_channels(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5, 1.0]> : tensor<3xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<3xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

func.func @not_linear(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.power %x {name = "s", power = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Somebody else needs it.
func.func @second_consumer(%x: tensor<2x?x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x?xf32>) {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %other = ncnn.absval %s {name = "other"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %y, %other : tensor<2x?x?xf32>, tensor<2x?x?xf32>
}

// The model gives it out.
func.func @returned(%x: tensor<2x?x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x?xf32>) {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y, %s : tensor<2x?x?xf32>, tensor<2x?x?xf32>
}

// The two may not be treated alike.
func.func @other_features(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0, featmask = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// A parameter of which nothing is known.
func.func @unknown_parameter(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1, extra = {"27" = 5 : i32}} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// There are no values.
func.func @elided(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant #ncnn.elided : tensor<2x2x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.convolution %s weight %w bias %b {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// The weight is a blob.
func.func @dynamic_weight(%x: tensor<2x?x?xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.convolution %s weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// int8 weights are seen through scales.
func.func @int8(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %y = ncnn.convolution %s weight %w weight_int8_scales %si bottom_int8_scales %so {name = "y", num_output = 2, kernel_w = 1, int8_scale_term = 2} : (tensor<1x?x?xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// The rows of A have a factor each, and B has none for them.
func.func @gemm(%x: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %B = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = ncnn.gemm %s B %B {name = "y", constantB = 1, constantN = 3, constantK = 2} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The runtime has W in float16, and the bias would be made of the exact W: where x and the shift are
// large and their sum is not, as much of the result would be wrong as they are larger.
func.func @shift_before_innerproduct(%x: tensor<4xf32>) -> tensor<2xf32> {
  %s_f = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %s_t = ncnn.constant dense<[1.0, 0.0, 0.0, 10.0]> : tensor<4xf32>
  %s = ncnn.scale %x scale %s_f bias %s_t {name = "s"} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %s weight %w bias %b {name = "y", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// 1e-5 * 1 has three bits in float16.
func.func @too_small_for_float16(%x: tensor<4xf32>) -> tensor<2xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 0.00001} : (tensor<4xf32>) -> tensor<4xf32>
  %w = ncnn.constant dense<[[1.0, 1.0, 0.5, 1.0], [1.0, 0.5, 1.0, 1.0]]> : tensor<2x4xf32>
  %y = ncnn.innerproduct %s weight %w {name = "y", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// One input is so: its weights have the others' size, and 1e-5 * 1 three bits.
func.func @one_too_small_for_float16(%x: tensor<4xf32>) -> tensor<2xf32> {
  %s_f = ncnn.constant dense<[1.0, 1.0, 0.00001, 1.0]> : tensor<4xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %w = ncnn.constant dense<[[1.0, 1.0, 0.5, 1.0], [1.0, 0.5, 1.0, 1.0]]> : tensor<2x4xf32>
  %y = ncnn.innerproduct %s weight %w {name = "y", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
