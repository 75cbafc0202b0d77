// RUN: INVALID

%x = "test.op"() : () -> tensor<4x3x3xf32>
// CHECK: invalid_quantization.mlir:[[# @LINE + 2]]:38
// CHECK: ncnn.quantize needs the weight 'scale'
%y = ncnn.quantize %x {name = "q"} : (tensor<4x3x3xf32>) -> tensor<4x3x3xi8>

// -----

%x = "test.op"() : () -> tensor<4x3x3xi32>
%s = ncnn.constant #ncnn.elided : tensor<2x2xf32>
// CHECK: Dequantize 'dq': weight 'scale' has shape 2x2, but the parameters need 4
%y = ncnn.dequantize %x scale %s {name = "dq"} : (tensor<4x3x3xi32>, tensor<2x2xf32>) -> tensor<4x3x3xf32>

// -----

%x = "test.op"() : () -> tensor<4x3x3xi32>
%s = ncnn.constant #ncnn.elided : tensor<4xf32>
// CHECK: invalid_quantization.mlir:[[# @LINE + 2]]:53
// CHECK: ncnn.requantize needs the weight 'scale_out'
%y = ncnn.requantize %x scale_in %s {name = "rq"} : (tensor<4x3x3xi32>, tensor<4xf32>) -> tensor<4x3x3xi8>

// -----

%x = "test.op"() : () -> tensor<4x3x3xi32>
%s = ncnn.constant #ncnn.elided : tensor<4xf32>
// CHECK: Requantize 'rq': 1 activation_params, but 2 are needed
%y = ncnn.requantize %x scale_in %s scale_out %s {name = "rq", activation_type = clip, activation_params = [0.0]} : (tensor<4x3x3xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x3x3xi8>

// -----

%x = "test.op"() : () -> tensor<4x3x3xi32>
%s = ncnn.constant #ncnn.elided : tensor<4xf32>
// CHECK: Requantize 'rq': unknown activation_type 7
%y = ncnn.requantize %x scale_in %s scale_out %s {name = "rq", activation_type = 7} : (tensor<4x3x3xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x3x3xi8>
