// Needs `any(put)` or `not others`
// fuse-padding-conv-kept channels: top = 0.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @amounts_1(%x: tensor<1x5x5xf32>) -> tensor<4x3x3xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
    %p = ncnn.padding %x {name = "p", behind = 1} : (tensor<1x5x5xf32>) -> tensor<2x5x5xf32>
    %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x3x3xf32>
    func.return %y : tensor<4x3x3xf32>
  }
}
