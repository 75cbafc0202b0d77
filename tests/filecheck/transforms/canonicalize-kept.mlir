// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --canonicalize %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// An activation between.
func.func @bn_relu_scale(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %bn {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %relu scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// One of the two is a blob.
func.func @scale_by_blob(%x: tensor<2x1x1xf32>, %s: tensor<2xf32>) -> tensor<2x1x1xf32> {
  %t = ncnn.constant dense<[-1.0, 4.0]> : tensor<2xf32>
  %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale2 = ncnn.scale %scale scale %t {name = "scale2"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale2 : tensor<2x1x1xf32>
}

// Somebody else needs the BatchNorm's blob as it is.
func.func @second_consumer(%x: tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %bn {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %bn {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %mul, %relu : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// There is no host.
func.func @activation_alone(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %relu = ncnn.relu %x {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// Not with power 1.
func.func @power(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %power = ncnn.power %conv {name = "power", power = 2.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %power : tensor<2x1x1xf32>
}

// A layer that nobody knows, and what is around it.
func.func @custom(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %mine = ncnn.custom "Mine"(%scale) {name = "mine"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %mine {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// A copy has memory of its own.
func.func @deepcopy(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %deepcopy = ncnn.deepcopy %conv {name = "deepcopy"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %deepcopy {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}
