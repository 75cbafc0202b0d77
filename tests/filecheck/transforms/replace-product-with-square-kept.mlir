// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-product-with-square %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Another operation.
func.func @sum(%in: tensor<2xf32>) -> tensor<2xf32> {
  %x = ncnn.tanh %in {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %a = ncnn.binaryop %x, %x {name = "a", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// Two blobs.
func.func @two(%in: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %x = ncnn.tanh %in {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %a = ncnn.binaryop %x, %y {name = "a", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// A number.
func.func @number(%in: tensor<2xf32>) -> tensor<2xf32> {
  %x = ncnn.tanh %in {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// A parameter that nobody knows.
func.func @extra(%in: tensor<2xf32>) -> tensor<2xf32> {
  %x = ncnn.tanh %in {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %a = ncnn.binaryop %x, %x {name = "a", op_type = mul, extra = {"9" = 1 : i32}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// Another layer reads the blob: it would be copied.
func.func @shared(%in: tensor<2xf32>) -> tensor<2xf32> {
  %x = ncnn.tanh %in {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %a = ncnn.binaryop %x, %x {name = "a", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.binaryop %a, %x {name = "b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %b : tensor<2xf32>
}

// The model gives it out.
func.func @returned(%in: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %x = ncnn.tanh %in {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %a = ncnn.binaryop %x, %x {name = "a", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %x, %a : tensor<2xf32>, tensor<2xf32>
}

// It is an input, which is the user's.
func.func @input(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = ncnn.binaryop %x, %x {name = "a", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}
