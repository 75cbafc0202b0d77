// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-shufflechannel %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The positions are permuted, too.
func.func @positions(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 7} : (tensor<2x3x5x7xf32>) -> tensor<3x2x7x5xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x7x5xf32>) -> tensor<6x5x7xf32>
  func.return %y : tensor<6x5x7xf32>
}

// Channels and rows change places.
func.func @rows(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x3x5x7xf32>) -> tensor<2x5x3x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<2x5x3x7xf32>) -> tensor<6x5x7xf32>
  func.return %y : tensor<6x5x7xf32>
}

// Other extents come out than go in.
func.func @other_shape(%i: tensor<1x?x?xf32>) -> tensor<3x?x?xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<6x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 6, kernel_w = 3, pad_left = 1} : (tensor<1x?x?xf32>, tensor<6x1x3x3xf32>) -> tensor<6x?x?xf32>
  %a = ncnn.reshape %x {name = "a", w = 0, h = 0, d = 3, c = 2} : (tensor<6x?x?xf32>) -> tensor<2x3x?x?xf32>
  %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x?x?xf32>) -> tensor<3x2x?x?xf32>
  %y = ncnn.reshape %b {name = "y", w = 0, h = -1, c = 3} : (tensor<3x2x?x?xf32>) -> tensor<3x?x?xf32>
  func.return %y : tensor<3x?x?xf32>
}

// Channels that no extent of the chain divides.
func.func @undivided(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 15, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x15x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x15x7xf32>) -> tensor<15x2x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<15x2x7xf32>) -> tensor<6x5x7xf32>
  func.return %y : tensor<6x5x7xf32>
}

// Height and width are not known, and the chain does not say them.
func.func @unknown(%i: tensor<1x?x?xf32>) -> tensor<6x5x?xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<6x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 6, kernel_w = 3, pad_left = 1} : (tensor<1x?x?xf32>, tensor<6x1x3x3xf32>) -> tensor<6x?x?xf32>
  %a = ncnn.reshape %x {name = "a", w = -1, h = 3, c = 2} : (tensor<6x?x?xf32>) -> tensor<2x3x?xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x3x?xf32>) -> tensor<3x2x?xf32>
  %y = ncnn.reshape %b {name = "y", w = -1, h = 5, c = 6} : (tensor<3x2x?xf32>) -> tensor<6x5x?xf32>
  func.return %y : tensor<6x5x?xf32>
}

// Somebody else reads the permuted blob.
func.func @second_consumer(%x: tensor<6x5x7xf32>) -> (tensor<6x5x7xf32>, tensor<3x2x5x7xf32>) {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x5x7xf32>) -> tensor<3x2x5x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x5x7xf32>) -> tensor<6x5x7xf32>
  %z = ncnn.absval %b {name = "z"} : (tensor<3x2x5x7xf32>) -> tensor<3x2x5x7xf32>
  func.return %y, %z : tensor<6x5x7xf32>, tensor<3x2x5x7xf32>
}

// The first blob is an output.
func.func @returned(%x: tensor<6x5x7xf32>) -> (tensor<6x5x7xf32>, tensor<2x3x5x7xf32>) {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x5x7xf32>) -> tensor<3x2x5x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x5x7xf32>) -> tensor<6x5x7xf32>
  func.return %y, %a : tensor<6x5x7xf32>, tensor<2x3x5x7xf32>
}

// Another layer between.
func.func @between(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x5x7xf32>) -> tensor<3x2x5x7xf32>
  %r = ncnn.relu %b {name = "r"} : (tensor<3x2x5x7xf32>) -> tensor<3x2x5x7xf32>
  %y = ncnn.reshape %r {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x5x7xf32>) -> tensor<6x5x7xf32>
  func.return %y : tensor<6x5x7xf32>
}

// The runtime treats the Permute differently.
func.func @features(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 6, featmask = 1} : (tensor<2x3x5x7xf32>) -> tensor<3x2x5x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x5x7xf32>) -> tensor<6x5x7xf32>
  func.return %y : tensor<6x5x7xf32>
}
