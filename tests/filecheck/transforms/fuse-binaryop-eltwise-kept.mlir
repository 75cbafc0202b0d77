// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-binaryop-eltwise %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// An Eltwise is no better.
func.func @no_factor(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %a, %b {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// No sum.
func.func @product(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %b {name = "y", op_type = mul} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// No factor, but a summand.
func.func @shift(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %a {name = "p", op_type = add, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %b {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// Equal in the file, but the runtime takes inputs of any extents, and would broadcast.
func.func @two_inputs(%x: tensor<2x3xf32>, %u: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %p = ncnn.binaryop %x {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %p, %u {name = "y", op_type = add} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The first is repeated for each row of the second.
func.func @broadcast(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = ncnn.pooling1d %x {name = "m", global_pooling = 1} : (tensor<2x3xf32>) -> tensor<2xf32>
  %p = ncnn.binaryop %m {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2xf32>) -> tensor<2xf32>
  %y = ncnn.binaryop %p, %x {name = "y", op_type = add} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Somebody else needs the product.
func.func @second_consumer(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %x {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %a {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %other = ncnn.exp %p {name = "other"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y, %other : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}

// The model gives it out.
func.func @returned(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %x {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %a {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y, %p : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}

// Two uses of one product.
func.func @twice(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %p {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// The two may not be treated alike.
func.func @other_features(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0, featmask = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %b {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// A parameter of which nothing is known.
func.func @unknown_parameter(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %b {name = "y", op_type = add, extra = {"27" = 5 : i32}} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}
