// RUN: ncnn-opt --eliminate-dropout --fuse-conv-activation %s | filecheck %s --check-prefixes=CHECK,GONE
// RUN: ncnn-opt %s --eliminate-dropout --fuse-conv-activation | filecheck %s --check-prefixes=CHECK,GONE
// RUN: ncnn-opt -p eliminate-dropout,fuse-conv-activation %s | filecheck %s --check-prefixes=CHECK,GONE
// RUN: ncnn-opt --passes=eliminate-dropout,fuse-conv-activation %s | filecheck %s --check-prefixes=CHECK,GONE
// RUN: ncnn-opt --eliminate-dropout -p fuse-conv-activation %s | filecheck %s --check-prefixes=CHECK,GONE
// RUN: ncnn-opt -O %s | filecheck %s --check-prefixes=CHECK,GONE

// RUN: ncnn-opt --fuse-conv-activation --eliminate-dropout %s | filecheck %s --check-prefixes=CHECK,LEFT
// RUN: ncnn-opt -p fuse-conv-activation --eliminate-dropout %s | filecheck %s --check-prefixes=CHECK,LEFT
// RUN: ncnn-opt --fuse-conv-activation -p eliminate-dropout %s | filecheck %s --check-prefixes=CHECK,LEFT

// Passes run in the order given, whichever way they are named: a Dropout in between hides the ReLU.
// CHECK-LABEL: @main
// GONE: ncnn.convolution {{.*}} activation_type = relu}
// GONE-NOT: ncnn.relu
// LEFT: ncnn.convolution {{.*}} kernel_w = 1}
// LEFT: ncnn.relu
func.func @main(%x: tensor<1x4x4xf32>) -> tensor<2x4x4xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<2x4x4xf32>
  %drop = ncnn.dropout %conv {name = "drop"} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  func.return %relu : tensor<2x4x4xf32>
}
