// RUN: INVALID

// Weights whose shape is not what the parameters say.
%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK: Convolution 'conv': weight_data_size 288 is not a multiple of num_output 7 times the kernel 3x3
%y = ncnn.convolution %x weight %w {name = "conv", num_output = 7, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<7x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK: Convolution 'conv': weight 'weight' has shape 8x4x3x3, but the parameters need 8x12x1x3
%y = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, kernel_h = 1} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x9x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x36xf32>
// CHECK: Convolution 'conv': weight 'weight' has shape 8x36, but the parameters need 8x4x3x3
%y = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x36xf32>) -> tensor<8x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
%b = ncnn.constant #ncnn.elided : tensor<4xf32>
// CHECK: Convolution 'conv': weight 'bias' has shape 4, but the parameters need 8
%y = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>, tensor<4xf32>) -> tensor<8x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// CHECK: Deconvolution 'deconv': weight_data_size 36 is not a multiple of num_output 8 times the kernel 3x3
%y = ncnn.deconvolution %x weight %w {name = "deconv", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<4x1x3x3xf32>) -> tensor<8x11x11xf32>

// -----

// No weight, no input.
%x = "test.op"() : () -> tensor<4x9x9xf32>
// CHECK: invalid_convolution.mlir:[[# @LINE + 2]]:74
// CHECK: ncnn.convolution needs the weight 'weight'
%y = ncnn.convolution %x {name = "conv", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>) -> tensor<8x7x7xf32>

// -----

%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK: invalid_convolution.mlir:[[# @LINE + 2]]:81
// CHECK: ncnn.convolution has 1 input, got 0
%y = ncnn.convolution weight %w {name = "conv", num_output = 8, kernel_w = 3} : (tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>

// -----

// int8: scales are there if and only if the parameters say so.
%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xi8>
// CHECK: Convolution 'conv': weight 'weight_int8_scales' is missing
%y = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, int8_scale_term = 2} : (tensor<4x9x9xf32>, tensor<8x4x3x3xi8>) -> tensor<8x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
%s = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK: Convolution 'conv': weight 'weight_int8_scales' contradicts the parameters
%y = ncnn.convolution %x weight %w weight_int8_scales %s {name = "conv", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<4x1x3x3xi8>
%s = ncnn.constant #ncnn.elided : tensor<1xf32>
// CHECK: ConvolutionDepthWise 'dw': weight 'weight_int8_scales' has shape 1, but the parameters need 4
%y = ncnn.convolutiondepthwise %x weight %w weight_int8_scales %s bottom_int8_scales %s {name = "dw", num_output = 4, kernel_w = 3, group = 4, int8_scale_term = 1} : (tensor<4x9x9xf32>, tensor<4x1x3x3xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<4x1x3x3xi8>
// CHECK: ConvolutionDepthWise 'dw': int8_scale_term must be 0, 1, 2, 101 or 102, not 3
%y = ncnn.convolutiondepthwise %x weight %w {name = "dw", num_output = 4, kernel_w = 3, group = 4, int8_scale_term = 3} : (tensor<4x9x9xf32>, tensor<4x1x3x3xi8>) -> tensor<4x7x7xf32>

// -----

// Groups and windows.
%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x1x3x3xf32>
// CHECK: ConvolutionDepthWise 'dw': group 3 does not divide num_output 8
%y = ncnn.convolutiondepthwise %x weight %w {name = "dw", num_output = 8, kernel_w = 3, group = 3} : (tensor<4x9x9xf32>, tensor<8x1x3x3xf32>) -> tensor<8x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x1x3xf32>
// CHECK: DeconvolutionDepthWise1D 'dw': group is 0, less than 1
%y = ncnn.deconvolutiondepthwise1d %x weight %w {name = "dw", num_output = 8, kernel_w = 3, group = 0} : (tensor<4x9xf32>, tensor<8x1x3xf32>) -> tensor<8x11xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK: Convolution 'conv': stride_h is 0, less than 1
%y = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, stride_h = 0} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x5x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3x3xf32>
// CHECK: Convolution3D 'conv': dilation_d is -1, less than 1
%y = ncnn.convolution3d %x weight %w {name = "conv", num_output = 8, kernel_w = 3, dilation_d = -1} : (tensor<4x5x9x9xf32>, tensor<8x4x3x3x3xf32>) -> tensor<8x3x7x7xf32>

// -----

// Activations.
%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK: invalid_convolution.mlir:[[# @LINE + 2]]:100
// CHECK: Expected integer literal or one of none, relu, leakyrelu, clip, sigmoid, mish, hardswish
%y = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, activation_type = gelu} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK: Convolution 'conv': 1 activation_params, but the activation needs 2
%y = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, activation_type = clip, activation_params = [6.0]} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK: invalid_convolution.mlir:[[# @LINE + 2]]:102
// CHECK: '[' expected
%y = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, activation_params = 0.1} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK: DeformableConv2D 'deformable': 1 inputs, but the layer has 2 to 3
%y = ncnn.deformableconv2d %x weight %w {name = "deformable", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>
