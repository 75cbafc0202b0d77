// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-global-pooling %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// A larger kernel, padding, other channels than there are.
func.func @windows(%x: tensor<*xf32>) -> (tensor<*xf32>, tensor<2xf32>, tensor<*xf32>) {
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 4} : (tensor<*xf32>) -> tensor<4x?x2xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x4x2x1xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x4x1x1xf32>
  %u = ncnn.constant dense<1.0> : tensor<2x3x1x1xf32>
  %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<4x?x2xf32>) -> tensor<4xf32>
  %a = ncnn.convolution %pool weight %w {name = "a", num_output = 2, kernel_w = 1, kernel_h = 2} : (tensor<4xf32>, tensor<2x4x2x1xf32>) -> tensor<*xf32>
  %b = ncnn.convolution %pool weight %v {name = "b", num_output = 2, kernel_w = 1, pad_right = 1} : (tensor<4xf32>, tensor<2x4x1x1xf32>) -> tensor<2xf32>
  %c = ncnn.convolution %pool weight %u {name = "c", num_output = 2, kernel_w = 1} : (tensor<4xf32>, tensor<2x3x1x1xf32>) -> tensor<*xf32>
  func.return %a, %b, %c : tensor<*xf32>, tensor<2xf32>, tensor<*xf32>
}

// How many channels there are is not certain: the file says it of an input.
func.func @input(%x: tensor<4x?x?xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4x1x1xf32>
  %pool = ncnn.pooling %x {name = "pool", global_pooling = 1} : (tensor<4x?x?xf32>) -> tensor<4xf32>
  %a = ncnn.convolution %pool weight %w {name = "a", num_output = 2, kernel_w = 1} : (tensor<4xf32>, tensor<2x4x1x1xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// Nor known: a Convolution of one channel takes the blob for an image.
func.func @unknown(%x: tensor<*xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x1x1x1xf32>
  %pool = ncnn.pooling %x {name = "pool", global_pooling = 1} : (tensor<*xf32>) -> tensor<?xf32>
  %a = ncnn.convolution %pool weight %w {name = "a", num_output = 2, kernel_w = 1} : (tensor<?xf32>, tensor<2x1x1x1xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// A weight that is a blob.
func.func @dynamic(%x: tensor<*xf32>, %w: tensor<2x4x1x1xf32>) -> tensor<*xf32> {
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 4} : (tensor<*xf32>) -> tensor<4x?x2xf32>
  %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<4x?x2xf32>) -> tensor<4xf32>
  %a = ncnn.convolution %pool weight %w {name = "a", num_output = 2, kernel_w = 1} : (tensor<4xf32>, tensor<2x4x1x1xf32>) -> tensor<*xf32>
  func.return %a : tensor<*xf32>
}

// int8 weights: the runtime takes the blob for an image.
func.func @int8(%x: tensor<*xf32>) -> tensor<2xf32> {
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 4} : (tensor<*xf32>) -> tensor<4x?x2xf32>
  %w = ncnn.constant dense<1> : tensor<2x4x1x1xi8>
  %s = ncnn.constant dense<1.0> : tensor<2xf32>
  %t = ncnn.constant dense<1.0> : tensor<1xf32>
  %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<4x?x2xf32>) -> tensor<4xf32>
  %a = ncnn.convolution %pool weight %w weight_int8_scales %s bottom_int8_scales %t {name = "a", num_output = 2, kernel_w = 1, int8_scale_term = 2} : (tensor<4xf32>, tensor<2x4x1x1xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// Adaptive pooling to one pixel: three dims in and out.
func.func @adaptive(%x: tensor<*xf32>) -> tensor<2x1x1xf32> {
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 4} : (tensor<*xf32>) -> tensor<4x?x2xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x4x1x1xf32>
  %pool = ncnn.pooling %r {name = "pool", adaptive_pooling = 1, out_w = 1} : (tensor<4x?x2xf32>) -> tensor<4x1x1xf32>
  %a = ncnn.convolution %pool weight %w {name = "a", num_output = 2, kernel_w = 1} : (tensor<4x1x1xf32>, tensor<2x4x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %a : tensor<2x1x1xf32>
}

// Nobody knows what it means. A layer between is replace-convolution-with-innerproduct's.
func.func @apart(%x: tensor<*xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 4} : (tensor<*xf32>) -> tensor<4x?x2xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x4x1x1xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x4x1x1xf32>
  %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<4x?x2xf32>) -> tensor<4xf32>
  %a = ncnn.convolution %pool weight %w {name = "a", num_output = 2, kernel_w = 1, extra = {"29" = 1 : i32}} : (tensor<4xf32>, tensor<2x4x1x1xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %pool {name = "relu"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.convolution %relu weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<4xf32>, tensor<2x4x1x1xf32>) -> tensor<2xf32>
  func.return %a, %b : tensor<2xf32>, tensor<2xf32>
}
