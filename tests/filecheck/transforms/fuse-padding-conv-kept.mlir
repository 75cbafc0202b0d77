// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-padding-conv %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Of channels.
func.func @channels(%x: tensor<1x5x5xf32>) -> tensor<4x4x3xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", behind = 1, top = 1} : (tensor<1x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
  func.return %y : tensor<4x4x3xf32>
}

// With other elements of the blob.
func.func @reflected(%x: tensor<2x5x5xf32>) -> tensor<4x4x3xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1, type = reflect} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
  func.return %y : tensor<4x4x3xf32>
}

// The convolution pads with something else.
func.func @other_constant(%x: tensor<2x5x5xf32>) -> tensor<4x6x5xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = 1, pad_value = 1.0} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x6x5xf32>
  func.return %y : tensor<4x6x5xf32>
}

// The convolution pads as much as it needs for an extent, which is another one then.
func.func @same(%x: tensor<2x5x5xf32>) -> tensor<4x6x5xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = -233} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x6x5xf32>
  func.return %y : tensor<4x6x5xf32>
}

// A constant for each channel.
func.func @per_channel(%x: tensor<2x5x5xf32>) -> tensor<4x4x3xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %c = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %p = ncnn.padding %x per_channel_pad %c {name = "p", top = 1} : (tensor<2x5x5xf32>, tensor<2xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
  func.return %y : tensor<4x4x3xf32>
}

// Quantized elements are padded with another 0.5.
func.func @int8_constant(%x: tensor<2x5x5xf32>) -> tensor<4x4x3xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %sw = ncnn.constant #ncnn.elided : tensor<4xf32>
  %sx = ncnn.constant #ncnn.elided : tensor<1xf32>
  %p = ncnn.padding %x {name = "p", top = 1, value = 0.5} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w weight_int8_scales %sw bottom_int8_scales %sx {name = "y", num_output = 4, kernel_w = 3, int8_scale_term = 1} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4x4x3xf32>
  func.return %y : tensor<4x4x3xf32>
}

// It may be a vector, which a 1x1 convolution does not pad.
func.func @vector(%x: tensor<*xf32>) -> tensor<*xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x1x1xf32>
  %p = ncnn.padding %x {name = "p", left = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 1} : (tensor<*xf32>, tensor<4x2x1x1xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// One of two convolutions pads with something else.
func.func @one_of_two(%x: tensor<2x5x5xf32>) -> (tensor<4x4x3xf32>, tensor<4x6x5xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
  %z = ncnn.convolution %p weight %w {name = "z", num_output = 4, kernel_w = 3, pad_left = 1, pad_value = 1.0} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x6x5xf32>
  func.return %y, %z : tensor<4x4x3xf32>, tensor<4x6x5xf32>
}

// A padded vector.
func.func @padded_vector(%x: tensor<2xf32>) -> tensor<4xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x3x1x1xf32>
  %p = ncnn.padding %x {name = "p", left = 1} : (tensor<2xf32>) -> tensor<3xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 1} : (tensor<3xf32>, tensor<4x3x1x1xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// A transposed convolution cuts its pads off.
func.func @transposed(%x: tensor<2x5x5xf32>) -> tensor<4x8x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.deconvolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x8x7xf32>
  func.return %y : tensor<4x8x7xf32>
}

// Somebody else reads the padded blob.
func.func @second_consumer(%x: tensor<2x5x5xf32>) -> (tensor<4x4x3xf32>, tensor<2x6x5xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
  %z = ncnn.absval %p {name = "z"} : (tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  func.return %y, %z : tensor<4x4x3xf32>, tensor<2x6x5xf32>
}

// The padded blob is an output.
func.func @returned(%x: tensor<2x5x5xf32>) -> (tensor<4x4x3xf32>, tensor<2x6x5xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
  func.return %y, %p : tensor<4x4x3xf32>, tensor<2x6x5xf32>
}

// The runtime treats the two differently.
func.func @features(%x: tensor<2x5x5xf32>) -> tensor<4x4x3xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1, featmask = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
  func.return %y : tensor<4x4x3xf32>
}
