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

// -----

// Needs `channels != host.num_input()` or `shapes.same(value, beside)`
// Written for this condition.
builtin.module {
  func.func @branch_beside_1(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
    %v = ncnn.constant #ncnn.elided : tensor<1x2x3x3xf32>
    %a = ncnn.convolution %x weight %v {name = "a", num_output = 1, kernel_w = 3, pad_left = 1} : (tensor<2x?x?xf32>, tensor<1x2x3x3xf32>) -> tensor<1x?x?xf32>
    %y = ncnn.binaryop %a, %x {name = "y", op_type = add} : (tensor<1x?x?xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    func.return %y : tensor<2x?x?xf32>
  }
}

// -----

// Needs `bias is None and op.bias is not None` or `not op.has_float_constants()`
// fuse-parallel-branches-kept bias_overflows_float16: a weight is a MemoryData layer; the inputs have shapes [(-9223372036854775808, -9223372036854775808)].
builtin.module attributes {ncnn.tune = "none"} {
  func.func @convolution_branch_1(%in: tensor<?x?xf32>) -> tensor<1x?xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<1x1x1xf32>
    %wb = ncnn.constant {name = "memory"} #ncnn.elided : tensor<1xf32>
    %a = ncnn.convolution1d %in weight %w bias %wb {name = "a", num_output = 1, kernel_w = 1} : (tensor<?x?xf32>, tensor<1x1x1xf32>, tensor<1xf32>) -> tensor<1x?xf32>
    %u = ncnn.constant #ncnn.elided : tensor<1x1x1xf32>
    %ub = ncnn.constant #ncnn.elided : tensor<1xf32>
    %b = ncnn.convolution1d %in weight %u bias %ub {name = "b", num_output = 1, kernel_w = 1} : (tensor<?x?xf32>, tensor<1x1x1xf32>, tensor<1xf32>) -> tensor<1x?xf32>
    %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
    func.return %c : tensor<1x?xf32>
  }
}
