// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-flatten-after-global-pooling %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Not global.
func.func @windows(%x: tensor<8x2x2xf32>) -> tensor<8xf32> {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 2, stride_w = 2} : (tensor<8x2x2xf32>) -> tensor<8x1x1xf32>
  %flat = ncnn.flatten %pool {name = "flat"} : (tensor<8x1x1xf32>) -> tensor<8xf32>
  func.return %flat : tensor<8xf32>
}

// Adaptive pooling to one element keeps three dims.
func.func @adaptive(%x: tensor<8x2x2xf32>) -> tensor<8xf32> {
  %pool = ncnn.pooling %x {name = "pool", adaptive_pooling = 1, out_w = 1} : (tensor<8x2x2xf32>) -> tensor<8x1x1xf32>
  %flat = ncnn.flatten %pool {name = "flat"} : (tensor<8x1x1xf32>) -> tensor<8xf32>
  func.return %flat : tensor<8xf32>
}

func.func @layer_between(%x: tensor<8x2x2xf32>) -> tensor<8xf32> {
  %pool = ncnn.pooling %x {name = "pool", global_pooling = 1} : (tensor<8x2x2xf32>) -> tensor<8xf32>
  %relu = ncnn.relu %pool {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  %flat = ncnn.flatten %relu {name = "flat"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %flat : tensor<8xf32>
}

// Nobody knows what it means.
func.func @unknown_parameter(%x: tensor<8x2x2xf32>) -> tensor<8xf32> {
  %pool = ncnn.pooling %x {name = "pool", global_pooling = 1} : (tensor<8x2x2xf32>) -> tensor<8xf32>
  %flat = ncnn.flatten %pool {name = "flat", extra = {"0" = 1 : i32}} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %flat : tensor<8xf32>
}

// eliminate-reshape-after-global-pooling does that.
func.func @reshape(%x: tensor<8x2x2xf32>) -> tensor<8xf32> {
  %pool = ncnn.pooling %x {name = "pool", global_pooling = 1} : (tensor<8x2x2xf32>) -> tensor<8xf32>
  %reshape = ncnn.reshape %pool {name = "reshape", w = -1} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %reshape : tensor<8xf32>
}
