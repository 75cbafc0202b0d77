// Needs `op.global_pooling`
// fuse-padding-pooling one_dim: the input has shape (2, 1); global_pooling = 4.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @pooled_1(%x: tensor<2x1xf32>) -> tensor<2xf32> {
    %p = ncnn.padding %x {name = "p", right = 1} : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %y = ncnn.pooling1d %p {name = "y", pooling_type = avg, kernel_w = 2, global_pooling = 4, avgpool_count_include_pad = 1} : (tensor<2x2xf32>) -> tensor<2xf32>
    func.return %y : tensor<2xf32>
  }
}
