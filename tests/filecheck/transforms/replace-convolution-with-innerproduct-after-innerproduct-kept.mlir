// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-innerproduct %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Rows, of which nobody knows whether they are some.
func.func @perhaps_rows(%x: tensor<*xf32>) -> tensor<*xf32> {
  %u = ncnn.constant dense<1.0> : tensor<2x3xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %fc = ncnn.innerproduct %x weight %u {name = "fc", num_output = 2} : (tensor<*xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  %a = ncnn.convolution %fc weight %v {name = "a", num_output = 2, kernel_w = 1} : (tensor<*xf32>, tensor<2x2x1x1xf32>) -> tensor<*xf32>
  func.return %a : tensor<*xf32>
}

// A larger kernel.
func.func @kernel(%x: tensor<3xf32>) -> tensor<*xf32> {
  %u = ncnn.constant dense<1.0> : tensor<2x3xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x2x1x2xf32>
  %fc = ncnn.innerproduct %x weight %u {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %a = ncnn.convolution %fc weight %v {name = "a", num_output = 2, kernel_w = 2, kernel_h = 1} : (tensor<2xf32>, tensor<2x2x1x2xf32>) -> tensor<*xf32>
  func.return %a : tensor<*xf32>
}

// replace-convolution-with-innerproduct-after-global-pooling does that.
func.func @pooled(%x: tensor<*xf32>) -> tensor<2xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 2} : (tensor<*xf32>) -> tensor<2x?x2xf32>
  %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<2x?x2xf32>) -> tensor<2xf32>
  %a = ncnn.convolution %pool weight %v {name = "a", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}
