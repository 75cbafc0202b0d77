// RUN: INVALID

%x = "test.op"() : () -> tensor<7xf32>
%w = ncnn.constant #ncnn.elided : tensor<16x100xf32>
// CHECK: Embed 'embed': weight 'weight' has shape 16x100, but the parameters need 100x16
%y = ncnn.embed %x weight %w {name = "embed", num_output = 16, input_dim = 100} : (tensor<7xf32>, tensor<16x100xf32>) -> tensor<7x16xf32>

// -----

%x = "test.op"() : () -> tensor<7xf32>
%w = ncnn.constant #ncnn.elided : tensor<100x16xf32>
// CHECK: Embed 'embed': weight_data_size 1600 is not a multiple of num_output 15
%y = ncnn.embed %x weight %w {name = "embed", num_output = 15, input_dim = 100} : (tensor<7xf32>, tensor<100x16xf32>) -> tensor<7x15xf32>

// -----

%x = "test.op"() : () -> tensor<7xf32>
%w = ncnn.constant #ncnn.elided : tensor<100x16xi8>
// CHECK: Embed 'embed': weight 'weight_int8_scale' is missing
%y = ncnn.embed %x weight %w {name = "embed", num_output = 16, input_dim = 100, int8_scale_term = 1} : (tensor<7xf32>, tensor<100x16xi8>) -> tensor<7x16xf32>

// -----

// An index may reach rows that are not there.
%x = "test.op"() : () -> tensor<7xf32>
%w = ncnn.constant #ncnn.elided : tensor<100x16xf32>
// CHECK: Embed 'embed': {{.*}}101
%y = ncnn.embed %x weight %w {name = "embed", num_output = 16, input_dim = 101} : (tensor<7xf32>, tensor<100x16xf32>) -> tensor<7x16xf32>
