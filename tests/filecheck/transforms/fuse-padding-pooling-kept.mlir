// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-padding-pooling %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// 0 may be the largest.
func.func @unknown_sign(%x: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
  %p = ncnn.padding %x {name = "p", top = 1, left = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = max, kernel_w = 3, stride_w = 2, pad_mode = valid} : (tensor<2x6x6xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// 1 may be, too.
func.func @one(%a: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
  %x = ncnn.relu %a {name = "x"} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.padding %x {name = "p", top = 1, left = 1, value = 1.0} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = max, kernel_w = 3, stride_w = 2, pad_mode = valid} : (tensor<2x6x6xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// A leaky ReLU goes below 0.
func.func @leaky(%a: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
  %x = ncnn.relu %a {name = "x", slope = 0.1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.padding %x {name = "p", top = 1, left = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = max, kernel_w = 3, stride_w = 2, pad_mode = valid} : (tensor<2x6x6xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// The first window sees nothing but pads: 0, but the lowest number in the runtime.
func.func @blind(%a: tensor<2x5x5xf32>) -> tensor<2x6x3xf32> {
  %x = ncnn.relu %a {name = "x"} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.padding %x {name = "p", top = 3} : (tensor<2x5x5xf32>) -> tensor<2x8x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = max, kernel_w = 3, pad_mode = valid} : (tensor<2x8x5xf32>) -> tensor<2x6x3xf32>
  func.return %y : tensor<2x6x3xf32>
}

// So may the last one, where it goes beyond the end.
func.func @blind_tail(%a: tensor<2x5x5xf32>) -> tensor<2x3x2xf32> {
  %x = ncnn.relu %a {name = "x"} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.padding %x {name = "p", bottom = 2} : (tensor<2x5x5xf32>) -> tensor<2x7x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = max, kernel_w = 3, stride_w = 2} : (tensor<2x7x5xf32>) -> tensor<2x3x2xf32>
  func.return %y : tensor<2x3x2xf32>
}

// A mean of a constant.
func.func @mean_constant(%x: tensor<2x5x5xf32>) -> tensor<2x5x4xf32> {
  %p = ncnn.padding %x {name = "p", top = 1, value = 1.0} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = avg, kernel_w = 2, avgpool_count_include_pad = 1} : (tensor<2x6x5xf32>) -> tensor<2x5x4xf32>
  func.return %y : tensor<2x5x4xf32>
}

// A mean that does not count its own pads, but those before it.
func.func @own_pads(%x: tensor<2x5x5xf32>) -> tensor<2x7x6xf32> {
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = avg, kernel_w = 2, pad_left = 1, pad_mode = valid} : (tensor<2x6x5xf32>) -> tensor<2x7x6xf32>
  func.return %y : tensor<2x7x6xf32>
}

// A mean that may go beyond the end, which it does not count.
func.func @tail(%x: tensor<2x5x5xf32>) -> tensor<2x3x3xf32> {
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = avg, kernel_w = 2, stride_w = 2} : (tensor<2x6x5xf32>) -> tensor<2x3x3xf32>
  func.return %y : tensor<2x3x3xf32>
}

// As much padding as an extent needs, which is another one then.
func.func @same(%x: tensor<2x5x5xf32>) -> tensor<2x6x5xf32> {
  %p = ncnn.padding %x {name = "p", top = 1, value = -3.402823e+38} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = max, kernel_w = 3, pad_mode = same_upper} : (tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  func.return %y : tensor<2x6x5xf32>
}

// Of the whole blob.
func.func @global(%x: tensor<2x5x5xf32>) -> tensor<2xf32> {
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = avg, global_pooling = 1} : (tensor<2x6x5xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// To given extents.
func.func @adaptive(%x: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = avg, adaptive_pooling = 1, out_w = 2} : (tensor<2x6x5xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// Of channels.
func.func @channels(%x: tensor<1x5x5xf32>) -> tensor<2x4x4xf32> {
  %p = ncnn.padding %x {name = "p", behind = 1} : (tensor<1x5x5xf32>) -> tensor<2x5x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = avg, kernel_w = 2, avgpool_count_include_pad = 1} : (tensor<2x5x5xf32>) -> tensor<2x4x4xf32>
  func.return %y : tensor<2x4x4xf32>
}

// Somebody else reads the padded blob.
func.func @second_consumer(%x: tensor<2x5x5xf32>) -> (tensor<2x5x4xf32>, tensor<2x6x5xf32>) {
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = avg, kernel_w = 2, avgpool_count_include_pad = 1} : (tensor<2x6x5xf32>) -> tensor<2x5x4xf32>
  %z = ncnn.absval %p {name = "z"} : (tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  func.return %y, %z : tensor<2x5x4xf32>, tensor<2x6x5xf32>
}
