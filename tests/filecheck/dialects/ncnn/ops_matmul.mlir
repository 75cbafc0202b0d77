// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %a, %b, %bt, %c = "test.op"() : () -> (tensor<3x4xf32>, tensor<4x5xf32>, tensor<5x4xf32>, tensor<3x5xf32>)
%a, %b, %bt, %c = "test.op"() : () -> (tensor<3x4xf32>, tensor<4x5xf32>, tensor<5x4xf32>, tensor<3x5xf32>)
// CHECK-NEXT: %batch, %v = "test.op"() : () -> (tensor<2x4x5xf32>, tensor<4xf32>)
%batch, %v = "test.op"() : () -> (tensor<2x4x5xf32>, tensor<4xf32>)
// CHECK-NEXT: %wa = ncnn.constant #ncnn.elided : tensor<3x4xf32>
%wa = ncnn.constant #ncnn.elided : tensor<3x4xf32>
// CHECK-NEXT: %wb = ncnn.constant #ncnn.elided : tensor<4x5xf32>
%wb = ncnn.constant #ncnn.elided : tensor<4x5xf32>
// CHECK-NEXT: %wc = ncnn.constant #ncnn.elided : tensor<1x5xf32>
%wc = ncnn.constant #ncnn.elided : tensor<1x5xf32>

// CHECK-NEXT: %blobs = ncnn.gemm %a, %bt, %c {name = "blobs", alpha = 2.0, beta = 0.5, transB = 1} : (tensor<3x4xf32>, tensor<5x4xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
%blobs = ncnn.gemm %a, %bt, %c {name = "blobs", alpha = 2.0, beta = 0.5, transB = 1} : (tensor<3x4xf32>, tensor<5x4xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: %linear = ncnn.gemm %a B %wb C %wc {name = "linear", constantB = 1, constantC = 1, constantN = 5, constantK = 4, constant_broadcast_type_C = 4} : (tensor<3x4xf32>, tensor<4x5xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
%linear = ncnn.gemm %a B %wb C %wc {name = "linear", constantB = 1, constantC = 1, constantN = 5, constantK = 4, constant_broadcast_type_C = 4} : (tensor<3x4xf32>, tensor<4x5xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: %left = ncnn.gemm %b A %wa {name = "left", constantA = 1, constantM = 3, constantK = 4, output_N1M = 1, output_elempack = 4, output_elemtype = 1, output_transpose = 1, constant_TILE_M = 8, constant_TILE_N = 8, constant_TILE_K = 16} : (tensor<4x5xf32>, tensor<3x4xf32>) -> tensor<5x1x3xf32>
%left = ncnn.gemm %b A %wa {name = "left", constantA = 1, constantM = 3, constantK = 4, output_N1M = 1, output_elempack = 4, output_elemtype = 1, output_transpose = 1, constant_TILE_M = 8, constant_TILE_N = 8, constant_TILE_K = 16} : (tensor<4x5xf32>, tensor<3x4xf32>) -> tensor<5x1x3xf32>
// CHECK-NEXT: %offset = ncnn.gemm %c A %wa B %wb {name = "offset", constantA = 1, constantB = 1, constantM = 3, constantN = 5, constantK = 4} : (tensor<3x5xf32>, tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
%offset = ncnn.gemm %c A %wa B %wb {name = "offset", constantA = 1, constantB = 1, constantM = 3, constantN = 5, constantK = 4} : (tensor<3x5xf32>, tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>

// int8: a scale for each row of A, one for B. 6-bit blocks of 64: 4 elements take 3 bytes.
// CHECK-NEXT: %qa = ncnn.constant #ncnn.elided : tensor<3x4xi8>
%qa = ncnn.constant #ncnn.elided : tensor<3x4xi8>
// CHECK-NEXT: %qb = ncnn.constant #ncnn.elided : tensor<4x5xi8>
%qb = ncnn.constant #ncnn.elided : tensor<4x5xi8>
// CHECK-NEXT: %sa = ncnn.constant #ncnn.elided : tensor<3xf32>
%sa = ncnn.constant #ncnn.elided : tensor<3xf32>
// CHECK-NEXT: %sb = ncnn.constant #ncnn.elided : tensor<1xf32>
%sb = ncnn.constant #ncnn.elided : tensor<1xf32>
// CHECK-NEXT: %int8 = ncnn.gemm A %qa B %qb C %wc A_int8_scales %sa B_int8_scale %sb {name = "int8", constantA = 1, constantB = 1, constantC = 1, constantM = 3, constantN = 5, constantK = 4, constant_broadcast_type_C = 4, quantize_term = 2} : (tensor<3x4xi8>, tensor<4x5xi8>, tensor<1x5xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<3x5xf32>
%int8 = ncnn.gemm A %qa B %qb C %wc A_int8_scales %sa B_int8_scale %sb {name = "int8", constantA = 1, constantB = 1, constantC = 1, constantM = 3, constantN = 5, constantK = 4, constant_broadcast_type_C = 4, quantize_term = 2} : (tensor<3x4xi8>, tensor<4x5xi8>, tensor<1x5xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: %packed = ncnn.constant #ncnn.elided : tensor<5x3xi8>
%packed = ncnn.constant #ncnn.elided : tensor<5x3xi8>
// CHECK-NEXT: %scales = ncnn.constant #ncnn.elided : tensor<5x1xf32>
%scales = ncnn.constant #ncnn.elided : tensor<5x1xf32>
// CHECK-NEXT: %inputs = ncnn.constant #ncnn.elided : tensor<4xf32>
%inputs = ncnn.constant #ncnn.elided : tensor<4xf32>
// CHECK-NEXT: %int6 = ncnn.gemm %a B %packed B_quantize_scales %scales B_input_scales %inputs {name = "int6", transB = 1, constantB = 1, constantN = 5, constantK = 4, quantize_term = 611} : (tensor<3x4xf32>, tensor<5x3xi8>, tensor<5x1xf32>, tensor<4xf32>) -> tensor<3x5xf32>
%int6 = ncnn.gemm %a B %packed B_quantize_scales %scales B_input_scales %inputs {name = "int6", transB = 1, constantB = 1, constantN = 5, constantK = 4, quantize_term = 611} : (tensor<3x4xf32>, tensor<5x3xi8>, tensor<5x1xf32>, tensor<4xf32>) -> tensor<3x5xf32>

// CHECK-NEXT: %matmul = ncnn.matmul %a, %b {name = "matmul"} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
%matmul = ncnn.matmul %a, %b {name = "matmul"} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: %transposed = ncnn.matmul %a, %bt {name = "transposed", transB = 1} : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
%transposed = ncnn.matmul %a, %bt {name = "transposed", transB = 1} : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: %batched = ncnn.matmul %v, %batch {name = "batched"} : (tensor<4xf32>, tensor<2x4x5xf32>) -> tensor<2x5xf32>
%batched = ncnn.matmul %v, %batch {name = "batched"} : (tensor<4xf32>, tensor<2x4x5xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: %defaults = ncnn.gemm %a, %b {name = "defaults"} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
%defaults = ncnn.gemm %a, %b {name = "defaults", alpha = 1.0, beta = 1.0, transA = 0, quantize_term = 0} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
