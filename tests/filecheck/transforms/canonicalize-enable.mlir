// RUN: ncnn-opt --canonicalize="enable=fuse-conv-bn,fuse-conv-activation" %s | filecheck %s --match-full-lines
// RUN: ncnn-opt -p "canonicalize{enable=fuse-conv-activation,fuse-conv-bn}" %s | filecheck %s --match-full-lines
// RUN: ncnn-opt -p "canonicalize{enable=fuse-conv-bn,fuse-conv-activation}" --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: ncnn-opt -p "canonicalize{enable=fuse-conv-bn}" %s > %t.one
// RUN: ncnn-opt --fuse-conv-bn %s | diff %t.one -
// RUN: ncnn-opt --canonicalize="enable=fuse-conv-bn,fuse-conv-activation" --print-pipeline | filecheck %s --check-prefix=PIPELINE

// PIPELINE: canonicalize{enable=fuse-conv-bn,fuse-conv-activation}

// The activation can be fused only after the BatchNorm: the passes are applied together, in any
// order of their names. The Dropout and the Sigmoid after the MatMul stay.
// REMARK:      remark: fuse-conv-bn: Convolution 'conv', BatchNorm 'bn'
// REMARK-NEXT: remark: fuse-conv-activation: Convolution 'conv', ReLU 'relu'
// REMARK-NOT:  remark
// CHECK-LABEL: func.func @together(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[2.000000e+00]]], [[[1.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-NEXT:   %b = ncnn.constant dense<[1.850000e+01, 1.200000e+01]> : tensor<2xf32>
// CHECK-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", blobs = ["relu"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT:   %drop = ncnn.dropout %conv {name = "drop"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT:   func.return %drop : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @together(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %bn {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %drop = ncnn.dropout %relu {name = "drop"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %drop : tensor<2x1x1xf32>
}
