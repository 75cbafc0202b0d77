// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %v, %rows = "test.op"() : () -> (tensor<6xf32>, tensor<5x6xf32>)
%v, %rows = "test.op"() : () -> (tensor<6xf32>, tensor<5x6xf32>)
// CHECK-NEXT: %w = ncnn.constant #ncnn.elided : tensor<4x6xf32>
%w = ncnn.constant #ncnn.elided : tensor<4x6xf32>
// CHECK-NEXT: %h = ncnn.constant #ncnn.elided : tensor<4x6xf16>
%h = ncnn.constant #ncnn.elided : tensor<4x6xf16>
// CHECK-NEXT: %q = ncnn.constant #ncnn.elided : tensor<4x6xi8>
%q = ncnn.constant #ncnn.elided : tensor<4x6xi8>
// CHECK-NEXT: %b = ncnn.constant #ncnn.elided : tensor<4xf32>
%b = ncnn.constant #ncnn.elided : tensor<4xf32>
// CHECK-NEXT: %s = ncnn.constant dense<[1.270000e+02]> : tensor<1xf32>
%s = ncnn.constant dense<127.0> : tensor<1xf32>

// CHECK-NEXT: %fc = ncnn.innerproduct %v weight %w {name = "fc", num_output = 4} : (tensor<6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
%fc = ncnn.innerproduct %v weight %w {name = "fc", num_output = 4} : (tensor<6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %batch = ncnn.innerproduct %rows weight %h bias %b {name = "batch", num_output = 4, activation_type = leakyrelu, activation_params = [0.1]} : (tensor<5x6xf32>, tensor<4x6xf16>, tensor<4xf32>) -> tensor<5x4xf32>
%batch = ncnn.innerproduct %rows weight %h bias %b {name = "batch", num_output = 4, activation_type = leakyrelu, activation_params = [0.1]} : (tensor<5x6xf32>, tensor<4x6xf16>, tensor<4xf32>) -> tensor<5x4xf32>
// CHECK-NEXT: %int8 = ncnn.innerproduct %v weight %q bias %b weight_int8_scales %b bottom_int8_scales %s {name = "int8", num_output = 4, int8_scale_term = 2, activation_type = relu} : (tensor<6xf32>, tensor<4x6xi8>, tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
%int8 = ncnn.innerproduct %v weight %q bias %b weight_int8_scales %b bottom_int8_scales %s {name = "int8", num_output = 4, int8_scale_term = 2, activation_type = relu} : (tensor<6xf32>, tensor<4x6xi8>, tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>

// CHECK-NEXT: %none_default = ncnn.innerproduct %v weight %w {name = "none_default", num_output = 4} : (tensor<6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
%none_default = ncnn.innerproduct %v weight %w {name = "none_default", num_output = 4, int8_scale_term = 0, activation_type = none, activation_params = []} : (tensor<6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
