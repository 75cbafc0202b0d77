// Needs `not reads(layer.input, beside, other_layer)`
// fuse-parallel-branches-kept places: a further Convolution1D.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FuseParallelBranches_1(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
    %v = ncnn.constant #ncnn.elided : tensor<2x2x3xf32>
    %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x2x1xf32>
    %a_1 = ncnn.convolution1d %in weight %v {name = "new751371", num_output = 2, kernel_w = 3} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
    %b = ncnn.convolution1d %a_1 weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>) -> tensor<2x?xf32>
    %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    func.return %c : tensor<2x?xf32>
  }
}

// -----

// Needs `op.op_type != 1`
// fuse-parallel-branches itself: a further ConvolutionDepthWise1D; op_type = 0.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @factors_of_1(%in: tensor<*xf32>) -> tensor<4x?xf32> {
    %u = ncnn.constant #ncnn.elided : tensor<4x1x1xf32>
    %x = ncnn.convolution1d %in weight %u {name = "x", num_output = 4, kernel_w = 1} : (tensor<*xf32>, tensor<4x1x1xf32>) -> tensor<4x?xf32>
    %w = ncnn.constant #ncnn.elided : tensor<4x2x1xf32>
    %a = ncnn.convolutiondepthwise1d %x weight %w {name = "a", num_output = 4, kernel_w = 1, group = 2} : (tensor<4x?xf32>, tensor<4x2x1xf32>) -> tensor<4x?xf32>
    %a_1 = ncnn.convolutiondepthwise1d %x weight %w {name = "new63206", num_output = 4, kernel_w = 1, group = 2} : (tensor<4x?xf32>, tensor<4x2x1xf32>) -> tensor<4x?xf32>
    %c = ncnn.eltwise %x, %a_1 {name = "c", op_type = prod, coeffs = [8.0, 2.0]} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
    func.return %c : tensor<4x?xf32>
  }
}
