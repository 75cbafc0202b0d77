// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-reorg %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Columns before rows.
func.func @transposed(%x: tensor<1x10x14xf32>) -> tensor<4x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 2, h = 7, d = 2, c = 5} : (tensor<1x10x14xf32>) -> tensor<5x2x7x2xf32>
  %b = ncnn.permute %a {name = "b", order_type = 20} : (tensor<5x2x7x2xf32>) -> tensor<2x2x5x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 4} : (tensor<2x2x5x7xf32>) -> tensor<4x5x7xf32>
  func.return %y : tensor<4x5x7xf32>
}

// In halves, not every other one.
func.func @halves(%x: tensor<1x10x14xf32>) -> tensor<4x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 2, d = 5, c = 2} : (tensor<1x10x14xf32>) -> tensor<2x5x2x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x5x2x7xf32>) -> tensor<2x2x5x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 4} : (tensor<2x2x5x7xf32>) -> tensor<4x5x7xf32>
  func.return %y : tensor<4x5x7xf32>
}
