// RUN: INVALID

%a = "test.op"() : () -> tensor<3x4xf32>
// CHECK: Gemm 'gemm': 1 inputs for 2 matrices
%y = ncnn.gemm %a {name = "gemm"} : (tensor<3x4xf32>) -> tensor<3x5xf32>

// -----

%a = "test.op"() : () -> tensor<3x4xf32>
// CHECK: Gemm 'gemm': weight 'B' is missing
%y = ncnn.gemm %a {name = "gemm", constantB = 1, constantN = 5, constantK = 4} : (tensor<3x4xf32>) -> tensor<3x5xf32>

// -----

%a = "test.op"() : () -> tensor<3x4xf32>
%b = ncnn.constant #ncnn.elided : tensor<4x5xf32>
// CHECK: Gemm 'gemm': weight 'B' has shape 4x5, but the parameters need 5x4
%y = ncnn.gemm %a B %b {name = "gemm", transB = 1, constantB = 1, constantN = 5, constantK = 4} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>

// -----

%a = "test.op"() : () -> tensor<3x4xf32>
%b = ncnn.constant #ncnn.elided : tensor<4x5xf32>
// CHECK: Gemm 'gemm': weight 'B' has shape 4x5, but the parameters need 0x5
%y = ncnn.gemm %a B %b {name = "gemm", constantB = 1, constantN = 5} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>

// -----

%a = "test.op"() : () -> tensor<3x4xf32>
%b = ncnn.constant #ncnn.elided : tensor<4x5xf32>
%c = ncnn.constant #ncnn.elided : tensor<5xf32>
// CHECK: Gemm 'gemm': constant_broadcast_type_C must be -1 to 4, not 5
%y = ncnn.gemm %a B %b C %c {name = "gemm", constantB = 1, constantC = 1, constantN = 5, constantK = 4, constant_broadcast_type_C = 5} : (tensor<3x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>

// -----

%c = "test.op"() : () -> tensor<3x5xf32>
%a = ncnn.constant #ncnn.elided : tensor<3x4xf32>
%b = ncnn.constant #ncnn.elided : tensor<4x5xf32>
// CHECK: Gemm 'gemm': 0 inputs beside two constants
%y = ncnn.gemm A %a B %b {name = "gemm", constantA = 1, constantB = 1, constantM = 3, constantN = 5, constantK = 4} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>

// -----

%a = "test.op"() : () -> tensor<3x4xf32>
%b = ncnn.constant #ncnn.elided : tensor<4x5xi8>
%s = ncnn.constant #ncnn.elided : tensor<4x1xf32>
// CHECK: Gemm 'gemm': weight 'B_quantize_scales' has shape 4x1, but the parameters need 5x1
%y = ncnn.gemm %a B %b B_quantize_scales %s {name = "gemm", constantB = 1, constantN = 5, constantK = 4, quantize_term = 800} : (tensor<3x4xf32>, tensor<4x5xi8>, tensor<4x1xf32>) -> tensor<3x5xf32>

// -----

%a = "test.op"() : () -> tensor<3x4xf32>
// CHECK: MatMul 'matmul': 1 inputs, but the layer has 2
%y = ncnn.matmul %a {name = "matmul"} : (tensor<3x4xf32>) -> tensor<3x5xf32>

// -----

// Rows of 6 bits are written as they come.
%a = "test.op"() : () -> tensor<3x4xf32>
%b = ncnn.constant #ncnn.elided : tensor<5x3xi8>
%s = ncnn.constant #ncnn.elided : tensor<5x1xf32>
// CHECK: Gemm 'gemm': block quantization in 6 bits does not support this output
%y = ncnn.gemm %a B %b B_quantize_scales %s {name = "gemm", transB = 1, constantB = 1, constantN = 5, constantK = 4, output_N1M = 1, quantize_term = 600} : (tensor<3x4xf32>, tensor<5x3xi8>, tensor<5x1xf32>) -> tensor<3x1x5xf32>
