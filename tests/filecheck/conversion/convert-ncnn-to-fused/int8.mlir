// RUN: ncnn-opt --convert-ncnn-to-fused %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --convert-ncnn-to-fused %s > %t.once
// RUN: ncnn-opt --convert-ncnn-to-fused %t.once | diff %t.once -

// Layers with int8 weights: the input becomes int8 in an operation of its own, the epilogue makes
// floats of int32 sums, or int8 again.

// The scales 2 of the input and 4 and 5 of the channels become 1/8 and 1/10; that of a dead channel
// stays 0.
// CHECK-LABEL: func.func @dequantize(%x: tensor<1x4x4xf32>, %r: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[1]]], [[[2]]], [[[3]]]]> : tensor<3x1x1x1xi8>
// CHECK-NEXT:   %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:   %i = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %x_int8 = fused.elementwise %x residuals(%i) {name = "conv_int8"} : (tensor<1x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4xi8> epilogue(%acc: f32, %scale: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = math.round %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:     %3 = arith.minimumf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:     %5 = arith.maximumf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.fptosi %5 : f32 to i8
// CHECK-NEXT:     fused.yield %6 : i8
// CHECK-NEXT:   }
// CHECK-NEXT:   %descale = ncnn.constant dense<[1.250000e-01, 1.000000e-01, 0.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:   %add = fused.conv %x_int8 weight %w residuals(%descale, %b, %r) {name = "conv", blob = "add"} : (tensor<1x4x4xi8>, tensor<3x1x1x1xi8>, tensor<3xf32>, tensor<3xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32> epilogue(%acc: i32, %scale: f32, %bias: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.sitofp %acc : i32 to f32
// CHECK-NEXT:     %1 = math.fma %0, %scale, %bias : f32
// CHECK-NEXT:     %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.maximumf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.addf %3, %r_1 : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<3x4x4xf32>
// CHECK-NEXT: }
func.func @dequantize(%x: tensor<1x4x4xf32>, %r: tensor<3x4x4xf32>) -> tensor<3x4x4xf32> {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]], [[[3]]]]> : tensor<3x1x1x1xi8>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %s = ncnn.constant dense<[4.0, 5.0, 0.0]> : tensor<3xf32>
  %i = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %conv = ncnn.convolution %x weight %w bias %b weight_int8_scales %s bottom_int8_scales %i {name = "conv", num_output = 3, kernel_w = 1, int8_scale_term = 1, activation_type = relu} : (tensor<1x4x4xf32>, tensor<3x1x1x1xi8>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<3x4x4xf32>
  %add = ncnn.binaryop %conv, %r {name = "add", op_type = add} : (tensor<3x4x4xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  func.return %add : tensor<3x4x4xf32>
}

// int8 from one layer to the next; a depthwise layer with a scale a group. Weights that the file has
// as floats are rounded as the runtime would.
// CHECK-LABEL: func.func @requantize(%x: tensor<2x4x4xi8>) -> (tensor<2x4x4xf32> {ncnn.blob = "conv"}) {
// CHECK-NEXT:   %w2 = ncnn.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>
// CHECK-NEXT:   %o = ncnn.constant dense<[7.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[3]]], [[[-2]]]]> : tensor<2x1x1x1xi8>
// CHECK-NEXT:   %descale = ncnn.constant dense<[1.000000e-01, 2.000000e-01]> : tensor<2xf32>
// CHECK-NEXT:   %dw = fused.conv %x weight %w residuals(%descale, %o) groups 2 {name = "dw"} : (tensor<2x4x4xi8>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x4x4xi8> epilogue(%acc: i32, %scale: f32, %scale_1: f32) {
// CHECK-NEXT:     %0 = arith.sitofp %acc : i32 to f32
// CHECK-NEXT:     %1 = arith.mulf %0, %scale : f32
// CHECK-NEXT:     %2 = arith.mulf %1, %scale_1 : f32
// CHECK-NEXT:     %3 = math.round %2 : f32
// CHECK-NEXT:     %4 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:     %5 = arith.minimumf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:     %7 = arith.maximumf %5, %6 : f32
// CHECK-NEXT:     %8 = arith.fptosi %7 : f32 to i8
// CHECK-NEXT:     fused.yield %8 : i8
// CHECK-NEXT:   }
// CHECK-NEXT:   %descale_1 = ncnn.constant dense<[0.0142857144, 0.0285714287]> : tensor<2xf32>
// CHECK-NEXT:   %conv = fused.conv %dw weight %w2 residuals(%descale_1) {name = "conv"} : (tensor<2x4x4xi8>, tensor<2x2x1x1xi8>, tensor<2xf32>) -> tensor<2x4x4xf32> epilogue(%acc: i32, %scale: f32) {
// CHECK-NEXT:     %0 = arith.sitofp %acc : i32 to f32
// CHECK-NEXT:     %1 = arith.mulf %0, %scale : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %conv : tensor<2x4x4xf32>
// CHECK-NEXT: }
func.func @requantize(%x: tensor<2x4x4xi8>) -> tensor<2x4x4xf32> {
  %w = ncnn.constant dense<[[[[0.25]]], [[[-0.3]]]]> : tensor<2x1x1x1xf32>
  %s = ncnn.constant dense<[10.0, 5.0]> : tensor<2xf32>
  %w2 = ncnn.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>
  %one = ncnn.constant dense<[1.0]> : tensor<1xf32>
  %o = ncnn.constant dense<[7.0]> : tensor<1xf32>
  %dw = ncnn.convolutiondepthwise %x weight %w weight_int8_scales %s bottom_int8_scales %one top_int8_scales %o {name = "dw", num_output = 2, group = 2, kernel_w = 1, int8_scale_term = 101} : (tensor<2x4x4xi8>, tensor<2x1x1x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x4xf32>
  %conv = ncnn.convolution %dw weight %w2 weight_int8_scales %s bottom_int8_scales %o {name = "conv", num_output = 2, kernel_w = 1, int8_scale_term = 1} : (tensor<2x4x4xf32>, tensor<2x2x1x1xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x4x4xf32>
  func.return %conv : tensor<2x4x4xf32>
}

// An int8 layer takes what another epilogue has made int8. Rows have their channels innermost.
// CHECK-LABEL: func.func @linear(%x: tensor<3x4xf32>) -> (tensor<3x2xf32> {ncnn.blob = "ip"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x4xi8>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<2xf32>
// CHECK-NEXT:   %i = ncnn.constant #ncnn.elided : tensor<1xf32>
// CHECK-NEXT:   %tanh_int8 = fused.elementwise %x residuals(%i) {name = "tanh", blob = "ip_int8"} : (tensor<3x4xf32>, tensor<1xf32>) -> tensor<3x4xi8> epilogue(%acc: f32, %scale: f32) {
// CHECK-NEXT:     %0 = math.tanh %acc : f32
// CHECK-NEXT:     %1 = arith.mulf %0, %scale : f32
// CHECK-NEXT:     %2 = math.round %1 : f32
// CHECK-NEXT:     %3 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:     %4 = arith.minimumf %2, %3 : f32
// CHECK-NEXT:     %5 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:     %6 = arith.maximumf %4, %5 : f32
// CHECK-NEXT:     %7 = arith.fptosi %6 : f32 to i8
// CHECK-NEXT:     fused.yield %7 : i8
// CHECK-NEXT:   }
// CHECK-NEXT:   %descale = ncnn.constant #ncnn.elided : tensor<2xf32>
// CHECK-NEXT:   %ip = fused.linear %tanh_int8 weight %w residuals(%descale at [1], %b at [1]) {name = "ip"} : (tensor<3x4xi8>, tensor<2x4xi8>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2xf32> epilogue(%acc: i32, %scale: f32, %bias: f32) {
// CHECK-NEXT:     %0 = arith.sitofp %acc : i32 to f32
// CHECK-NEXT:     %1 = math.fma %0, %scale, %bias : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %ip : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @linear(%x: tensor<3x4xf32>) -> tensor<3x2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x4xi8>
  %b = ncnn.constant #ncnn.elided : tensor<2xf32>
  %s = ncnn.constant #ncnn.elided : tensor<2xf32>
  %i = ncnn.constant #ncnn.elided : tensor<1xf32>
  %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %ip = ncnn.innerproduct %tanh weight %w bias %b weight_int8_scales %s bottom_int8_scales %i {name = "ip", num_output = 2, int8_scale_term = 1} : (tensor<3x4xf32>, tensor<2x4xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<3x2xf32>
  func.return %ip : tensor<3x2xf32>
}

// The layers by themselves.
// CHECK-LABEL: func.func @layers(%x: tensor<2x3x4xi32>) -> (tensor<2x3x4xi8> {ncnn.blob = "requantize"}, tensor<2x3x4xi8> {ncnn.blob = "quantize"}) {
// CHECK-NEXT:   %s = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %t = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %requantize = fused.elementwise %x residuals(%s, %t) {name = "requantize"} : (tensor<2x3x4xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xi8> epilogue(%acc: i32, %scale_in: f32, %scale_out: f32) {
// CHECK-NEXT:     %0 = arith.sitofp %acc : i32 to f32
// CHECK-NEXT:     %1 = arith.mulf %0, %scale_in : f32
// CHECK-NEXT:     %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.cmpf olt, %1, %2 : f32
// CHECK-NEXT:     %4 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %5 = arith.mulf %1, %4 : f32
// CHECK-NEXT:     %6 = arith.select %3, %5, %1 : f32
// CHECK-NEXT:     %7 = arith.mulf %6, %scale_out : f32
// CHECK-NEXT:     %8 = math.round %7 : f32
// CHECK-NEXT:     %9 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:     %10 = arith.minimumf %8, %9 : f32
// CHECK-NEXT:     %11 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:     %12 = arith.maximumf %10, %11 : f32
// CHECK-NEXT:     %13 = arith.fptosi %12 : f32 to i8
// CHECK-NEXT:     fused.yield %13 : i8
// CHECK-NEXT:   }
// CHECK-NEXT:   %quantize = fused.elementwise %x residuals(%s, %t) {name = "dequantize", blob = "quantize"} : (tensor<2x3x4xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xi8> epilogue(%acc: i32, %scale: f32, %bias: f32) {
// CHECK-NEXT:     %0 = arith.sitofp %acc : i32 to f32
// CHECK-NEXT:     %1 = arith.mulf %0, %scale : f32
// CHECK-NEXT:     %2 = arith.addf %1, %bias : f32
// CHECK-NEXT:     %3 = arith.mulf %2, %bias : f32
// CHECK-NEXT:     %4 = math.round %3 : f32
// CHECK-NEXT:     %5 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:     %6 = arith.minimumf %4, %5 : f32
// CHECK-NEXT:     %7 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:     %8 = arith.maximumf %6, %7 : f32
// CHECK-NEXT:     %9 = arith.fptosi %8 : f32 to i8
// CHECK-NEXT:     fused.yield %9 : i8
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %requantize, %quantize : tensor<2x3x4xi8>, tensor<2x3x4xi8>
// CHECK-NEXT: }
func.func @layers(%x: tensor<2x3x4xi32>) -> (tensor<2x3x4xi8>, tensor<2x3x4xi8>) {
  %s = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %t = ncnn.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %requantize = ncnn.requantize %x scale_in %s scale_out %t {name = "requantize", activation_type = leakyrelu, activation_params = [0.5]} : (tensor<2x3x4xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xi8>
  %dequantize = ncnn.dequantize %x scale %s bias %t {name = "dequantize"} : (tensor<2x3x4xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %quantize = ncnn.quantize %dequantize scale %t {name = "quantize"} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xi8>
  func.return %requantize, %quantize : tensor<2x3x4xi8>, tensor<2x3x4xi8>
}

// Casts.
// CHECK-LABEL: func.func @casts(%x: tensor<8xf32>, %q: tensor<8xi8>) -> (tensor<8xf32> {ncnn.blob = "full"}, tensor<8xf32> {ncnn.blob = "float"}) {
// CHECK-NEXT:   %full = fused.elementwise %x {name = "half", blob = "full"} : (tensor<8xf32>) -> tensor<8xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.truncf %acc : f32 to f16
// CHECK-NEXT:     %1 = arith.extf %0 : f16 to f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %float = fused.elementwise %q {name = "float"} : (tensor<8xi8>) -> tensor<8xf32> epilogue(%acc: i8) {
// CHECK-NEXT:     %0 = arith.sitofp %acc : i8 to f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %full, %float : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT: }
func.func @casts(%x: tensor<8xf32>, %q: tensor<8xi8>) -> (tensor<8xf32>, tensor<8xf32>) {
  %half = ncnn.cast %x {name = "half", type_from = float32, type_to = float16} : (tensor<8xf32>) -> tensor<8xf16>
  %full = ncnn.cast %half {name = "full", type_from = float16, type_to = float32} : (tensor<8xf16>) -> tensor<8xf32>
  %float = ncnn.cast %q {name = "float", type_from = int8, type_to = float32} : (tensor<8xi8>) -> tensor<8xf32>
  func.return %full, %float : tensor<8xf32>, tensor<8xf32>
}
