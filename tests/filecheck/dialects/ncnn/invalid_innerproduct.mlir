// RUN: INVALID

%x = "test.op"() : () -> tensor<6xf32>
%w = ncnn.constant #ncnn.elided : tensor<4x6xf32>
// CHECK: InnerProduct 'fc': weight_data_size 24 is not a multiple of num_output 0
%y = ncnn.innerproduct %x weight %w {name = "fc"} : (tensor<6xf32>, tensor<4x6xf32>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<6xf32>
%w = ncnn.constant #ncnn.elided : tensor<6x4xf32>
// CHECK: InnerProduct 'fc': weight 'weight' has shape 6x4, but the parameters need 4x6
%y = ncnn.innerproduct %x weight %w {name = "fc", num_output = 4} : (tensor<6xf32>, tensor<6x4xf32>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<6xf32>
%w = ncnn.constant #ncnn.elided : tensor<4x6xi8>
%s = ncnn.constant #ncnn.elided : tensor<4xf32>
// CHECK: InnerProduct 'fc': weight 'bottom_int8_scales' has shape 4, but the parameters need 1
%y = ncnn.innerproduct %x weight %w weight_int8_scales %s bottom_int8_scales %s {name = "fc", num_output = 4, int8_scale_term = 1} : (tensor<6xf32>, tensor<4x6xi8>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<6xf32>
%w = ncnn.constant #ncnn.elided : tensor<4x6xf32>
// CHECK: InnerProduct 'fc': 0 activation_params, but the activation needs 1
%y = ncnn.innerproduct %x weight %w {name = "fc", num_output = 4, activation_type = leakyrelu} : (tensor<6xf32>, tensor<4x6xf32>) -> tensor<4xf32>

// -----

// The type of the operands is the type of the values.
%x = "test.op"() : () -> tensor<6xf32>
%w = ncnn.constant #ncnn.elided : tensor<4x6xf32>
// CHECK: invalid_innerproduct.mlir:[[# @LINE + 2]]:34
// CHECK: operand is used with type tensor<4x6xf16>, but has been previously used or defined with type tensor<4x6xf32>
%y = ncnn.innerproduct %x weight %w {name = "fc", num_output = 4} : (tensor<6xf32>, tensor<4x6xf16>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<6xf32>
%w = ncnn.constant #ncnn.elided : tensor<4x6xf32>
// CHECK: invalid_innerproduct.mlir:[[# @LINE + 2]]:69
// CHECK: expected 1 operand types but had 2
%y = ncnn.innerproduct %x weight %w {name = "fc", num_output = 4} : (tensor<6xf32>) -> tensor<4xf32>
