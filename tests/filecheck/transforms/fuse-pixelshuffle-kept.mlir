// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-pixelshuffle %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Rows for columns.
func.func @transposed(%x: tensor<4x5x7xf32>) -> tensor<1x10x14xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 2, c = 2} : (tensor<4x5x7xf32>) -> tensor<2x2x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 15} : (tensor<2x2x5x7xf32>) -> tensor<5x2x7x2xf32>
  %y = ncnn.reshape %b {name = "y", w = 14, h = 10, c = 1} : (tensor<5x2x7x2xf32>) -> tensor<1x10x14xf32>
  func.return %y : tensor<1x10x14xf32>
}

// Twice as many rows, three times the columns.
func.func @unequal(%x: tensor<6x5x7xf32>) -> tensor<1x10x21xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 13} : (tensor<2x3x5x7xf32>) -> tensor<5x2x7x3xf32>
  %y = ncnn.reshape %b {name = "y", w = 21, h = 10, c = 1} : (tensor<5x2x7x3xf32>) -> tensor<1x10x21xf32>
  func.return %y : tensor<1x10x21xf32>
}

// Columns only.
func.func @columns(%x: tensor<2x5x7xf32>) -> tensor<1x5x14xf32> {
  %a = ncnn.reshape %x {name = "a", w = 35, h = 2} : (tensor<2x5x7xf32>) -> tensor<2x35xf32>
  %b = ncnn.permute %a {name = "b", order_type = 1} : (tensor<2x35xf32>) -> tensor<35x2xf32>
  %y = ncnn.reshape %b {name = "y", w = 14, h = 5, c = 1} : (tensor<35x2xf32>) -> tensor<1x5x14xf32>
  func.return %y : tensor<1x5x14xf32>
}

// Somebody else reads the first blob.
func.func @second_consumer(%x: tensor<4x5x7xf32>) -> (tensor<1x10x14xf32>, tensor<2x2x5x7xf32>) {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 2, c = 2} : (tensor<4x5x7xf32>) -> tensor<2x2x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 13} : (tensor<2x2x5x7xf32>) -> tensor<5x2x7x2xf32>
  %y = ncnn.reshape %b {name = "y", w = 14, h = 10, c = 1} : (tensor<5x2x7x2xf32>) -> tensor<1x10x14xf32>
  %z = ncnn.absval %a {name = "z"} : (tensor<2x2x5x7xf32>) -> tensor<2x2x5x7xf32>
  func.return %y, %z : tensor<1x10x14xf32>, tensor<2x2x5x7xf32>
}
