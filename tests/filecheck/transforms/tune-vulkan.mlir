// A rewrite whose result has a Vulkan implementation only in newer releases.
// RUN: ncnn-opt --tune vulkan --for-ncnn 20260113 --ncnn-recognize %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --tune vulkan --for-ncnn 20260526 --ncnn-recognize %s | filecheck %s --check-prefix=FUSED
// RUN: ncnn-opt --tune vulkan --ncnn-recognize %s | filecheck %s --check-prefix=FUSED
// RUN: ncnn-opt --for-ncnn 20260113 --ncnn-recognize %s | filecheck %s --check-prefix=FUSED
// RUN: ncnn-opt --tune vulkan --for-ncnn 20260113 --ncnn-recognize --remarks=missed %s 2>&1 | filecheck %s --check-prefix=MISSED

// MISSED: missed: fuse-groupnorm: Reshape 'y', LayerNorm 'n', Reshape 'r' (its Vulkan implementation requires ncnn 20260526)

// KEPT: ncnn.layernorm
// FUSED: ncnn.groupnorm
func.func @groups(%i: tensor<1x3x5xf32>) -> tensor<4x3x5xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<4x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<1x3x5xf32>, tensor<4x1x3x3xf32>) -> tensor<4x3x5xf32>
  %r = ncnn.reshape %x {name = "r", w = -1, h = 2} : (tensor<4x3x5xf32>) -> tensor<2x30xf32>
  %n = ncnn.layernorm %r {name = "n", affine_size = 30} : (tensor<2x30xf32>) -> tensor<2x30xf32>
  %y = ncnn.reshape %n {name = "y", w = 5, h = 3, c = 4} : (tensor<2x30xf32>) -> tensor<4x3x5xf32>
  func.return %y : tensor<4x3x5xf32>
}
