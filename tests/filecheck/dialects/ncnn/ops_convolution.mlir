// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %s, %x, %v = "test.op"() : () -> (tensor<4x9xf32>, tensor<4x9x9xf32>, tensor<4x5x9x9xf32>)
%s, %x, %v = "test.op"() : () -> (tensor<4x9xf32>, tensor<4x9x9xf32>, tensor<4x5x9x9xf32>)
// CHECK-NEXT: %w1 = ncnn.constant #ncnn.elided : tensor<8x4x3xf32>
%w1 = ncnn.constant #ncnn.elided : tensor<8x4x3xf32>
// CHECK-NEXT: %w2 = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
%w2 = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK-NEXT: %w3 = ncnn.constant #ncnn.elided : tensor<8x4x3x3x3xf32>
%w3 = ncnn.constant #ncnn.elided : tensor<8x4x3x3x3xf32>
// CHECK-NEXT: %d1 = ncnn.constant #ncnn.elided : tensor<4x1x3xf32>
%d1 = ncnn.constant #ncnn.elided : tensor<4x1x3xf32>
// CHECK-NEXT: %d2 = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
%d2 = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
// CHECK-NEXT: %d3 = ncnn.constant #ncnn.elided : tensor<4x1x3x3x3xf32>
%d3 = ncnn.constant #ncnn.elided : tensor<4x1x3x3x3xf32>
// CHECK-NEXT: %b8 = ncnn.constant #ncnn.elided : tensor<8xf32>
%b8 = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT: %b4 = ncnn.constant #ncnn.elided : tensor<4xf32>
%b4 = ncnn.constant #ncnn.elided : tensor<4xf32>

