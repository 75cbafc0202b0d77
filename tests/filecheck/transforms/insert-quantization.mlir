// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --insert-quantization='table="%S/Inputs/int8.table"' %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt -p 'insert-quantization{table="%S/Inputs/int8.table"}' --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: ncnn-opt --insert-quantization='table="%S/Inputs/int8.table" keep=conv,fc' --remarks %s 2>&1 | filecheck %s --check-prefix=KEPT

// REMARK: remark: insert-quantization: Convolution 'conv' (int8, the input times 31.75)
// REMARK-NEXT: remark: insert-quantization: ConvolutionDepthWise 'dw' (1 channel has weights of 0 only: scale 1)
// REMARK-NEXT: remark: insert-quantization: ConvolutionDepthWise 'dw' (int8, the input times 100)
// REMARK-NEXT: remark: insert-quantization: InnerProduct 'fc' (int8, the input times 2)
// KEPT: remark: insert-quantization: Convolution 'conv' (stays float: it is to be kept)
// KEPT-NEXT: remark: insert-quantization: ConvolutionDepthWise 'dw' (1 channel has weights of 0 only: scale 1)
// KEPT-NEXT: remark: insert-quantization: ConvolutionDepthWise 'dw' (int8, the input times 100)
// KEPT-NEXT: remark: insert-quantization: InnerProduct 'fc' (stays float: it is to be kept)

// Halves round away from zero, what is larger than 127 times 1 / scale is 127. The table has an infinite scale for
// the second channel of 'dw', as ncnn2table writes it for weights of 0.
// CHECK-LABEL: func.func @main(%data: tensor<1x4x4xf32>) -> tensor<1xf32> {
// BEFORE-NEXT:   %conv_weight = ncnn.constant dense<[[[[5.020000e-01]]], [[[-2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %conv_bias = ncnn.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %data weight %conv_weight bias %conv_bias {name = "conv", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x4x4xf32>
// BEFORE-NEXT:   %dw_weight = ncnn.constant dense<[[[[1.000000e+01, -4.000850e-02]]], [[[0.000000e+00, 0.000000e+00]]]]> : tensor<2x1x1x2xf16>
// BEFORE-NEXT:   %dw = ncnn.convolutiondepthwise %conv weight %dw_weight {name = "dw", num_output = 2, kernel_w = 2, group = 2, kernel_h = 1} : (tensor<2x4x4xf32>, tensor<2x1x1x2xf16>) -> tensor<2x4x3xf32>
// BEFORE-NEXT:   %pool = ncnn.pooling %dw {name = "pool", global_pooling = 1} : (tensor<2x4x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %fc_weight = ncnn.constant dense<[[2.500000e-01, -1.000000e+03]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %pool weight %fc_weight {name = "fc", num_output = 1} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   func.return %fc : tensor<1xf32>
// AFTER-NEXT:   %conv_bias = ncnn.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// AFTER-NEXT:   %conv_weight = ncnn.constant dense<[[[[64]]], [[[-127]]]]> : tensor<2x1x1x1xi8>
// AFTER-NEXT:   %conv_weight_int8_scales = ncnn.constant dense<[1.270000e+02, 6.350000e+01]> : tensor<2xf32>
// AFTER-NEXT:   %conv_bottom_int8_scales = ncnn.constant dense<[3.175000e+01]> : tensor<1xf32>
// AFTER-NEXT:   %conv = ncnn.convolution %data weight %conv_weight bias %conv_bias weight_int8_scales %conv_weight_int8_scales bottom_int8_scales %conv_bottom_int8_scales {name = "conv", num_output = 2, kernel_w = 1, int8_scale_term = 2, activation_type = relu} : (tensor<1x4x4xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x4x4xf32>
// AFTER-NEXT:   %dw_weight = ncnn.constant dense<[[[[127, -1]]], [[[0, 0]]]]> : tensor<2x1x1x2xi8>
// AFTER-NEXT:   %dw_weight_int8_scales = ncnn.constant dense<[1.270000e+01, 1.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:   %dw_bottom_int8_scales = ncnn.constant dense<[1.000000e+02]> : tensor<1xf32>
// AFTER-NEXT:   %dw = ncnn.convolutiondepthwise %conv weight %dw_weight weight_int8_scales %dw_weight_int8_scales bottom_int8_scales %dw_bottom_int8_scales {name = "dw", num_output = 2, kernel_w = 2, group = 2, int8_scale_term = 1, kernel_h = 1} : (tensor<2x4x4xf32>, tensor<2x1x1x2xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x4x3xf32>
// AFTER-NEXT:   %pool = ncnn.pooling %dw {name = "pool", global_pooling = 1} : (tensor<2x4x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:   %fc_weight = ncnn.constant dense<[[3, -127]]> : tensor<1x2xi8>
// AFTER-NEXT:   %fc_weight_int8_scales = ncnn.constant dense<[1.000000e+01]> : tensor<1xf32>
// AFTER-NEXT:   %fc_bottom_int8_scales = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:   %fc = ncnn.innerproduct %pool weight %fc_weight weight_int8_scales %fc_weight_int8_scales bottom_int8_scales %fc_bottom_int8_scales {name = "fc", num_output = 1, int8_scale_term = 2} : (tensor<2xf32>, tensor<1x2xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// AFTER-NEXT:   func.return %fc : tensor<1xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<1x4x4xf32>) -> tensor<1xf32> {
  %conv_weight = ncnn.constant dense<[[[[0.502]]], [[[-2.0]]]]> : tensor<2x1x1x1xf32>
  %conv_bias = ncnn.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %conv = ncnn.convolution %data weight %conv_weight bias %conv_bias {name = "conv", num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x4x4xf32>
  %dw_weight = ncnn.constant dense<[[[[10.0, -0.04]]], [[[0.0, 0.0]]]]> : tensor<2x1x1x2xf16>
  %dw = ncnn.convolutiondepthwise %conv weight %dw_weight {name = "dw", num_output = 2, kernel_w = 2, kernel_h = 1, group = 2} : (tensor<2x4x4xf32>, tensor<2x1x1x2xf16>) -> tensor<2x4x3xf32>
  %pool = ncnn.pooling %dw {name = "pool", global_pooling = 1} : (tensor<2x4x3xf32>) -> tensor<2xf32>
  %fc_weight = ncnn.constant dense<[[0.25, -1000.0]]> : tensor<1x2xf32>
  %fc = ncnn.innerproduct %pool weight %fc_weight {name = "fc", num_output = 1} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}
