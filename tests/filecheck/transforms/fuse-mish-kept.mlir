// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-mish %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Without the TanH.
func.func @no_tanh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.softplus %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Of another blob.
func.func @other_blob(%x: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.softplus %z {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A base of 2.
func.func @base(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = ncnn.exp %x {name = "e", base = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.unaryop %p {name = "s", op_type = log} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A decimal logarithm.
func.func @log10(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = ncnn.unaryop %x {name = "e", op_type = exp} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.unaryop %p {name = "s", op_type = log10} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Somebody else reads the Softplus.
func.func @second_consumer(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %s = ncnn.softplus %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.absval %s {name = "z"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}
