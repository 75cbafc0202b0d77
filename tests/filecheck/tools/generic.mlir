// RUN: ncnn-opt --print-op-generic %s | filecheck %s --check-prefix=PROPERTIES
// RUN: ncnn-opt --print-op-generic --print-no-properties %s | filecheck %s --check-prefix=ATTRIBUTES

// In MLIR's generic form parameters are typed, and segment sizes tell the weights apart.
// PROPERTIES: %leaky = "ncnn.relu"(%x) <{name = "leaky", slope = 1.000000e-01 : f32}> : (tensor<4x9x9xf32>) -> tensor<4x9x9xf32>
// PROPERTIES: %w = "ncnn.constant"() <{value = #ncnn.elided}> : () -> tensor<8x4x3x3xf32>
// PROPERTIES: %y = "ncnn.convolution"(%leaky, %w) <{{{.*}}operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>{{.*}}}> : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>
// ATTRIBUTES: %leaky = "ncnn.relu"(%x) {name = "leaky", slope = 1.000000e-01 : f32} : (tensor<4x9x9xf32>) -> tensor<4x9x9xf32>
// ATTRIBUTES: %w = "ncnn.constant"() {value = #ncnn.elided} : () -> tensor<8x4x3x3xf32>
%x = "test.op"() : () -> tensor<4x9x9xf32>
%leaky = ncnn.relu %x {name = "leaky", slope = 0.1} : (tensor<4x9x9xf32>) -> tensor<4x9x9xf32>
%w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
%y = ncnn.convolution %leaky weight %w {name = "conv", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<8x7x7xf32>
