// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-reshape-after-global-pooling %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

func.func @more_dims(%x: tensor<8x2x2xf32>) -> tensor<8x1x1xf32> {
  %pool = ncnn.pooling %x {name = "pool", global_pooling = 1} : (tensor<8x2x2xf32>) -> tensor<8xf32>
  %reshape = ncnn.reshape %pool {name = "reshape", w = 1, h = 1, c = -1} : (tensor<8xf32>) -> tensor<8x1x1xf32>
  func.return %reshape : tensor<8x1x1xf32>
}

// An expression may say two dims, whatever w is.
func.func @expression(%x: tensor<8x2x2xf32>) -> tensor<1x8xf32> {
  %pool = ncnn.pooling %x {name = "pool", global_pooling = 1} : (tensor<8x2x2xf32>) -> tensor<8xf32>
  %reshape = ncnn.reshape %pool {name = "reshape", w = -1, shape_expr = "0w,1"} : (tensor<8xf32>) -> tensor<1x8xf32>
  func.return %reshape : tensor<1x8xf32>
}

// Batch axes: the blob may be several.
func.func @batch(%x: tensor<8x2x2xf32>) -> tensor<*xf32> {
  %pool = ncnn.pooling %x {name = "pool", global_pooling = 1} : (tensor<8x2x2xf32>) -> tensor<8xf32>
  %reshape = ncnn.reshape %pool {name = "reshape", w = -1, input_batch_axis = 0} : (tensor<8xf32>) -> tensor<*xf32>
  func.return %reshape : tensor<*xf32>
}

func.func @windows(%x: tensor<8x2x2xf32>) -> tensor<8xf32> {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 2, stride_w = 2} : (tensor<8x2x2xf32>) -> tensor<8x1x1xf32>
  %reshape = ncnn.reshape %pool {name = "reshape", w = -1} : (tensor<8x1x1xf32>) -> tensor<8xf32>
  func.return %reshape : tensor<8xf32>
}

// eliminate-flatten-after-global-pooling does that.
func.func @flatten(%x: tensor<8x2x2xf32>) -> tensor<8xf32> {
  %pool = ncnn.pooling %x {name = "pool", global_pooling = 1} : (tensor<8x2x2xf32>) -> tensor<8xf32>
  %flat = ncnn.flatten %pool {name = "flat"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %flat : tensor<8xf32>
}
