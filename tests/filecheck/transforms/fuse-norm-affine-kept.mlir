// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-norm-affine %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// A vector as long as the blob is high is for the rows.
func.func @rows(%i: tensor<1x3x3xf32>) -> tensor<3x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 3} : (tensor<1x3x3xf32>) -> tensor<3x3xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %c = ncnn.constant {name = "c"} dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  func.return %z : tensor<3x3xf32>
}

// One for each row.
func.func @column(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.constant {name = "c"} dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// A Scale is for the rows, too.
func.func @scale(%i: tensor<1x3x3xf32>) -> tensor<3x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 3} : (tensor<1x3x3xf32>) -> tensor<3x3xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %sc = ncnn.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %z = ncnn.scale %y scale %sc {name = "z"} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  func.return %z : tensor<3x3xf32>
}

// The blob grows.
func.func @grows(%i: tensor<1x1x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 1} : (tensor<1x1x3xf32>) -> tensor<1x3xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %c = ncnn.constant {name = "c"} dense<[[3.0, 1.0, 2.0], [4.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// 1 / y is no scale.
func.func @rdiv(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = rdiv, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Weights that are left out.
func.func @elided(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %gg = ncnn.constant #ncnn.elided : tensor<3xf32>
  %bb = ncnn.constant #ncnn.elided : tensor<3xf32>
  %y = ncnn.layernorm %x gamma %gg beta %bb {name = "y", affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Too large for float32.
func.func @infinite(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %gg = ncnn.constant dense<[1.0e+30, 2.0, 2.0]> : tensor<3xf32>
  %bb = ncnn.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %y = ncnn.layernorm %x gamma %gg beta %bb {name = "y", affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 1.0e+30} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Somebody else reads the normalized blob.
func.func @second_consumer(%i: tensor<1x2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.absval %y {name = "v"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z, %v : tensor<2x3xf32>, tensor<2x3xf32>
}

// The runtime treats the two differently.
func.func @features(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
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

// How many columns the input has, the file does not decide: a slice may be longer than gamma would be.
func.func @declared_slice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Nor how many channels it has,
func.func @declared_channels(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %y = ncnn.instancenorm %x {name = "y", channels = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %z : tensor<2x3x4xf32>
}

// of which a GroupNorm leaves what it does not expect as it is.
func.func @declared_groups(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %gg = ncnn.constant dense<[2.0, 2.0]> : tensor<2xf32>
  %bb = ncnn.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %y = ncnn.groupnorm %x gamma %gg beta %bb {name = "y", channels = 2} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %z : tensor<2x3x4xf32>
}

// Three rows, and the vector is for them.
func.func @declared_rows(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = -1} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.constant {name = "c"} dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// One column, and the blob grows.
func.func @declared_column(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %gg = ncnn.constant dense<[2.0, 2.0, 2.0]> : tensor<3xf32>
  %bb = ncnn.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %y = ncnn.layernorm %x gamma %gg beta %bb {name = "y", affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %c = ncnn.constant {name = "c"} dense<[[3.0, 4.0, 5.0]]> : tensor<1x3xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Times another blob.
func.func @blob(%i: tensor<1x2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %y, %o {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}
