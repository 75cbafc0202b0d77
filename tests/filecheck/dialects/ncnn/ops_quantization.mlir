// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %sums = "test.op"() : () -> (tensor<4x3x3xf32>, tensor<4x3x3xi32>)
%x, %sums = "test.op"() : () -> (tensor<4x3x3xf32>, tensor<4x3x3xi32>)
// CHECK-NEXT: %c = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 4.000000e+00, 8.000000e+00]> : tensor<4xf32>
%c = ncnn.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
// CHECK-NEXT: %s = ncnn.constant dense<[1.270000e+02]> : tensor<1xf32>
%s = ncnn.constant dense<127.0> : tensor<1xf32>

// CHECK-NEXT: %quantize = ncnn.quantize %x scale %s {name = "quantize"} : (tensor<4x3x3xf32>, tensor<1xf32>) -> tensor<4x3x3xi8>
%quantize = ncnn.quantize %x scale %s {name = "quantize"} : (tensor<4x3x3xf32>, tensor<1xf32>) -> tensor<4x3x3xi8>
// CHECK-NEXT: %by_channel = ncnn.quantize %x scale %c {name = "by_channel"} : (tensor<4x3x3xf32>, tensor<4xf32>) -> tensor<4x3x3xi8>
%by_channel = ncnn.quantize %x scale %c {name = "by_channel"} : (tensor<4x3x3xf32>, tensor<4xf32>) -> tensor<4x3x3xi8>
// CHECK-NEXT: %dequantize = ncnn.dequantize %sums scale %c {name = "dequantize"} : (tensor<4x3x3xi32>, tensor<4xf32>) -> tensor<4x3x3xf32>
%dequantize = ncnn.dequantize %sums scale %c {name = "dequantize"} : (tensor<4x3x3xi32>, tensor<4xf32>) -> tensor<4x3x3xf32>
// CHECK-NEXT: %biased = ncnn.dequantize %sums scale %s bias %c {name = "dequantize_bias"} : (tensor<4x3x3xi32>, tensor<1xf32>, tensor<4xf32>) -> tensor<4x3x3xf32>
%biased = ncnn.dequantize %sums scale %s bias %c {name = "dequantize_bias"} : (tensor<4x3x3xi32>, tensor<1xf32>, tensor<4xf32>) -> tensor<4x3x3xf32>
// CHECK-NEXT: %requantize = ncnn.requantize %sums scale_in %c scale_out %s bias %c {name = "requantize", activation_type = clip, activation_params = [0.0, 6.0]} : (tensor<4x3x3xi32>, tensor<4xf32>, tensor<1xf32>, tensor<4xf32>) -> tensor<4x3x3xi8>
%requantize = ncnn.requantize %sums scale_in %c scale_out %s bias %c {name = "requantize", activation_type = clip, activation_params = [0.0, 6.0]} : (tensor<4x3x3xi32>, tensor<4xf32>, tensor<1xf32>, tensor<4xf32>) -> tensor<4x3x3xi8>
// CHECK-NEXT: %unbiased = ncnn.requantize %sums scale_in %c scale_out %c {name = "requantize_unbiased", activation_type = hardswish, activation_params = [0.2, 0.5]} : (tensor<4x3x3xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x3x3xi8>
%unbiased = ncnn.requantize %sums scale_in %c scale_out %c {name = "requantize_unbiased", activation_type = hardswish, activation_params = [0.2, 0.5]} : (tensor<4x3x3xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x3x3xi8>
// CHECK-NEXT: %default = ncnn.requantize %sums scale_in %s scale_out %s {name = "default"} : (tensor<4x3x3xi32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x3x3xi8>
%default = ncnn.requantize %sums scale_in %s scale_out %s {name = "default", activation_type = none} : (tensor<4x3x3xi32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x3x3xi8>
