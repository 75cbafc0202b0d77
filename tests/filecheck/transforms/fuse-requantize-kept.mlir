// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-requantize %s | diff %t.before -

// Nothing here may change.

// The blob is an output of the model: it stays float.
func.func @output(%data: tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>) {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %b = ncnn.convolution %a weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  func.return %a, %b : tensor<1x4x4xf32>, tensor<1x4x4xf32>
}

// The readers round at two scales.
func.func @scales(%data: tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>) {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %t = ncnn.constant dense<[2.00000024]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %b = ncnn.convolution %a weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %c = ncnn.convolution %a weight %one weight_int8_scales %s bottom_int8_scales %t {name = "c", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  func.return %b, %c : tensor<1x4x4xf32>, tensor<1x4x4xf32>
}

// A layer that computes with floats reads it as well.
func.func @float_reader(%data: tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>) {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %b = ncnn.convolution %a weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %h = ncnn.hardswish %a {name = "h"} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  func.return %b, %h : tensor<1x4x4xf32>, tensor<1x4x4xf32>
}

// So does one behind a Split.
func.func @behind_split(%data: tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>) {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %s0, %s1 = ncnn.split %a {name = "split", blobs = ["s0", "s1"]} : (tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>)
  %b = ncnn.convolution %s0 weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %h = ncnn.hardswish %s1 {name = "h"} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  func.return %b, %h : tensor<1x4x4xf32>, tensor<1x4x4xf32>
}

// A blob between is an output.
func.func @kept_between(%data: tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>) {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %r = ncnn.relu %a {name = "r"} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %b = ncnn.convolution %r weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  func.return %r, %b : tensor<1x4x4xf32>, tensor<1x4x4xf32>
}

// The runtime's Pooling takes int8 for floats.
func.func @pooling(%data: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %p = ncnn.pooling %a {name = "p", kernel_w = 1} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %b = ncnn.convolution %p weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  func.return %b : tensor<1x4x4xf32>
}

// Its Concat computes with int8 on few processors.
func.func @concat(%data: tensor<1x4x4xf32>) -> tensor<1x8x4xf32> {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %c = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "c", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %p = ncnn.concat %a, %c {name = "p", axis = 1} : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x8x4xf32>
  %b = ncnn.convolution %p weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x8x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x4xf32>
  func.return %b : tensor<1x8x4xf32>
}

// A ReLU with a slope is left undone in int8.
func.func @leaky(%data: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %r = ncnn.relu %a {name = "r", slope = 0.5} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %b = ncnn.convolution %r weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  func.return %b : tensor<1x4x4xf32>
}

// The padding would be the int8 1.
func.func @padding(%data: tensor<1x4x4xf32>) -> tensor<1x5x4xf32> {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %p = ncnn.padding %a {name = "p", top = 1, value = 1.0} : (tensor<1x4x4xf32>) -> tensor<1x5x4xf32>
  %b = ncnn.convolution %p weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x5x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x4xf32>
  func.return %b : tensor<1x5x4xf32>
}

// A float convolution makes no int8.
func.func @float_producer(%data: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %w = ncnn.constant dense<1.0> : tensor<1x1x1x1xf32>
  %a = ncnn.convolution %data weight %w {name = "a", num_output = 1, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4xf32>
  %b = ncnn.convolution %a weight %one weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  func.return %b : tensor<1x4x4xf32>
}

// Nor does an InnerProduct.
func.func @innerproduct(%data: tensor<1x4x4xf32>) -> tensor<1xf32> {
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %row = ncnn.constant dense<1> : tensor<1x16xi8>
  %two = ncnn.constant dense<1> : tensor<1x1xi8>
  %a = ncnn.innerproduct %data weight %row weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x16xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %b = ncnn.innerproduct %a weight %two weight_int8_scales %s bottom_int8_scales %s {name = "b", num_output = 1, int8_scale_term = 2} : (tensor<1xf32>, tensor<1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %b : tensor<1xf32>
}

// Nobody knows the scale of the reader.
func.func @unknown_scale(%data: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %one = ncnn.constant dense<1> : tensor<1x1x1x1xi8>
  %s = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %u = ncnn.constant #ncnn.elided : tensor<1xf32>
  %a = ncnn.convolution %data weight %one weight_int8_scales %s bottom_int8_scales %s {name = "a", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %b = ncnn.convolution %a weight %one weight_int8_scales %s bottom_int8_scales %u {name = "b", num_output = 1, kernel_w = 1, int8_scale_term = 2} : (tensor<1x4x4xf32>, tensor<1x1x1x1xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  func.return %b : tensor<1x4x4xf32>
}
