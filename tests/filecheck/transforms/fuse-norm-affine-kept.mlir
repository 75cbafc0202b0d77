// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-norm-affine %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// A vector as long as the blob is high is for the rows.
func.func @rows(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %c = ncnn.constant {name = "c"} dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  func.return %z : tensor<3x3xf32>
}

// One for each row.
func.func @column(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.constant {name = "c"} dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// A Scale is for the rows, too.
func.func @scale(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %sc = ncnn.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %z = ncnn.scale %y scale %sc {name = "z"} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  func.return %z : tensor<3x3xf32>
}

// The blob grows.
func.func @grows(%x: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %c = ncnn.constant {name = "c"} dense<[[3.0, 1.0, 2.0], [4.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// 1 / y is no scale.
func.func @rdiv(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = rdiv, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Weights that are left out.
func.func @elided(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %gg = ncnn.constant #ncnn.elided : tensor<3xf32>
  %bb = ncnn.constant #ncnn.elided : tensor<3xf32>
  %y = ncnn.layernorm %x gamma %gg beta %bb {name = "y", affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Too large for float32.
func.func @infinite(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %gg = ncnn.constant dense<[1.0e+30, 2.0, 2.0]> : tensor<3xf32>
  %bb = ncnn.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %y = ncnn.layernorm %x gamma %gg beta %bb {name = "y", affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 1.0e+30} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Somebody else reads the normalized blob.
func.func @second_consumer(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.absval %y {name = "v"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z, %v : tensor<2x3xf32>, tensor<2x3xf32>
}

// The runtime treats the two differently.
func.func @features(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = ncnn.layernorm %x {name = "y", affine_size = 3, featmask = 1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// A type may claim any number of channels: no weights are made for so many.
func.func @claimed(%x: tensor<16777216x3x5xf32>) -> tensor<16777216x3x5xf32> {
  %y = ncnn.instancenorm %x {name = "y", channels = 4} : (tensor<16777216x3x5xf32>) -> tensor<16777216x3x5xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<16777216x3x5xf32>) -> tensor<16777216x3x5xf32>
  func.return %z : tensor<16777216x3x5xf32>
}
