// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-permute-matmul %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Another order of the axes.
func.func @order(%a: tensor<2x?x4xf32>, %b: tensor<?x2x4xf32>) -> tensor<2x?x?xf32> {
  %t = ncnn.permute %b {name = "t", order_type = 3} : (tensor<?x2x4xf32>) -> tensor<2x4x?xf32>
  %y = ncnn.matmul %a, %t {name = "y"} : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Another layer reads the transposed blob.
func.func @reader(%a: tensor<2x?x4xf32>, %b: tensor<2x?x4xf32>) -> (tensor<2x?x?xf32>, tensor<2x4x?xf32>) {
  %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<2x?x4xf32>) -> tensor<2x4x?xf32>
  %y = ncnn.matmul %a, %t {name = "y"} : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
  %z = ncnn.absval %t {name = "z"} : (tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  func.return %y, %z : tensor<2x?x?xf32>, tensor<2x4x?xf32>
}

// The transposed blob is an output.
func.func @output(%a: tensor<2x?x4xf32>, %b: tensor<2x?x4xf32>) -> (tensor<2x?x?xf32>, tensor<2x4x?xf32>) {
  %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<2x?x4xf32>) -> tensor<2x4x?xf32>
  %y = ncnn.matmul %a, %t {name = "y"} : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
  func.return %y, %t : tensor<2x?x?xf32>, tensor<2x4x?xf32>
}

// Another feature mask.
func.func @features(%a: tensor<2x?x4xf32>, %b: tensor<2x?x4xf32>) -> tensor<2x?x?xf32> {
  %t = ncnn.permute %b {name = "t", order_type = 1, featmask = 1} : (tensor<2x?x4xf32>) -> tensor<2x4x?xf32>
  %y = ncnn.matmul %a, %t {name = "y"} : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// An unknown parameter.
func.func @extra(%a: tensor<2x?x4xf32>, %b: tensor<2x?x4xf32>) -> tensor<2x?x?xf32> {
  %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<2x?x4xf32>) -> tensor<2x4x?xf32>
  %y = ncnn.matmul %a, %t {name = "y", extra = {"9" = 1 : i32}} : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Several matrices A: no layer transposes them.
func.func @batch(%x: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<2x?x?xf32> {
  %a = ncnn.reshape %x {name = "a", w = 3, h = -1, c = 2} : (tensor<*xf32>) -> tensor<2x?x3xf32>
  %b = ncnn.reshape %z {name = "b", w = -1, h = 5} : (tensor<*xf32>) -> tensor<5x?xf32>
  %t = ncnn.permute %a {name = "t", order_type = 1} : (tensor<2x?x3xf32>) -> tensor<2x3x?xf32>
  %y = ncnn.matmul %t, %b {name = "y"} : (tensor<2x3x?xf32>, tensor<5x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// A matrix A, and several matrices B.
func.func @batch_of_b(%x: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<2x?x?xf32> {
  %a = ncnn.reshape %x {name = "a", w = 3, h = -1} : (tensor<*xf32>) -> tensor<?x3xf32>
  %b = ncnn.reshape %z {name = "b", w = -1, h = 5, c = 2} : (tensor<*xf32>) -> tensor<2x5x?xf32>
  %t = ncnn.permute %a {name = "t", order_type = 1} : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %y = ncnn.matmul %t, %b {name = "y"} : (tensor<3x?xf32>, tensor<2x5x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// An A of unknown rank.
func.func @rank(%a: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<*xf32> {
  %b = ncnn.reshape %z {name = "b", w = -1, h = 5} : (tensor<*xf32>) -> tensor<5x?xf32>
  %t = ncnn.permute %a {name = "t", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.matmul %t, %b {name = "y"} : (tensor<*xf32>, tensor<5x?xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// An A before a constant B, which becomes the weight of a Gemm.
func.func @constant(%x: tensor<*xf32>) -> tensor<3x2xf32> {
  %w = ncnn.constant {name = "w"} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = ncnn.reshape %x {name = "a", w = 3, h = 2} : (tensor<*xf32>) -> tensor<2x3xf32>
  %t = ncnn.permute %a {name = "t", order_type = 1} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %y = ncnn.matmul %t, %w {name = "y"} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// A Gemm with a weight B: it may be quantized in blocks, or become a convolution.
func.func @weight(%x: tensor<*xf32>) -> tensor<3x2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = ncnn.reshape %x {name = "a", w = 3, h = 2} : (tensor<*xf32>) -> tensor<2x3xf32>
  %t = ncnn.permute %a {name = "t", order_type = 1} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %y = ncnn.gemm %t B %w {name = "y", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// A 3-D operand of a Gemm, whose rows are its channels.
func.func @channels(%x: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<?x?xf32> {
  %a = ncnn.reshape %x {name = "a", w = 1, h = 3, c = -1} : (tensor<*xf32>) -> tensor<?x3x1xf32>
  %b = ncnn.reshape %z {name = "b", w = 4, h = 3} : (tensor<*xf32>) -> tensor<3x4xf32>
  %t = ncnn.permute %a {name = "t", order_type = 1} : (tensor<?x3x1xf32>) -> tensor<?x1x3xf32>
  %y = ncnn.gemm %t, %b {name = "y"} : (tensor<?x1x3xf32>, tensor<3x4xf32>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}

// C of a Gemm.
func.func @summand(%x: tensor<*xf32>, %a: tensor<2x5xf32>, %b: tensor<5x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.reshape %x {name = "c", w = 2, h = 3} : (tensor<*xf32>) -> tensor<3x2xf32>
  %t = ncnn.permute %c {name = "t", order_type = 1} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %y = ncnn.gemm %a, %b, %t {name = "y"} : (tensor<2x5xf32>, tensor<5x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
