// RUN: xdsl-opt -p fuse-conv-bn %s | filecheck %s
// RUN: xdsl-opt -p canonicalize %s | filecheck %s
// RUN: xdsl-opt %s | ncnn-opt --fuse-conv-bn | filecheck %s

// Plain xdsl-opt has our dialect and passes, without being told. (The algebra is in fuse-conv-bn.mlir.)
// CHECK:      func.func @main(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-NEXT:   %w_bias = ncnn.constant dense<[-1.500000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %conv = ncnn.convolution %x weight %w bias %w_bias {name = "conv", blobs = ["bn"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT:   func.return %conv : tensor<2x1x1xf32>
func.func @main(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}
