// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-hardswish %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The HardSigmoid of another blob.
func.func @other_blob(%x: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %h = ncnn.hardsigmoid %z {name = "h", alpha = 0.2, beta = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %h, %x {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// One for each channel, which broadcasts.
func.func @gate(%x: tensor<2x3xf32>, %z: tensor<2xf32>) -> tensor<2x3xf32> {
  %h = ncnn.hardsigmoid %z {name = "h", alpha = 0.2, beta = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
  %y = ncnn.binaryop %x, %h {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A falling line: ncnn gives something else for it.
func.func @falling(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %h = ncnn.hardsigmoid %x {name = "h", alpha = -0.2, beta = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %h, %x {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A factor is left.
func.func @factor(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.binaryop %x, %b {name = "c", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %c {name = "y", op_type = div, with_scalar = 1, b = 5.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Somebody else reads the clipped value.
func.func @second_consumer(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.binaryop %x, %b {name = "c", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %c {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.absval %b {name = "z"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// The product is an output.
func.func @returned(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.binaryop %x, %b {name = "c", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %c {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %c : tensor<2x3xf32>, tensor<2x3xf32>
}

// The blob itself is clipped.
func.func @bare_clip(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %b = ncnn.clip %x {name = "b", min = 0.0, max = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %b {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
