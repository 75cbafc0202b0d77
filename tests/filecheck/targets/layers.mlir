// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines
// RUN: ncnn-opt %t.param | filecheck %s --match-full-lines --check-prefix=BACK

// Layers in their order, names of layers and blobs, parameters that are not their default. The weights
// are in the .bin beside, as they were: so they come back.

// CHECK:      7767517
// CHECK-NEXT: 5 5
// CHECK-NEXT: Input                    data                     0 1 data 0=2 1=2 2=1
// CHECK-NEXT: Convolution              conv                     1 1 data conv 0=2 1=1 5=1 6=2 9=2 -23310=1,1.000000e-01
// CHECK-NEXT: Pooling                  pool                     1 1 conv pool 0=1 4=1
// CHECK-NEXT: InnerProduct             fc                       1 1 pool fc 0=2 2=4
// CHECK-NEXT: Softmax                  softmax                  1 1 fc prob

// BACK: %conv_weight = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BACK: %conv_bias = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BACK: %fc_weight = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf16>
func.func @main(%data: tensor<1x2x2xf32> {ncnn.blob = "data"}) -> (tensor<2xf32> {ncnn.blob = "prob"}) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %data weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1, activation_type = leakyrelu, activation_params = [0.1]} : (tensor<1x2x2xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<2x2x2xf32>) -> tensor<2xf32>
  %fw = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  %fc = ncnn.innerproduct %pool weight %fw {name = "fc", num_output = 2} : (tensor<2xf32>, tensor<2x2xf16>) -> tensor<2xf32>
  %prob = ncnn.softmax %fc {name = "softmax", blobs = ["prob"]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %prob : tensor<2xf32>
}
