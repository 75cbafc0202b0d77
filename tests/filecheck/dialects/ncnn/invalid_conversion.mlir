// RUN: INVALID

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: invalid_conversion.mlir:[[# @LINE + 2]]:45
// CHECK: Expected integer literal or one of auto, float32, float16, int8, bfloat16
%y = ncnn.cast %x {name = "cast", type_to = half} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf16>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: Packing 'packing': out_elempack is 0, less than 1
%y = ncnn.packing %x {name = "packing", out_elempack = 0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: Expected 1 result, but got 2
%y, %z = ncnn.cast %x {name = "cast"} : (tensor<8x4x4xf32>) -> (tensor<8x4x4xf32>, tensor<8x4x4xf32>)
