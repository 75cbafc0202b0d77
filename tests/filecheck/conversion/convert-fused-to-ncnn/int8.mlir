// RUN: ncnn-opt --convert-fused-to-ncnn %s | filecheck %s --match-full-lines

// Layers with int8 weights: the input becomes int8 in an operation of its own, the epilogue makes
// floats of int32 sums, or int8 again.

// The scales 2 of the input and 4 and 5 of the channels become 1/8 and 1/10; that of a dead channel
// stays 0.
// CHECK-LABEL: func.func @dequantize(%x: tensor<1x4x4xf32>, %r: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[1]]], [[[2]]], [[[3]]]]> : tensor<3x1x1x1xi8>
// CHECK-NEXT:   %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:   %i = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %scales = ncnn.constant dense<[4.000000e+00, 5.000000e+00, 0.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:   %0 = ncnn.convolution %x weight %w bias %b weight_int8_scales %scales bottom_int8_scales %i {name = "conv", num_output = 3, kernel_w = 1, int8_scale_term = 1, activation_type = relu} : (tensor<1x4x4xf32>, tensor<3x1x1x1xi8>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<3x4x4xf32>
// CHECK-NEXT:   %add = ncnn.binaryop %0, %r {name = "conv_1", blobs = ["add"], op_type = add} : (tensor<3x4x4xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
// CHECK-NEXT:   func.return %add : tensor<3x4x4xf32>
// CHECK-NEXT: }
func.func @dequantize(%x: tensor<1x4x4xf32>, %r: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32> {ncnn.blob = "add"}) {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]], [[[3]]]]> : tensor<3x1x1x1xi8>
  %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %i = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
  %x_int8 = fused.elementwise %x residuals(%i) {name = "conv_int8"} : (tensor<1x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4xi8> epilogue(%acc: f32, %scale: f32) {
    %0 = arith.mulf %acc, %scale : f32
    %1 = math.round %0 : f32
    %2 = arith.constant 1.270000e+02 : f32
    %3 = arith.minimumf %1, %2 : f32
    %4 = arith.constant -1.270000e+02 : f32
    %5 = arith.maximumf %3, %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    fused.yield %6 : i8
  }
  %descale = ncnn.constant dense<[1.250000e-01, 1.000000e-01, 0.000000e+00]> : tensor<3xf32>
  %add = fused.conv %x_int8 weight %w residuals(%descale, %b, %r) {name = "conv", blob = "add"} : (tensor<1x4x4xi8>, tensor<3x1x1x1xi8>, tensor<3xf32>, tensor<3xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32> epilogue(%acc: i32, %scale: f32, %bias: f32, %r_1: f32) {
    %0 = arith.sitofp %acc : i32 to f32
    %1 = math.fma %0, %scale, %bias : f32
    %2 = arith.constant 0.000000e+00 : f32
    %3 = arith.maximumf %1, %2 : f32
    %4 = arith.addf %3, %r_1 : f32
    fused.yield %4 : f32
  }
  func.return %add : tensor<3x4x4xf32>
}

// int8 from one layer to the next; a depthwise layer with a scale a group. Weights that the file has
// as floats are rounded as the runtime would.
// CHECK-LABEL: func.func @requantize(%x: tensor<2x4x4xi8>) -> (tensor<2x4x4xf32> {ncnn.blob = "conv"}) {
// CHECK-NEXT:   %w2 = ncnn.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>
// CHECK-NEXT:   %o = ncnn.constant dense<[7.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[3]]], [[[-2]]]]> : tensor<2x1x1x1xi8>
// CHECK-NEXT:   %bottom = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %scales = ncnn.constant dense<[1.000000e+01, 5.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %dw = ncnn.convolutiondepthwise %x weight %w weight_int8_scales %scales bottom_int8_scales %bottom top_int8_scales %o {name = "dw", num_output = 2, kernel_w = 1, group = 2, int8_scale_term = 101} : (tensor<2x4x4xi8>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x4xi8>
// CHECK-NEXT:   %bottom_1 = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %scales_1 = ncnn.constant dense<[7.000000e+01, 3.500000e+01]> : tensor<2xf32>
// CHECK-NEXT:   %conv = ncnn.convolution %dw weight %w2 weight_int8_scales %scales_1 bottom_int8_scales %bottom_1 {name = "conv", num_output = 2, kernel_w = 1, int8_scale_term = 1} : (tensor<2x4x4xi8>, tensor<2x2x1x1xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x4x4xf32>
// CHECK-NEXT:   func.return %conv : tensor<2x4x4xf32>
// CHECK-NEXT: }
func.func @requantize(%x: tensor<2x4x4xi8>) -> (tensor<2x4x4xf32> {ncnn.blob = "conv"}) {
  %w2 = ncnn.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>
  %o = ncnn.constant dense<[7.000000e+00]> : tensor<1xf32>
  %w = ncnn.constant dense<[[[[3]]], [[[-2]]]]> : tensor<2x1x1x1xi8>
  %descale = ncnn.constant dense<[1.000000e-01, 2.000000e-01]> : tensor<2xf32>
  %dw = fused.conv %x weight %w residuals(%descale, %o) groups 2 {name = "dw"} : (tensor<2x4x4xi8>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x4x4xi8> epilogue(%acc: i32, %scale: f32, %scale_1: f32) {
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.mulf %1, %scale_1 : f32
    %3 = math.round %2 : f32
    %4 = arith.constant 1.270000e+02 : f32
    %5 = arith.minimumf %3, %4 : f32
    %6 = arith.constant -1.270000e+02 : f32
    %7 = arith.maximumf %5, %6 : f32
    %8 = arith.fptosi %7 : f32 to i8
    fused.yield %8 : i8
  }
  %descale_1 = ncnn.constant dense<[0.0142857144, 0.0285714287]> : tensor<2xf32>
  %conv = fused.conv %dw weight %w2 residuals(%descale_1) {name = "conv"} : (tensor<2x4x4xi8>, tensor<2x2x1x1xi8>, tensor<2xf32>) -> tensor<2x4x4xf32> epilogue(%acc: i32, %scale: f32) {
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    fused.yield %1 : f32
  }
  func.return %conv : tensor<2x4x4xf32>
}

// An int8 layer takes what another epilogue has made int8. Rows have their channels innermost.
// CHECK-LABEL: func.func @linear(%x: tensor<3x4xf32>) -> (tensor<3x2xf32> {ncnn.blob = "ip"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x4xi8>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<2xf32>
// CHECK-NEXT:   %i = ncnn.constant #ncnn.elided : tensor<1xf32>
// CHECK-NEXT:   %0 = ncnn.tanh %x {name = "tanh"} : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT:   %scales = ncnn.constant #ncnn.elided : tensor<2xf32>
// CHECK-NEXT:   %ip = ncnn.innerproduct %0 weight %w bias %b weight_int8_scales %scales bottom_int8_scales %i {name = "ip", num_output = 2, int8_scale_term = 1} : (tensor<3x4xf32>, tensor<2x4xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:   func.return %ip : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @linear(%x: tensor<3x4xf32>) -> (tensor<3x2xf32> {ncnn.blob = "ip"}) {
  %w = ncnn.constant #ncnn.elided : tensor<2x4xi8>
  %b = ncnn.constant #ncnn.elided : tensor<2xf32>
  %i = ncnn.constant #ncnn.elided : tensor<1xf32>
  %tanh_int8 = fused.elementwise %x residuals(%i) {name = "tanh", blob = "ip_int8"} : (tensor<3x4xf32>, tensor<1xf32>) -> tensor<3x4xi8> epilogue(%acc: f32, %scale: f32) {
    %0 = math.tanh %acc : f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.round %1 : f32
    %3 = arith.constant 1.270000e+02 : f32
    %4 = arith.minimumf %2, %3 : f32
    %5 = arith.constant -1.270000e+02 : f32
    %6 = arith.maximumf %4, %5 : f32
    %7 = arith.fptosi %6 : f32 to i8
    fused.yield %7 : i8
  }
  %descale = ncnn.constant #ncnn.elided : tensor<2xf32>
  %ip = fused.linear %tanh_int8 weight %w residuals(%descale at [1], %b at [1]) {name = "ip"} : (tensor<3x4xi8>, tensor<2x4xi8>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2xf32> epilogue(%acc: i32, %scale: f32, %bias: f32) {
    %0 = arith.sitofp %acc : i32 to f32
    %1 = math.fma %0, %scale, %bias : f32
    fused.yield %1 : f32
  }
  func.return %ip : tensor<3x2xf32>
}

// The layers by themselves.
// CHECK-LABEL: func.func @layers(%x: tensor<2x3x4xi32>) -> (tensor<2x3x4xi8> {ncnn.blob = "requantize"}, tensor<2x3x4xi8> {ncnn.blob = "quantize"}) {
// CHECK-NEXT:   %s = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %t = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %0 = ncnn.dequantize %x scale %s {name = "requantize", blobs = ["requantize_0"]} : (tensor<2x3x4xi32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %1 = ncnn.relu %0 {name = "requantize_1", slope = 0.5} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %requantize = ncnn.quantize %1 scale %t {name = "requantize_2", blobs = ["requantize"]} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xi8>
// CHECK-NEXT:   %2 = ncnn.dequantize %x scale %s bias %t {name = "dequantize"} : (tensor<2x3x4xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %quantize = ncnn.quantize %2 scale %t {name = "dequantize_1", blobs = ["quantize"]} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xi8>
// CHECK-NEXT:   func.return %requantize, %quantize : tensor<2x3x4xi8>, tensor<2x3x4xi8>
// CHECK-NEXT: }
func.func @layers(%x: tensor<2x3x4xi32>) -> (tensor<2x3x4xi8> {ncnn.blob = "requantize"}, tensor<2x3x4xi8> {ncnn.blob = "quantize"}) {
  %s = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %t = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %requantize = fused.elementwise %x residuals(%s, %t) {name = "requantize"} : (tensor<2x3x4xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xi8> epilogue(%acc: i32, %scale_in: f32, %scale_out: f32) {
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.mulf %0, %scale_in : f32
    %2 = arith.constant 0.000000e+00 : f32
    %3 = arith.cmpf olt, %1, %2 : f32
    %4 = arith.constant 5.000000e-01 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = arith.select %3, %5, %1 : f32
    %7 = arith.mulf %6, %scale_out : f32
    %8 = math.round %7 : f32
    %9 = arith.constant 1.270000e+02 : f32
    %10 = arith.minimumf %8, %9 : f32
    %11 = arith.constant -1.270000e+02 : f32
    %12 = arith.maximumf %10, %11 : f32
    %13 = arith.fptosi %12 : f32 to i8
    fused.yield %13 : i8
  }
  %quantize = fused.elementwise %x residuals(%s, %t) {name = "dequantize", blob = "quantize"} : (tensor<2x3x4xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xi8> epilogue(%acc: i32, %scale: f32, %bias: f32) {
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.addf %1, %bias : f32
    %3 = arith.mulf %2, %bias : f32
    %4 = math.round %3 : f32
    %5 = arith.constant 1.270000e+02 : f32
    %6 = arith.minimumf %4, %5 : f32
    %7 = arith.constant -1.270000e+02 : f32
    %8 = arith.maximumf %6, %7 : f32
    %9 = arith.fptosi %8 : f32 to i8
    fused.yield %9 : i8
  }
  func.return %requantize, %quantize : tensor<2x3x4xi8>, tensor<2x3x4xi8>
}

// Casts.
// CHECK-LABEL: func.func @casts(%x: tensor<8xf32>, %q: tensor<8xi8>) -> (tensor<8xf32> {ncnn.blob = "full"}, tensor<8xf32> {ncnn.blob = "float"}) {
// CHECK-NEXT:   %0 = ncnn.cast %x {name = "half", type_from = float32, type_to = float16} : (tensor<8xf32>) -> tensor<8xf16>
// CHECK-NEXT:   %full = ncnn.cast %0 {name = "half_1", blobs = ["full"], type_from = float16, type_to = float32} : (tensor<8xf16>) -> tensor<8xf32>
// CHECK-NEXT:   %float = ncnn.cast %q {name = "float", type_from = int8, type_to = float32} : (tensor<8xi8>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %full, %float : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT: }
func.func @casts(%x: tensor<8xf32>, %q: tensor<8xi8>) -> (tensor<8xf32> {ncnn.blob = "full"}, tensor<8xf32> {ncnn.blob = "float"}) {
  %full = fused.elementwise %x {name = "half", blob = "full"} : (tensor<8xf32>) -> tensor<8xf32> epilogue(%acc: f32) {
    %0 = arith.truncf %acc : f32 to f16
    %1 = arith.extf %0 : f16 to f32
    fused.yield %1 : f32
  }
  %float = fused.elementwise %q {name = "float"} : (tensor<8xi8>) -> tensor<8xf32> epilogue(%acc: i8) {
    %0 = arith.sitofp %acc : i8 to f32
    fused.yield %0 : f32
  }
  func.return %full, %float : tensor<8xf32>, tensor<8xf32>
}
