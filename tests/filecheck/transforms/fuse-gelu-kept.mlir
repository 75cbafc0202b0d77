// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-gelu %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// 0.7 is not 1 / sqrt(2).
func.func @root(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 0.7071} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Not halved.
func.func @not_halved(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = div, with_scalar = 1, b = 1.4142135} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %p {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 0.0447 is not 0.044715.
func.func @cubic(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.eltwise %x, %x, %x {name = "c", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %k = ncnn.binaryop %c {name = "k", op_type = mul, with_scalar = 1, b = 0.0447} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.binaryop %x, %k {name = "s", op_type = add} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = ncnn.binaryop %s {name = "u", op_type = mul, with_scalar = 1, b = 0.7978846} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %u {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %t {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The runtime's vector code takes powers through the logarithm: of negative numbers it is no cube.
func.func @pow(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.binaryop %x {name = "c", op_type = pow, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %k = ncnn.binaryop %c {name = "k", op_type = mul, with_scalar = 1, b = 0.044715} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.binaryop %x, %k {name = "s", op_type = add} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = ncnn.binaryop %s {name = "u", op_type = mul, with_scalar = 1, b = 0.7978846} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %u {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %t {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Of another blob.
func.func @other_blob(%x: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %z {name = "a", op_type = div, with_scalar = 1, b = 1.4142135} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Somebody else reads the error function.
func.func @second_consumer(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = ncnn.binaryop %x {name = "a", op_type = div, with_scalar = 1, b = 1.4142135} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.absval %e {name = "z"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// x * sigmoid(1.702 x) is another approximation.
func.func @quick(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 1.702} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.sigmoid %a {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
