// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-pooling-with-global-pooling %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Another image may be larger.
func.func @not_promised(%x: tensor<3x7x5xf32>) -> tensor<3xf32> {
  %p = ncnn.pooling %x {name = "p", pooling_type = avg, kernel_w = 5, kernel_h = 7} : (tensor<3x7x5xf32>) -> tensor<3x1x1xf32>
  %y = ncnn.flatten %p {name = "y"} : (tensor<3x1x1xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
func.func @bounded(%x: tensor<3x7x5xf32> {ncnn.promised, ncnn.at_most = array<i64: 1>}) -> tensor<3xf32> {
  %p = ncnn.pooling %x {name = "p", pooling_type = avg, kernel_w = 5, kernel_h = 7} : (tensor<3x7x5xf32>) -> tensor<3x1x1xf32>
  %y = ncnn.flatten %p {name = "y"} : (tensor<3x1x1xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// Pads, which a mean may count.
func.func @pads(%x: tensor<3x7x5xf32> {ncnn.promised}) -> tensor<6xf32> {
  %p = ncnn.pooling %x {name = "p", pooling_type = avg, kernel_w = 5, kernel_h = 7, pad_right = 1} : (tensor<3x7x5xf32>) -> tensor<3x1x2xf32>
  %y = ncnn.flatten %p {name = "y"} : (tensor<3x1x2xf32>) -> tensor<6xf32>
  func.return %y : tensor<6xf32>
}

// Two windows.
func.func @smaller(%x: tensor<3x7x5xf32> {ncnn.promised}) -> tensor<6xf32> {
  %p = ncnn.pooling %x {name = "p", kernel_w = 5, kernel_h = 6} : (tensor<3x7x5xf32>) -> tensor<3x2x1xf32>
  %y = ncnn.flatten %p {name = "y"} : (tensor<3x2x1xf32>) -> tensor<6xf32>
  func.return %y : tensor<6xf32>
}

// The image of one pixel is an output, or taken for one.
func.func @output(%x: tensor<3x7x5xf32> {ncnn.promised}) -> tensor<3x1x1xf32> {
  %p = ncnn.pooling %x {name = "p", kernel_w = 5, kernel_h = 7} : (tensor<3x7x5xf32>) -> tensor<3x1x1xf32>
  func.return %p : tensor<3x1x1xf32>
}
func.func @image(%x: tensor<3x7x5xf32> {ncnn.promised}) -> tensor<3x1x1xf32> {
  %p = ncnn.pooling %x {name = "p", kernel_w = 5, kernel_h = 7} : (tensor<3x7x5xf32>) -> tensor<3x1x1xf32>
  %y = ncnn.softmax %p {name = "y", axis = 1, fixbug0 = 1} : (tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  func.return %y : tensor<3x1x1xf32>
}

// What a Reshape copies is another axis of a vector.
func.func @copied(%x: tensor<3x7x5xf32> {ncnn.promised}) -> tensor<3x1xf32> {
  %p = ncnn.pooling %x {name = "p", kernel_w = 5, kernel_h = 7} : (tensor<3x7x5xf32>) -> tensor<3x1x1xf32>
  %y = ncnn.reshape %p {name = "y", w = 0, h = -1} : (tensor<3x1x1xf32>) -> tensor<3x1xf32>
  func.return %y : tensor<3x1xf32>
}
