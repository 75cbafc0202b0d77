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

// The weights of an InnerProduct are float16 in the runtime, those of a Convolution are not on x86.
func.func @too_small_for_float16(%x: tensor<*xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0e-5> : tensor<2x2x1x1xf32>
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 2} : (tensor<*xf32>) -> tensor<2x?x2xf32>
  %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<2x?x2xf32>) -> tensor<2xf32>
  %y = ncnn.convolution %pool weight %w {name = "y", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
