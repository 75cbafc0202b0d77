// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-innerproduct-activation %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The InnerProduct has one already.
func.func @fused_activation(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %sigmoid = ncnn.sigmoid %fc {name = "sigmoid"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %sigmoid : tensor<2xf32>
}

// The model gives its blob out.
func.func @returned(%x: tensor<3xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %fc {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu, %fc : tensor<2xf32>, tensor<2xf32>
}

// Not element by element.
func.func @softmax(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %softmax = ncnn.softmax %fc {name = "softmax"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %softmax : tensor<2xf32>
}

// The runtime is told to treat the two layers differently.
func.func @other_features(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2, featmask = 1} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %fc {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// fuse-conv-activation does that.
func.func @convolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}
