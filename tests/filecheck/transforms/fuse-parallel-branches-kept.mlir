// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-parallel-branches %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Not added.
func.func @product(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x1xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = mul} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// Two blobs.
func.func @others(%in: tensor<2x?xf32>, %y: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x1xf32>
  %b = ncnn.convolution1d %y weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// What one gives is an output as well.
func.func @shared(%in: tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>) {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x1xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c, %b : tensor<2x?xf32>, tensor<2x?xf32>
}

// One applies an activation.
func.func @bent(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x1xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 2, kernel_w = 1, activation_type = 1, activation_params = []} : (tensor<2x?xf32>, tensor<2x2x1xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// Taps that the larger kernel does not have: it pads on one side only.
func.func @wider(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 0, pad_right = 2} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 2, kernel_w = 3, pad_left = 1, pad_right = 1} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// Taps between those of the larger kernel.
func.func @between(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, dilation_w = 2, pad_left = 2} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 2, kernel_w = 3, pad_left = 1} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// The padding is no zeros.
func.func @filled(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1, pad_value = 1.0} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x1xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// The padding is zeros in one of them.
func.func @filled_differently(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1, pad_value = 1.0} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 2, kernel_w = 3, pad_left = 1} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// Every other place.
func.func @steps(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1, stride_w = 2} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x1xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 2, kernel_w = 1, stride_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// One place less, which a BinaryOp would repeat if it were one.
func.func @places(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x2x1xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x?xf32>, tensor<2x2x1xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// A blob of which nobody knows how many channels it has: it might have one, for both.
func.func @channels(%in: tensor<?x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1} : (tensor<?x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %in {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// Groups of their own.
func.func @groups(%in: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x3xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1} : (tensor<2x?xf32>, tensor<2x2x3xf32>) -> tensor<2x?xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x1x3xf32>
  %b = ncnn.convolutiondepthwise1d %in weight %w {name = "b", num_output = 2, kernel_w = 3, pad_left = 1, group = 2} : (tensor<2x?xf32>, tensor<2x1x3xf32>) -> tensor<2x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %c : tensor<2x?xf32>
}

// Sums that no number is for, weights that were left out, a weight that is a blob.
func.func @weights(%in: tensor<1x?xf32>, %u: tensor<1x1x1xf32>) -> (tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>) {
  %v = ncnn.constant dense<3.0e38> : tensor<1x1x1xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 1, kernel_w = 1} : (tensor<1x?xf32>, tensor<1x1x1xf32>) -> tensor<1x?xf32>
  %w = ncnn.constant dense<3.0e38> : tensor<1x1x1xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 1, kernel_w = 1} : (tensor<1x?xf32>, tensor<1x1x1xf32>) -> tensor<1x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
  %p = ncnn.constant #ncnn.elided : tensor<1x1x1xf32>
  %d = ncnn.convolution1d %in weight %p {name = "d", num_output = 1, kernel_w = 1} : (tensor<1x?xf32>, tensor<1x1x1xf32>) -> tensor<1x?xf32>
  %q = ncnn.constant dense<1.0> : tensor<1x1x1xf32>
  %e = ncnn.convolution1d %in weight %q {name = "e", num_output = 1, kernel_w = 1} : (tensor<1x?xf32>, tensor<1x1x1xf32>) -> tensor<1x?xf32>
  %f = ncnn.binaryop %d, %e {name = "f", op_type = add} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
  %g = ncnn.convolution1d %in weight %u {name = "g", num_output = 1, kernel_w = 1} : (tensor<1x?xf32>, tensor<1x1x1xf32>) -> tensor<1x?xf32>
  %r = ncnn.constant dense<1.0> : tensor<1x1x1xf32>
  %h = ncnn.convolution1d %in weight %r {name = "h", num_output = 1, kernel_w = 1} : (tensor<1x?xf32>, tensor<1x1x1xf32>) -> tensor<1x?xf32>
  %i = ncnn.binaryop %g, %h {name = "i", op_type = add} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
  func.return %c, %f, %i : tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>
}

// 40000 + 40000 is larger than 65504: in float16 the bias would be infinite.
func.func @bias_overflows_float16(%in: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x1x1xf32>
  %wb = ncnn.constant dense<[40000.0]> : tensor<1xf32>
  %a = ncnn.convolution1d %in weight %w bias %wb {name = "a", num_output = 1, kernel_w = 1} : (tensor<1x?xf32>, tensor<1x1x1xf32>, tensor<1xf32>) -> tensor<1x?xf32>
  %u = ncnn.constant dense<2.0> : tensor<1x1x1xf32>
  %ub = ncnn.constant dense<[40000.0]> : tensor<1xf32>
  %b = ncnn.convolution1d %in weight %u bias %ub {name = "b", num_output = 1, kernel_w = 1} : (tensor<1x?xf32>, tensor<1x1x1xf32>, tensor<1xf32>) -> tensor<1x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
  func.return %c : tensor<1x?xf32>
}