// In 2 dims: a kernel 3 high and 5 wide with everything else; pads that mean SAME.
// CHECK-NEXT: %wide = ncnn.constant #ncnn.elided : tensor<8x4x3x5xf16>
%wide = ncnn.constant #ncnn.elided : tensor<8x4x3x5xf16>
// CHECK-NEXT: %conv = ncnn.convolution %x weight %w2 {name = "conv", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>
%conv = ncnn.convolution %x weight %w2 {name = "conv", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>
// CHECK-NEXT: %full = ncnn.convolution %x weight %wide bias %b8 {name = "full", num_output = 8, kernel_w = 5, stride_w = 2, pad_left = 2, activation_type = clip, activation_params = [0.0, 6.0], kernel_h = 3, dilation_h = 2, stride_h = 1, pad_top = 1, pad_right = 1, pad_bottom = 3, pad_value = -1.0} : (tensor<4x9x9xf32>, tensor<8x4x3x5xf16>, tensor<8xf32>) -> tensor<8x9x4xf32>
%full = ncnn.convolution %x weight %wide bias %b8 {name = "full", num_output = 8, kernel_w = 5, stride_w = 2, pad_left = 2, activation_type = clip, activation_params = [0.0, 6.0], kernel_h = 3, dilation_h = 2, stride_h = 1, pad_top = 1, pad_right = 1, pad_bottom = 3, pad_value = -1.0} : (tensor<4x9x9xf32>, tensor<8x4x3x5xf16>, tensor<8xf32>) -> tensor<8x9x4xf32>
// CHECK-NEXT: %same = ncnn.convolution %x weight %w2 {name = "same", num_output = 8, kernel_w = 3, stride_w = 2, pad_left = -233} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x5x5xf32>
%same = ncnn.convolution %x weight %w2 {name = "same", num_output = 8, kernel_w = 3, stride_w = 2, pad_left = -233} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x5x5xf32>

// int8: scales of the weight, of the input, and over 100 of the output.
// CHECK-NEXT: %q2 = ncnn.constant #ncnn.elided : tensor<8x4x3x3xi8>
%q2 = ncnn.constant #ncnn.elided : tensor<8x4x3x3xi8>
// CHECK-NEXT: %one = ncnn.constant dense<[6.400000e+01]> : tensor<1xf32>
%one = ncnn.constant dense<64.0> : tensor<1xf32>
// CHECK-NEXT: %int8 = ncnn.convolution %x weight %q2 bias %b8 weight_int8_scales %b8 bottom_int8_scales %one {name = "int8", num_output = 8, kernel_w = 3, int8_scale_term = 2} : (tensor<4x9x9xf32>, tensor<8x4x3x3xi8>, tensor<8xf32>, tensor<8xf32>, tensor<1xf32>) -> tensor<8x7x7xf32>
%int8 = ncnn.convolution %x weight %q2 bias %b8 weight_int8_scales %b8 bottom_int8_scales %one {name = "int8", num_output = 8, kernel_w = 3, int8_scale_term = 2} : (tensor<4x9x9xf32>, tensor<8x4x3x3xi8>, tensor<8xf32>, tensor<8xf32>, tensor<1xf32>) -> tensor<8x7x7xf32>
// CHECK-NEXT: %requantized = ncnn.convolution %x weight %q2 weight_int8_scales %b8 bottom_int8_scales %one top_int8_scales %one {name = "requantized", num_output = 8, kernel_w = 3, int8_scale_term = 102} : (tensor<4x9x9xf32>, tensor<8x4x3x3xi8>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x7x7xf32>
%requantized = ncnn.convolution %x weight %q2 weight_int8_scales %b8 bottom_int8_scales %one top_int8_scales %one {name = "requantized", num_output = 8, kernel_w = 3, int8_scale_term = 102} : (tensor<4x9x9xf32>, tensor<8x4x3x3xi8>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x7x7xf32>

// A weight that is a blob of the graph.
// CHECK-NEXT: %weight = "test.op"() : () -> tensor<8x4x3x3xf32>
%weight = "test.op"() : () -> tensor<8x4x3x3xf32>
// CHECK-NEXT: %dynamic = ncnn.convolution %x weight %weight {name = "dynamic", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<?x?x?xf32>
%dynamic = ncnn.convolution %x weight %weight {name = "dynamic", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<?x?x?xf32>

// Groups: depthwise, and two groups of two channels each with a scale a group.
// CHECK-NEXT: %g2 = ncnn.constant #ncnn.elided : tensor<8x2x3x3xi8>
%g2 = ncnn.constant #ncnn.elided : tensor<8x2x3x3xi8>
// CHECK-NEXT: %two = ncnn.constant dense<[6.400000e+01, 3.200000e+01]> : tensor<2xf32>
%two = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
// CHECK-NEXT: %depthwise = ncnn.convolutiondepthwise %x weight %d2 bias %b4 {name = "depthwise", num_output = 4, kernel_w = 3, pad_left = 1, group = 4, activation_type = hardswish, activation_params = [0.2, 0.5]} : (tensor<4x9x9xf32>, tensor<4x1x3x3xf32>, tensor<4xf32>) -> tensor<4x9x9xf32>
%depthwise = ncnn.convolutiondepthwise %x weight %d2 bias %b4 {name = "depthwise", num_output = 4, kernel_w = 3, pad_left = 1, group = 4, activation_type = hardswish, activation_params = [0.2, 0.5]} : (tensor<4x9x9xf32>, tensor<4x1x3x3xf32>, tensor<4xf32>) -> tensor<4x9x9xf32>
// CHECK-NEXT: %grouped = ncnn.convolutiondepthwise %x weight %g2 weight_int8_scales %two bottom_int8_scales %one {name = "grouped", num_output = 8, kernel_w = 3, group = 2, int8_scale_term = 1} : (tensor<4x9x9xf32>, tensor<8x2x3x3xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<8x7x7xf32>
%grouped = ncnn.convolutiondepthwise %x weight %g2 weight_int8_scales %two bottom_int8_scales %one {name = "grouped", num_output = 8, kernel_w = 3, group = 2, int8_scale_term = 1} : (tensor<4x9x9xf32>, tensor<8x2x3x3xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<8x7x7xf32>

// CHECK-NEXT: %conv1d = ncnn.convolution1d %s weight %w1 bias %b8 {name = "conv1d", num_output = 8, kernel_w = 3, dilation_w = 2, pad_left = 2, activation_type = mish, pad_right = 0} : (tensor<4x9xf32>, tensor<8x4x3xf32>, tensor<8xf32>) -> tensor<8x7xf32>
%conv1d = ncnn.convolution1d %s weight %w1 bias %b8 {name = "conv1d", num_output = 8, kernel_w = 3, dilation_w = 2, pad_left = 2, activation_type = mish, pad_right = 0} : (tensor<4x9xf32>, tensor<8x4x3xf32>, tensor<8xf32>) -> tensor<8x7xf32>
// CHECK-NEXT: %depthwise1d = ncnn.convolutiondepthwise1d %s weight %d1 {name = "depthwise1d", num_output = 4, kernel_w = 3, group = 4} : (tensor<4x9xf32>, tensor<4x1x3xf32>) -> tensor<4x7xf32>
%depthwise1d = ncnn.convolutiondepthwise1d %s weight %d1 {name = "depthwise1d", num_output = 4, kernel_w = 3, group = 4} : (tensor<4x9xf32>, tensor<4x1x3xf32>) -> tensor<4x7xf32>
// CHECK-NEXT: %conv3d = ncnn.convolution3d %v weight %w3 bias %b8 {name = "conv3d", num_output = 8, kernel_w = 3, activation_type = leakyrelu, activation_params = [0.1], stride_h = 2, pad_behind = 1, stride_d = 2, pad_front = 2} : (tensor<4x5x9x9xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>) -> tensor<8x3x4x7xf32>
%conv3d = ncnn.convolution3d %v weight %w3 bias %b8 {name = "conv3d", num_output = 8, kernel_w = 3, activation_type = leakyrelu, activation_params = [0.1], stride_h = 2, pad_behind = 1, stride_d = 2, pad_front = 2} : (tensor<4x5x9x9xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>) -> tensor<8x3x4x7xf32>
// CHECK-NEXT: %depthwise3d = ncnn.convolutiondepthwise3d %v weight %d3 {name = "depthwise3d", num_output = 4, kernel_w = 3, group = 4} : (tensor<4x5x9x9xf32>, tensor<4x1x3x3x3xf32>) -> tensor<4x3x7x7xf32>
%depthwise3d = ncnn.convolutiondepthwise3d %v weight %d3 {name = "depthwise3d", num_output = 4, kernel_w = 3, group = 4} : (tensor<4x5x9x9xf32>, tensor<4x1x3x3x3xf32>) -> tensor<4x3x7x7xf32>

// Deconvolutions cut their pads off; extents may be given where pads say SAME.
// CHECK-NEXT: %deconv = ncnn.deconvolution %x weight %w2 bias %b8 {name = "deconv", num_output = 8, kernel_w = 3, stride_w = 2, pad_left = 1, activation_type = relu, output_pad_right = 1} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x18x18xf32>
%deconv = ncnn.deconvolution %x weight %w2 bias %b8 {name = "deconv", num_output = 8, kernel_w = 3, stride_w = 2, pad_left = 1, activation_type = relu, output_pad_right = 1} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x18x18xf32>
// CHECK-NEXT: %sized = ncnn.deconvolution %x weight %w2 {name = "sized", num_output = 8, kernel_w = 3, stride_w = 2, pad_left = -233, output_w = 17, output_h = 18} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x18x17xf32>
%sized = ncnn.deconvolution %x weight %w2 {name = "sized", num_output = 8, kernel_w = 3, stride_w = 2, pad_left = -233, output_w = 17, output_h = 18} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x18x17xf32>
// CHECK-NEXT: %deconvdw = ncnn.deconvolutiondepthwise %x weight %d2 {name = "deconvdw", num_output = 4, kernel_w = 3, group = 4} : (tensor<4x9x9xf32>, tensor<4x1x3x3xf32>) -> tensor<4x11x11xf32>
%deconvdw = ncnn.deconvolutiondepthwise %x weight %d2 {name = "deconvdw", num_output = 4, kernel_w = 3, group = 4} : (tensor<4x9x9xf32>, tensor<4x1x3x3xf32>) -> tensor<4x11x11xf32>
// CHECK-NEXT: %deconv1d = ncnn.deconvolution1d %s weight %w1 {name = "deconv1d", num_output = 8, kernel_w = 3, output_pad_right = 1} : (tensor<4x9xf32>, tensor<8x4x3xf32>) -> tensor<8x12xf32>
%deconv1d = ncnn.deconvolution1d %s weight %w1 {name = "deconv1d", num_output = 8, kernel_w = 3, output_pad_right = 1} : (tensor<4x9xf32>, tensor<8x4x3xf32>) -> tensor<8x12xf32>
// CHECK-NEXT: %deconvdw1d = ncnn.deconvolutiondepthwise1d %s weight %d1 bias %b4 {name = "deconvdw1d", num_output = 4, kernel_w = 3, group = 4, activation_type = sigmoid} : (tensor<4x9xf32>, tensor<4x1x3xf32>, tensor<4xf32>) -> tensor<4x11xf32>
%deconvdw1d = ncnn.deconvolutiondepthwise1d %s weight %d1 bias %b4 {name = "deconvdw1d", num_output = 4, kernel_w = 3, group = 4, activation_type = sigmoid} : (tensor<4x9xf32>, tensor<4x1x3xf32>, tensor<4xf32>) -> tensor<4x11xf32>
// CHECK-NEXT: %deconv3d = ncnn.deconvolution3d %v weight %w3 {name = "deconv3d", num_output = 8, kernel_w = 3, output_pad_right = 1, output_pad_bottom = 0, output_pad_behind = 2, stride_d = 2} : (tensor<4x5x9x9xf32>, tensor<8x4x3x3x3xf32>) -> tensor<8x13x11x12xf32>
%deconv3d = ncnn.deconvolution3d %v weight %w3 {name = "deconv3d", num_output = 8, kernel_w = 3, output_pad_right = 1, output_pad_bottom = 0, output_pad_behind = 2, stride_d = 2} : (tensor<4x5x9x9xf32>, tensor<8x4x3x3x3xf32>) -> tensor<8x13x11x12xf32>
// CHECK-NEXT: %deconvdw3d = ncnn.deconvolutiondepthwise3d %v weight %d3 {name = "deconvdw3d", num_output = 4, kernel_w = 3, group = 4} : (tensor<4x5x9x9xf32>, tensor<4x1x3x3x3xf32>) -> tensor<4x7x11x11xf32>
%deconvdw3d = ncnn.deconvolutiondepthwise3d %v weight %d3 {name = "deconvdw3d", num_output = 4, kernel_w = 3, group = 4} : (tensor<4x5x9x9xf32>, tensor<4x1x3x3x3xf32>) -> tensor<4x7x11x11xf32>

// All that a window in 3 dims has.
// CHECK-NEXT: %wa = ncnn.constant #ncnn.elided : tensor<8x4x1x2x3xf32>
%wa = ncnn.constant #ncnn.elided : tensor<8x4x1x2x3xf32>
// CHECK-NEXT: %all3d = ncnn.convolution3d %v weight %wa {name = "all3d", num_output = 8, kernel_w = 3, dilation_w = 2, stride_w = 2, pad_left = 1, activation_type = relu, kernel_h = 2, dilation_h = 3, stride_h = 1, pad_top = 3, pad_right = 2, pad_bottom = 4, pad_behind = 6, pad_value = 0.5, kernel_d = 1, dilation_d = 1, stride_d = 3, pad_front = 5} : (tensor<4x5x9x9xf32>, tensor<8x4x1x2x3xf32>) -> tensor<8x6x13x4xf32>
%all3d = ncnn.convolution3d %v weight %wa {name = "all3d", num_output = 8, kernel_w = 3, dilation_w = 2, stride_w = 2, pad_left = 1, activation_type = relu, kernel_h = 2, dilation_h = 3, stride_h = 1, pad_top = 3, pad_right = 2, pad_bottom = 4, pad_behind = 6, pad_value = 0.5, kernel_d = 1, dilation_d = 1, stride_d = 3, pad_front = 5} : (tensor<4x5x9x9xf32>, tensor<8x4x1x2x3xf32>) -> tensor<8x6x13x4xf32>
// CHECK-NEXT: %alldeconv3d = ncnn.deconvolution3d %v weight %wa {name = "alldeconv3d", num_output = 8, kernel_w = 3, dilation_w = 2, stride_w = 2, pad_left = 1, activation_type = relu, kernel_h = 2, dilation_h = 3, stride_h = 1, pad_top = 3, pad_right = 2, pad_bottom = 4, pad_behind = 6, output_pad_right = 1, output_pad_bottom = 2, output_pad_behind = 3, kernel_d = 1, dilation_d = 1, stride_d = 3, pad_front = 5} : (tensor<4x5x9x9xf32>, tensor<8x4x1x2x3xf32>) -> tensor<8x5x7x19xf32>
%alldeconv3d = ncnn.deconvolution3d %v weight %wa {name = "alldeconv3d", num_output = 8, kernel_w = 3, dilation_w = 2, stride_w = 2, pad_left = 1, activation_type = relu, kernel_h = 2, dilation_h = 3, stride_h = 1, pad_top = 3, pad_right = 2, pad_bottom = 4, pad_behind = 6, output_pad_right = 1, output_pad_bottom = 2, output_pad_behind = 3, kernel_d = 1, dilation_d = 1, stride_d = 3, pad_front = 5} : (tensor<4x5x9x9xf32>, tensor<8x4x1x2x3xf32>) -> tensor<8x5x7x19xf32>
// CHECK-NEXT: %sized3d = ncnn.deconvolutiondepthwise3d %v weight %d3 {name = "sized3d", num_output = 4, kernel_w = 3, stride_w = 2, pad_left = -233, group = 4, output_w = 17, output_h = 18, output_d = 9} : (tensor<4x5x9x9xf32>, tensor<4x1x3x3x3xf32>) -> tensor<4x9x18x17xf32>
%sized3d = ncnn.deconvolutiondepthwise3d %v weight %d3 {name = "sized3d", num_output = 4, kernel_w = 3, stride_w = 2, pad_left = -233, group = 4, output_w = 17, output_h = 18, output_d = 9} : (tensor<4x5x9x9xf32>, tensor<4x1x3x3x3xf32>) -> tensor<4x9x18x17xf32>

// CHECK-NEXT: %offset, %mask = "test.op"() : () -> (tensor<18x9x9xf32>, tensor<9x9x9xf32>)
%offset, %mask = "test.op"() : () -> (tensor<18x9x9xf32>, tensor<9x9x9xf32>)
// CHECK-NEXT: %deformable = ncnn.deformableconv2d %x, %offset, %mask weight %w2 bias %b8 {name = "deformable", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x9x9xf32>, tensor<18x9x9xf32>, tensor<9x9x9xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x9x9xf32>
%deformable = ncnn.deformableconv2d %x, %offset, %mask weight %w2 bias %b8 {name = "deformable", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x9x9xf32>, tensor<18x9x9xf32>, tensor<9x9x9xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x9x9xf32>

// Defaults: the window along h is as along w, a pad as the one before it, output_h as output_w.
// CHECK-NEXT: %square = ncnn.convolution %x weight %w2 {name = "square", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x9x9xf32>
%square = ncnn.convolution %x weight %w2 {name = "square", num_output = 8, kernel_w = 3, dilation_w = 1, stride_w = 1, pad_left = 1, int8_scale_term = 0, activation_type = none, activation_params = [], kernel_h = 3, dilation_h = 1, stride_h = 1, pad_top = 1, pad_right = 1, pad_bottom = 1, pad_value = 0.0} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x9x9xf32>
// CHECK-NEXT: %ungrouped = ncnn.deconvolutiondepthwise %x weight %w2 {name = "ungrouped", num_output = 8, kernel_w = 3, pad_left = -234, output_w = 9} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x9x9xf32>
%ungrouped = ncnn.deconvolutiondepthwise %x weight %w2 {name = "ungrouped", num_output = 8, kernel_w = 3, group = 1, pad_left = -234, output_w = 9, output_h = 9} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x9x9xf32>
