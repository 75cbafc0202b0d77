// Needs `any((v is None and b is not None for v, b in zip(biases, (first.bias, op.bias))))` or `op.has_float_constants()`
// Written for this condition.
builtin.module {
  func.func @ComposeConvolutions_1(%x: tensor<8x?x?xf32>, %b: tensor<9xf32>) -> tensor<8x?x?xf32> {
    %v = ncnn.constant #ncnn.elided : tensor<9x8x1x1xf32>
    %w = ncnn.constant #ncnn.elided : tensor<8x9x1x1xf32>
    %a = ncnn.convolution %x weight %v bias %b {name = "a", num_output = 9, kernel_w = 1} : (tensor<8x?x?xf32>, tensor<9x8x1x1xf32>, tensor<9xf32>) -> tensor<9x?x?xf32>
    %c = ncnn.convolution %a weight %w {name = "c", num_output = 8, kernel_w = 1} : (tensor<9x?x?xf32>, tensor<8x9x1x1xf32>) -> tensor<8x?x?xf32>
    func.return %c : tensor<8x?x?xf32>
  }
}

// -----

// Needs `op.has_float_constants()` or `any((v is None and b is not None for v, b in zip(biases, (first.bias, op.bias))))`
// Written for this condition.
builtin.module {
  func.func @is_pointwise_1(%x: tensor<8x?x?xf32>, %b: tensor<9xf32>) -> tensor<8x?x?xf32> {
    %v = ncnn.constant #ncnn.elided : tensor<9x8x1x1xf32>
    %w = ncnn.constant #ncnn.elided : tensor<8x9x1x1xf32>
    %a = ncnn.convolution %x weight %v bias %b {name = "a", num_output = 9, kernel_w = 1} : (tensor<8x?x?xf32>, tensor<9x8x1x1xf32>, tensor<9xf32>) -> tensor<9x?x?xf32>
    %c = ncnn.convolution %a weight %w {name = "c", num_output = 8, kernel_w = 1} : (tensor<9x?x?xf32>, tensor<8x9x1x1xf32>) -> tensor<8x?x?xf32>
    func.return %c : tensor<8x?x?xf32>
  }
}
