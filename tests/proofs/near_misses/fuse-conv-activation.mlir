// Needs `host.writes_int8()`
// fuse-conv-activation-kept int8_output: slope = -3.0.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FuseActivation_1(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
    %w = ncnn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
    %b = ncnn.constant #ncnn.elided : tensor<2xf32>
    %si = ncnn.constant #ncnn.elided : tensor<2xf32>
    %so = ncnn.constant #ncnn.elided : tensor<1xf32>
    %conv = ncnn.convolution %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so top_int8_scales %so {name = "conv", num_output = 2, kernel_w = 1, int8_scale_term = 102} : (tensor<1x1x1xf32>, tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
    %relu = ncnn.relu %conv {name = "relu", slope = -3.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    func.return %relu : tensor<2x1x1xf32>
  }
}
