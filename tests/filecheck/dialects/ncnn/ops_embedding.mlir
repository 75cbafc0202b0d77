// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %tokens = "test.op"() : () -> tensor<7xf32>
%tokens = "test.op"() : () -> tensor<7xf32>
// CHECK-NEXT: %w = ncnn.constant #ncnn.elided : tensor<100x16xf32>
%w = ncnn.constant #ncnn.elided : tensor<100x16xf32>
// CHECK-NEXT: %q = ncnn.constant #ncnn.elided : tensor<100x16xi8>
%q = ncnn.constant #ncnn.elided : tensor<100x16xi8>
// CHECK-NEXT: %b = ncnn.constant #ncnn.elided : tensor<16xf32>
%b = ncnn.constant #ncnn.elided : tensor<16xf32>
// CHECK-NEXT: %s = ncnn.constant dense<[1.270000e+02]> : tensor<1xf32>
%s = ncnn.constant dense<127.0> : tensor<1xf32>

// CHECK-NEXT: %embed = ncnn.embed %tokens weight %w {name = "embed", num_output = 16, input_dim = 100} : (tensor<7xf32>, tensor<100x16xf32>) -> tensor<7x16xf32>
%embed = ncnn.embed %tokens weight %w {name = "embed", num_output = 16, input_dim = 100} : (tensor<7xf32>, tensor<100x16xf32>) -> tensor<7x16xf32>
// CHECK-NEXT: %biased = ncnn.embed %tokens weight %w bias %b {name = "biased", num_output = 16, input_dim = 100} : (tensor<7xf32>, tensor<100x16xf32>, tensor<16xf32>) -> tensor<7x16xf32>
%biased = ncnn.embed %tokens weight %w bias %b {name = "biased", num_output = 16, input_dim = 100} : (tensor<7xf32>, tensor<100x16xf32>, tensor<16xf32>) -> tensor<7x16xf32>
// CHECK-NEXT: %int8 = ncnn.embed %tokens weight %q weight_int8_scale %s {name = "int8", num_output = 16, input_dim = 100, int8_scale_term = 1} : (tensor<7xf32>, tensor<100x16xi8>, tensor<1xf32>) -> tensor<7x16xf32>
%int8 = ncnn.embed %tokens weight %q weight_int8_scale %s {name = "int8", num_output = 16, input_dim = 100, int8_scale_term = 1} : (tensor<7xf32>, tensor<100x16xi8>, tensor<1xf32>) -> tensor<7x16xf32>
