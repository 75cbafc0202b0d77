// Needs `op.global_pooling`
// fuse-padding-pooling one_dim: the input has shape (2, 1); global_pooling = 4.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @pooled_1(%x: tensor<2x1xf32>) -> tensor<2xf32> {
    %p = ncnn.padding %x {name = "p", right = 1} : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %y = ncnn.pooling1d %p {name = "y", pooling_type = avg, kernel_w = 2, global_pooling = 4, avgpool_count_include_pad = 1} : (tensor<2x2xf32>) -> tensor<2xf32>
    func.return %y : tensor<2xf32>
  }
}

// -----

// Needs `min(pads_of(reader)) < 0`
// fuse-padding-pooling lowest: pad_left = -1; a Split between; featmask = 4.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FusePadding_1(%x: tensor<2x5x5xf32>) -> tensor<2x?x?xf32> {
    %0, %1 = ncnn.split %x {name = "new709973", blobs = ["new709973_0", "new709973_1"], featmask = 4} : (tensor<2x5x5xf32>) -> (tensor<2x5x5xf32>, tensor<2x5x5xf32>)
    %p = ncnn.padding %0 {name = "p", bottom = 1, right = 1, value = -3.402823e+38} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
    %y = ncnn.pooling %p {name = "y", kernel_w = 3, stride_w = 2, pad_left = -1, pad_mode = valid, pad_top = 0, pad_right = 0} : (tensor<2x6x6xf32>) -> tensor<2x?x?xf32>
    func.return %y : tensor<2x?x?xf32>
  }
}

// -----

// Needs `op.pad_mode not in (FULL, VALID)`
// fuse-padding-pooling-kept same: the input has shape None.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @pooled_2(%x: tensor<*xf32>) -> tensor<?x?x?xf32> {
    %p = ncnn.padding %x {name = "p", top = 1, value = -3.402823e+38} : (tensor<*xf32>) -> tensor<*xf32>
    %y = ncnn.pooling %p {name = "y", kernel_w = 3, pad_mode = same_upper} : (tensor<*xf32>) -> tensor<?x?x?xf32>
    func.return %y : tensor<?x?x?xf32>
  }
}
