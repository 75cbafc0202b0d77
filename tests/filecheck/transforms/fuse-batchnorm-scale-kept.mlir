// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-batchnorm-scale %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Somebody else needs the BatchNorm's blob as it is.
func.func @second_consumer(%x: tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %absval = ncnn.absval %bn {name = "absval"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %scale, %absval : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// The model gives it out.
func.func @returned(%x: tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale, %bn : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// The scale would have to go through it.
func.func @activation_between(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
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

// The scale is a blob of the graph.
func.func @scale_by_blob(%x: tensor<2x1x1xf32>, %s: tensor<2xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// 3 channels for 2: such a model is damaged, and not ours to mend.
func.func @other_channels(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5, 1.0]> : tensor<3xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<3xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// Nor does a Scale of one value broadcast.
func.func @one_channel(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0]> : tensor<1xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<1xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// There are no values.
func.func @elided(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %slope = ncnn.constant #ncnn.elided : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// The runtime is told to treat the two layers differently.
func.func @other_features(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale", featmask = 2} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// 3e38 * 3 is no float32.
func.func @too_large(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[3.0e+38, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// A BatchNorm after a Scale.
func.func @other_way_round(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %scale = ncnn.scale %x scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %bn = ncnn.batchnorm %scale slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bn : tensor<2x1x1xf32>
}

// Any other factor folds when canonicalizing.
func.func @other_factor(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %dropout = ncnn.dropout %bn {name = "dropout", scale = 0.5} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %dropout : tensor<2x1x1xf32>
}
