// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-requantize %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-requantize %s > %t.once
// RUN: ncnn-opt --fuse-requantize %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-requantize --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: fuse-requantize: Convolution 'a', ConvolutionDepthWise 'b'
// REMARK-NEXT: remark: fuse-requantize: ConvolutionDepthWise 'b', Convolution 'c'
// REMARK-NEXT: remark: fuse-requantize: Convolution 'a', InnerProduct 'fc', Convolution 'b'

// From convolution to convolution, also depthwise ones.
// CHECK-LABEL: func.func @chain(%data: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
// BEFORE-NEXT:   %one = ncnn.constant dense<[[[[1]]]]> : tensor<1x1x1x1xi8>
// BEFORE-NEXT:   %s = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %t = ncnn.constant dense<[3.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2, activation_type = sigmoid} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
// BEFORE-NEXT:   %b = ncnn.convolutiondepthwise %a weight %one weight_int8_scales %s bottom_int8_scales %t {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 1} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
// BEFORE-NEXT:   %c = ncnn.convolution %b weight %one weight_int8_scales %s bottom_int8_scales %s {name = "c", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
// BEFORE-NEXT:   func.return %c : tensor<1x4x4xf32>
// AFTER-NEXT:    %one = ncnn.constant dense<[[[[1]]]]> : tensor<1x1x1x1xi8>
// AFTER-NEXT:    %s = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %t = ncnn.constant dense<[3.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %a_top_int8_scales = ncnn.constant dense<[3.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s top_int8_scales %a_top_int8_scales {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 102, activation_type = sigmoid} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
// AFTER-NEXT:    %b_top_int8_scales = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %b = ncnn.convolutiondepthwise %a weight %one weight_int8_scales %s bottom_int8_scales %t top_int8_scales %b_top_int8_scales {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 101} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
// AFTER-NEXT:    %c = ncnn.convolution %b weight %one weight_int8_scales %s bottom_int8_scales %s {name = "c", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
// AFTER-NEXT:    func.return %c : tensor<1x4x4xf32>
// CHECK-NEXT: }
func.func @chain(%data: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %t = ncnn.constant dense<[3.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2, activation_type = sigmoid} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %b = ncnn.convolutiondepthwise %a weight %one weight_int8_scales %s bottom_int8_scales %t {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 1} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %c = ncnn.convolution %b weight %one weight_int8_scales %s bottom_int8_scales %s {name = "c", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  func.return %c : tensor<1x4x4xf32>
}

// Through layers that the runtime has in int8, to several readers of one scale.
// CHECK-LABEL: func.func @through(%data: tensor<1x4x4xf32>) -> (tensor<1xf32>, tensor<1x5x5xf32>) {
// BEFORE-NEXT:   %one = ncnn.constant dense<[[[[1]]]]> : tensor<1x1x1x1xi8>
// BEFORE-NEXT:   %row = ncnn.constant dense<1> : tensor<1x16xi8>
// BEFORE-NEXT:   %s = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
// BEFORE-NEXT:   %s0, %s1 = ncnn.split %a {name = "split", blobs = ["s0", "s1"]} : (tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>)
// BEFORE-NEXT:   %r = ncnn.relu %s0 {name = "r"} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
// BEFORE-NEXT:   %f = ncnn.flatten %r {name = "f"} : (tensor<1x4x4xf32>) -> tensor<16xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %f weight %row weight_int8_scales %s bottom_int8_scales %s {name = "fc", num_output = 1, int8_scale_term = 2} : (tensor<16xf32>, tensor<1x16xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %p = ncnn.padding %s1 {name = "p", top = 1, left = 1} : (tensor<1x4x4xf32>) -> tensor<1x5x5xf32>
// BEFORE-NEXT:   %b = ncnn.convolution %p weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x5x5xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
// BEFORE-NEXT:   func.return %fc, %b : tensor<1xf32>, tensor<1x5x5xf32>
// AFTER-NEXT:    %one = ncnn.constant dense<[[[[1]]]]> : tensor<1x1x1x1xi8>
// AFTER-NEXT:    %row = ncnn.constant dense<1> : tensor<1x16xi8>
// AFTER-NEXT:    %s = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %a_top_int8_scales = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s top_int8_scales %a_top_int8_scales {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 102} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
// AFTER-NEXT:    %s0, %s1 = ncnn.split %a {name = "split", blobs = ["s0", "s1"]} : (tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>)
// AFTER-NEXT:    %r = ncnn.relu %s0 {name = "r"} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
// AFTER-NEXT:    %f = ncnn.flatten %r {name = "f"} : (tensor<1x4x4xf32>) -> tensor<16xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %f weight %row weight_int8_scales %s bottom_int8_scales %s {name = "fc", num_output = 1, int8_scale_term = 2} : (tensor<16xf32>, tensor<1x16xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// AFTER-NEXT:    %p = ncnn.padding %s1 {name = "p", top = 1, left = 1} : (tensor<1x4x4xf32>) -> tensor<1x5x5xf32>
// AFTER-NEXT:    %b = ncnn.convolution %p weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x5x5xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
// AFTER-NEXT:    func.return %fc, %b : tensor<1xf32>, tensor<1x5x5xf32>
// CHECK-NEXT: }
func.func @through(%data: tensor<1x4x4xf32>) -> (tensor<1xf32>, tensor<1x5x5xf32>) {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %row = ncnn.constant dense<1> : tensor<1x16xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %s0, %s1 = ncnn.split %a {name = "split", blobs = ["s0", "s1"]} : (tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>)
  %r = ncnn.relu %s0 {name = "r"} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %f = ncnn.flatten %r {name = "f"} : (tensor<1x4x4xf32>) -> tensor<16xf32>
  %fc = ncnn.innerproduct %f weight %row weight_int8_scales %s bottom_int8_scales %s {name = "fc", num_output = 1, int8_scale_term = 2} : (tensor<16xf32>, tensor<1x16xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %p = ncnn.padding %s1 {name = "p", top = 1, left = 1} : (tensor<1x4x4xf32>) -> tensor<1x5x5xf32>
  %b = ncnn.convolution %p weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x5x5xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  func.return %fc, %b : tensor<1xf32>, tensor<1x5x5xf32>
}
