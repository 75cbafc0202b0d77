// Needs `not has_one_window(op, shape)`
// replace-pooling-with-global-pooling adaptive: activation_type = 3, activation_params = (0.0, 6.0); out_w = -233; the input has shape (-9223372036854775808, -9223372036854775808, 3).
builtin.module attributes {ncnn.tune = "none"} {
  func.func @ReplacePooling_1(%x: tensor<?x?x3xf32>) -> tensor<2xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
    %p = ncnn.pooling %x {name = "p", adaptive_pooling = 1, out_w = -233, out_h = 1} : (tensor<?x?x3xf32>) -> tensor<?x1x3xf32>
    %y = ncnn.innerproduct %p weight %w {name = "y", num_output = 2, activation_type = clip, activation_params = [0.0, 6.0]} : (tensor<?x1x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
    func.return %y : tensor<2xf32>
  }
}

// -----

// Needs `wanted_of(op, 'out') == (1, 1)`
// replace-pooling-with-global-pooling adaptive: activation_type = 3, activation_params = (0.0, 6.0); out_w = -233; the input has shape (-9223372036854775808, -9223372036854775808, 3).
builtin.module attributes {ncnn.tune = "none"} {
  func.func @has_one_window_1(%x: tensor<?x?x3xf32>) -> tensor<2xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
    %p = ncnn.pooling %x {name = "p", adaptive_pooling = 1, out_w = -233, out_h = 1} : (tensor<?x?x3xf32>) -> tensor<?x1x3xf32>
    %y = ncnn.innerproduct %p weight %w {name = "y", num_output = 2, activation_type = clip, activation_params = [0.0, 6.0]} : (tensor<?x1x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
    func.return %y : tensor<2xf32>
  }
}
