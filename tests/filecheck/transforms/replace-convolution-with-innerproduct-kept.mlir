// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-convolution-with-innerproduct %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// An image, and a group of channels.
func.func @images(%x: tensor<4x?x?xf32>, %y: tensor<4xf32>) -> (tensor<2x?x?xf32>, tensor<*xf32>) {
  %v = ncnn.constant dense<1.0> : tensor<2x4x1x1xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 1} : (tensor<4x?x?xf32>, tensor<2x4x1x1xf32>) -> tensor<2x?x?xf32>
  %b = ncnn.convolutiondepthwise %y weight %w {name = "b", num_output = 2, kernel_w = 1, group = 2} : (tensor<4xf32>, tensor<2x2x1x1xf32>) -> tensor<*xf32>
  func.return %a, %b : tensor<2x?x?xf32>, tensor<*xf32>
}
