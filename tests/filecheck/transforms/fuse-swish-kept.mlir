// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-swish %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The Sigmoid of another blob.
func.func @other_blob(%x: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %z {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Another function.
func.func @tanh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.tanh %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Another operation.
func.func @sum(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = add} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Somebody else reads the Sigmoid.
func.func @second_consumer(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.absval %s {name = "z"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// The Sigmoid is an output.
func.func @returned(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %s : tensor<2x3xf32>, tensor<2x3xf32>
}

// A factor is left.
func.func @factor(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %h = ncnn.binaryop %s {name = "h", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %h {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A factor in the Sigmoid.
func.func @scaled_argument(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %h = ncnn.binaryop %x {name = "h", op_type = mul, with_scalar = 1, b = 1.702} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.sigmoid %h {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %h {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %x, %s {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// Another layer between.
func.func @between(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = ncnn.relu %s {name = "r", slope = 0.1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %r {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The runtime treats the two differently.
func.func @features(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s", featmask = 1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A parameter that is not known.
func.func @extra(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s", extra = {"7" = 1 : i32}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 1.001 is not 1.
func.func @number(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %n = ncnn.unaryop %x {name = "n", op_type = neg} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = ncnn.unaryop %n {name = "e", op_type = exp} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.001} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %p {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Three factors.
func.func @cube(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.eltwise %s, %x, %x {name = "y", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
