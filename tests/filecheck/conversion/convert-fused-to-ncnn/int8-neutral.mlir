// RUN: ncnn-opt --convert-ncnn-to-fused --canonicalize --convert-fused-to-ncnn %s | filecheck %s --match-full-lines

// int8 layers whose scales and biases are numbers, the same everywhere or without an effect.

// The same bias everywhere, and scales of which the sums are left as they are.
// CHECK-LABEL: func.func @uniform(%x: tensor<1x4x4xf32>) -> (tensor<3x4x4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[1]]], [[[2]]], [[[3]]]]> : tensor<3x1x1x1xi8>
// CHECK-NEXT:   %number = ncnn.constant dense<[2.500000e-01]> : tensor<1xf32>
// CHECK-NEXT:   %bias = ncnn.constant dense<5.000000e-01> : tensor<3xf32>
// CHECK-NEXT:   %scales = ncnn.constant dense<4.000000e+00> : tensor<3xf32>
// CHECK-NEXT:   %y = ncnn.convolution %x weight %w bias %bias weight_int8_scales %scales bottom_int8_scales %number {name = "y", num_output = 3, kernel_w = 1, int8_scale_term = 1} : (tensor<1x4x4xf32>, tensor<3x1x1x1xi8>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<3x4x4xf32>
// CHECK-NEXT:   func.return %y : tensor<3x4x4xf32>
// CHECK-NEXT: }
func.func @uniform(%x: tensor<1x4x4xf32>) -> (tensor<3x4x4xf32> {ncnn.blob = "y"}) {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]], [[[3]]]]> : tensor<3x1x1x1xi8>
  %b = ncnn.constant dense<[0.5, 0.5, 0.5]> : tensor<3xf32>
  %s = ncnn.constant dense<[4.0, 4.0, 4.0]> : tensor<3xf32>
  %i = ncnn.constant dense<[0.25]> : tensor<1xf32>
  %y = ncnn.convolution %x weight %w bias %b weight_int8_scales %s bottom_int8_scales %i {name = "y", num_output = 3, kernel_w = 1, int8_scale_term = 1} : (tensor<1x4x4xf32>, tensor<3x1x1x1xi8>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<3x4x4xf32>
  func.return %y : tensor<3x4x4xf32>
}

// CHECK-LABEL: func.func @unscaled(%x: tensor<4xf32>) -> (tensor<2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %w = ncnn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
// CHECK-NEXT:   %number = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %scales = ncnn.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:   %y = ncnn.innerproduct %x weight %w weight_int8_scales %scales bottom_int8_scales %number {name = "y", num_output = 2, int8_scale_term = 1} : (tensor<4xf32>, tensor<2x4xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @unscaled(%x: tensor<4xf32>) -> (tensor<2xf32> {ncnn.blob = "y"}) {
  %w = ncnn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
  %s = ncnn.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %i = ncnn.constant dense<[1.0]> : tensor<1xf32>
  %y = ncnn.innerproduct %x weight %w weight_int8_scales %s bottom_int8_scales %i {name = "y", num_output = 2, int8_scale_term = 1} : (tensor<4xf32>, tensor<2x4xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @unscaled_output(%x: tensor<1x4x4xi8>) -> (tensor<3x4x4xi8> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[1]]], [[[2]]], [[[3]]]]> : tensor<3x1x1x1xi8>
// CHECK-NEXT:   %bottom = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %scales = ncnn.constant dense<[4.000000e+00, 2.000000e+00, 8.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:   %number = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %y = ncnn.convolution %x weight %w weight_int8_scales %scales bottom_int8_scales %bottom top_int8_scales %number {name = "y", num_output = 3, kernel_w = 1, int8_scale_term = 101} : (tensor<1x4x4xi8>, tensor<3x1x1x1xi8>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x4x4xi8>
// CHECK-NEXT:   func.return %y : tensor<3x4x4xi8>
// CHECK-NEXT: }
func.func @unscaled_output(%x: tensor<1x4x4xi8>) -> (tensor<3x4x4xi8> {ncnn.blob = "y"}) {
  %w = ncnn.constant dense<[[[[1]]], [[[2]]], [[[3]]]]> : tensor<3x1x1x1xi8>
  %s = ncnn.constant dense<[4.0, 2.0, 8.0]> : tensor<3xf32>
  %i = ncnn.constant dense<[1.0]> : tensor<1xf32>
  %o = ncnn.constant dense<[1.0]> : tensor<1xf32>
  %y = ncnn.convolution %x weight %w weight_int8_scales %s bottom_int8_scales %i top_int8_scales %o {name = "y", num_output = 3, kernel_w = 1, int8_scale_term = 101} : (tensor<1x4x4xi8>, tensor<3x1x1x1xi8>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x4x4xi8>
  func.return %y : tensor<3x4x4xi8>
}

// CHECK-LABEL: func.func @quantize(%x: tensor<4x4xf32>) -> (tensor<4x4xi8> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %number = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %y = ncnn.quantize %x scale %number {name = "y"} : (tensor<4x4xf32>, tensor<1xf32>) -> tensor<4x4xi8>
// CHECK-NEXT:   func.return %y : tensor<4x4xi8>
// CHECK-NEXT: }
func.func @quantize(%x: tensor<4x4xf32>) -> (tensor<4x4xi8> {ncnn.blob = "y"}) {
  %s = ncnn.constant dense<[1.0]> : tensor<1xf32>
  %y = ncnn.quantize %x scale %s {name = "y"} : (tensor<4x4xf32>, tensor<1xf32>) -> tensor<4x4xi8>
  func.return %y : tensor<4x4xi8>
}
