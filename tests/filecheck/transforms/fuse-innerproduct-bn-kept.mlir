// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-innerproduct-bn %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// On a 2-D blob BatchNorm normalizes rows, of which each is an output of the InnerProduct. 2 rows
// would even fit.
func.func @rows(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %bn : tensor<2x2xf32>
}

// A blob of unknown dims may be a batch of rows.
func.func @perhaps_rows(%x: tensor<*xf32>) -> tensor<*xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<*xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<*xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<*xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  func.return %bn : tensor<*xf32>
}

// The InnerProduct applies an activation before.
func.func @fused_activation(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bn : tensor<2xf32>
}

// The model gives its blob out.
func.func @returned(%x: tensor<3xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bn, %fc : tensor<2xf32>, tensor<2xf32>
}

// int8 weights are seen through scales.
func.func @int8(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %si = ncnn.constant dense<[64.0, 32.0]> : tensor<2xf32>
  %so = ncnn.constant dense<127.0> : tensor<1xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b weight_int8_scales %si bottom_int8_scales %so {name = "fc", num_output = 2, int8_scale_term = 2} : (tensor<3xf32>, tensor<2x3xi8>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bn : tensor<2xf32>
}

// There are no values.
func.func @elided_weight(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bn : tensor<2xf32>
}

// 3 channels for 2.
func.func @other_channels(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0, 1.0]> : tensor<3xf32>
  %mean = ncnn.constant dense<[1.0, 2.0, 1.0]> : tensor<3xf32>
  %var = ncnn.constant dense<[3.0, 15.0, 1.0]> : tensor<3xf32>
  %shift = ncnn.constant dense<[0.5, 3.0, 1.0]> : tensor<3xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2xf32>
  func.return %bn : tensor<2xf32>
}

// The runtime is told to treat the two layers differently.
func.func @other_features(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %bn = ncnn.batchnorm %fc slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0, featmask = 2} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bn : tensor<2xf32>
}

// fuse-conv-bn does that.
func.func @convolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %conv slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}
