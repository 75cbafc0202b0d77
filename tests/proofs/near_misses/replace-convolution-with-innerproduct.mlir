// Needs `not provably_equal(shapes_of(rewriter).of(op.input), shape[1:])`
// replace-convolution-with-innerproduct-kept images: the inputs have shapes [None, None].
builtin.module attributes {ncnn.tune = "none"} {
  func.func @ReplaceConvolution_1(%x: tensor<*xf32>, %y: tensor<*xf32>) -> (tensor<*xf32>, tensor<2x?x?xf32>) {
    %v = ncnn.constant #ncnn.elided : tensor<2x4x1x1xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x2x1x1xf32>
    %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1} : (tensor<*xf32>, tensor<2x4x1x1xf32>) -> tensor<*xf32>
    %b = ncnn.convolutiondepthwise %y weight %w {name = "b", num_output = 2, kernel_w = 1, group = 2} : (tensor<*xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
    func.return %a, %b : tensor<*xf32>, tensor<2x?x?xf32>
  }
}
