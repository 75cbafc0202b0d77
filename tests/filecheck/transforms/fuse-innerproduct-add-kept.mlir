// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-innerproduct-add %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// On a 2-D blob the outermost axis has the rows.
func.func @rows(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %add = ncnn.binaryop %fc, %s {name = "add", op_type = add} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %add : tensor<2x2xf32>
}

// A blob is no constant.
func.func @residual(%x: tensor<3xf32>, %r: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %add = ncnn.binaryop %fc, %r {name = "add", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %add : tensor<2xf32>
}

// The InnerProduct applies an activation before.
func.func @fused_activation(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %add = ncnn.binaryop %fc, %s {name = "add", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %add : tensor<2xf32>
}

// The model gives its blob out.
func.func @returned(%x: tensor<3xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %add = ncnn.binaryop %fc, %s {name = "add", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %add, %fc : tensor<2xf32>, tensor<2xf32>
}

// An int8 layer adds its bias between the scales.
func.func @int8(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so {name = "fc", num_output = 2, int8_scale_term = 2} : (tensor<3xf32>, tensor<2x3xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %add = ncnn.binaryop %fc, %s {name = "add", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %add : tensor<2xf32>
}

// There are no values.
func.func @elided_constant(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant #ncnn.elided : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %add = ncnn.binaryop %fc, %s {name = "add", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %add : tensor<2xf32>
}

// fuse-conv-add does that.
func.func @convolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %add = ncnn.binaryop %conv {name = "add", op_type = add, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %add : tensor<2x1x1xf32>
}
