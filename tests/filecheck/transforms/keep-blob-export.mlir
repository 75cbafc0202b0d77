// RUN: ncnn-opt -O --keep-blob conv %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// The convolution's blob is read by a layer and given out: a Split stands between. What would have
// gone into the convolution stays.
// CHECK:      Input                    x                        0 1 x 0=1 1=1 2=1
// CHECK-NEXT: Convolution              conv                     1 1 x conv_1 0=2 1=1 6=2
// CHECK-NEXT: Split                    splitncnn_0              1 2 conv_1 conv_1_splitncnn_0 conv
// CHECK-NEXT: Dropout                  drop                     1 1 conv_1_splitncnn_0 drop 0=2.000000e+00
// CHECK-NEXT: ReLU                     relu                     1 1 drop relu
func.func @main(%x: tensor<1x1x1xf32> {ncnn.blob = "x"}) -> (tensor<2x1x1xf32> {ncnn.blob = "relu"}) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %drop = ncnn.dropout %conv {name = "drop", scale = 2.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}
