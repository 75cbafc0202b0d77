// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-hardsigmoid %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// 6 is not 5.
func.func @bound(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 5.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// It does not end at 0.
func.func @lower(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = -1.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// It has no end above.
func.func @no_upper(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.relu %a {name = "b"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The line falls: ncnn does not cut it off where it should.
func.func @falling(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = rsub, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A leaky ReLU.
func.func @leaky(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = ncnn.relu %a {name = "r", slope = 0.01} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %r {name = "m", op_type = min, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// No line: a Clip does it.
func.func @clip(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = ncnn.clip %x {name = "y", min = 0.0, max = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Somebody else reads the value between.
func.func @second_consumer(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.absval %b {name = "z"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// A constant that makes more dims of the blob.
func.func @more_dims(%x: tensor<3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>) {
  %three = ncnn.constant {name = "three"} dense<[[3.0]]> : tensor<1x1xf32>
  %a = ncnn.binaryop %x, %three {name = "a", op_type = add} : (tensor<3xf32>, tensor<1x1xf32>) -> tensor<1x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %c = ncnn.absval %b {name = "c"} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  func.return %y, %c : tensor<1x3xf32>, tensor<1x3xf32>
}

// A constant of more dims than the blob is known to have.
func.func @unknown_dims(%x: tensor<*xf32>) -> tensor<*xf32> {
  %three = ncnn.constant {name = "three"} dense<[[3.0]]> : tensor<1x1xf32>
  %a = ncnn.binaryop %x, %three {name = "a", op_type = add} : (tensor<*xf32>, tensor<1x1xf32>) -> tensor<*xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// A constant for each channel.
func.func @channels(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %three = ncnn.constant {name = "three"} dense<[3.0, 3.0]> : tensor<2xf32>
  %a = ncnn.binaryop %x, %three {name = "a", op_type = add} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A value that is left out.
func.func @elided(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %three = ncnn.constant {name = "three"} #ncnn.elided : tensor<1xf32>
  %a = ncnn.binaryop %x, %three {name = "a", op_type = add} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
