// Needs `op.num_slope > 1`
// Written for this condition.
builtin.module attributes {ncnn.tune = "x86"} {
  func.func @has_outputs_1(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<7x1x1x2xf32>
    %b = ncnn.constant #ncnn.elided : tensor<7xf32>
    %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %s = ncnn.constant #ncnn.elided : tensor<1xf32>
    %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<1xf32>) -> tensor<7x?x?xf32>
    %v = ncnn.constant #ncnn.elided : tensor<7x1x1x1xf32>
    %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
    %a = ncnn.binaryop %p, %d {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
    %u = ncnn.constant #ncnn.elided : tensor<1x7x1x1xf32>
    %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
    func.return %y : tensor<1x?x?xf32>
  }
}

// -----

// Needs `op.group == op.num_output == op.num_input() == channels`
// Written for this condition.
builtin.module attributes {ncnn.tune = "x86"} {
  func.func @is_depthwise_1(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<7x1x1x2xf32>
    %b = ncnn.constant #ncnn.elided : tensor<7xf32>
    %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %s = ncnn.constant #ncnn.elided : tensor<7xf32>
    %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %v = ncnn.constant #ncnn.elided : tensor<7x7x1x1xf32>
    %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<7x7x1x1xf32>) -> tensor<7x?x?xf32>
    %a = ncnn.binaryop %p, %d {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
    %u = ncnn.constant #ncnn.elided : tensor<1x7x1x1xf32>
    %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
    func.return %y : tensor<1x?x?xf32>
  }
}

// -----

// Needs `len(shape) not in (1, 3)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "x86"} {
  func.func @add_blob_1(%x: tensor<1x?x?xf32>, %z: tensor<7x2xf32>) -> tensor<1x?x?xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<7x1x1x2xf32>
    %b = ncnn.constant #ncnn.elided : tensor<7xf32>
    %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %s = ncnn.constant #ncnn.elided : tensor<7xf32>
    %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %v = ncnn.constant #ncnn.elided : tensor<7x1x1x1xf32>
    %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
    %w1 = ncnn.constant #ncnn.elided : tensor<1x2xf32>
    %zr = ncnn.reshape %z {name = "zr", w = 2, h = 1, c = 7} : (tensor<7x2xf32>) -> tensor<7x1x2xf32>
    %z2 = ncnn.reshape %zr {name = "z2", w = 2, h = 7} : (tensor<7x1x2xf32>) -> tensor<7x2xf32>
    %c1 = ncnn.innerproduct %z2 weight %w1 {name = "c1", num_output = 1} : (tensor<7x2xf32>, tensor<1x2xf32>) -> tensor<7x1xf32>
    %a = ncnn.binaryop %d, %c1 {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x1xf32>) -> tensor<7x?x?xf32>
    %u = ncnn.constant #ncnn.elided : tensor<1x7x1x1xf32>
    %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
    func.return %y : tensor<1x?x?xf32>
  }
}

// -----

// Needs `_takes_channels(user, len(shape), region.channels)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "x86"} {
  func.func @add_blob_2(%x: tensor<1x?x?xf32>) -> tensor<1xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<7x1x1x2xf32>
    %b = ncnn.constant #ncnn.elided : tensor<7xf32>
    %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %s = ncnn.constant #ncnn.elided : tensor<7xf32>
    %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %v = ncnn.constant #ncnn.elided : tensor<7x1x1x1xf32>
    %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
    %a = ncnn.binaryop %p, %d {name = "a", op_type = add} : (tensor<7x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
    %y = ncnn.reduction %a {name = "y", operation = mean} : (tensor<7x?x?xf32>) -> tensor<1xf32>
    func.return %y : tensor<1xf32>
  }
}

// -----

// Needs `shape[0] != region.channels` or `declared is not None and declared[0] != region.channels`
// Written for this condition.
builtin.module attributes {ncnn.tune = "x86"} {
  func.func @add_blob_3(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<7x1x1x2xf32>
    %b = ncnn.constant #ncnn.elided : tensor<7xf32>
    %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %s = ncnn.constant #ncnn.elided : tensor<7xf32>
    %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %v = ncnn.constant #ncnn.elided : tensor<7x1x1x1xf32>
    %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
    %w1 = ncnn.constant #ncnn.elided : tensor<1x1x1x2xf32>
    %c1 = ncnn.convolution %x weight %w1 {name = "c1", num_output = 1, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<1x1x1x2xf32>) -> tensor<1x?x?xf32>
    %a = ncnn.binaryop %c1, %d {name = "a", op_type = add} : (tensor<1x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
    %u = ncnn.constant #ncnn.elided : tensor<1x7x1x1xf32>
    %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
    func.return %y : tensor<1x?x?xf32>
  }
}

// -----

// Needs `declared is not None and declared[0] != region.channels` or `shape[0] != region.channels`
// Written for this condition.
builtin.module attributes {ncnn.tune = "x86"} {
  func.func @add_blob_4(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<7x1x1x2xf32>
    %b = ncnn.constant #ncnn.elided : tensor<7xf32>
    %c = ncnn.convolution %x weight %w bias %b {name = "c", num_output = 7, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<7x1x1x2xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %s = ncnn.constant #ncnn.elided : tensor<7xf32>
    %p = ncnn.prelu %c slope %s {name = "p"} : (tensor<7x?x?xf32>, tensor<7xf32>) -> tensor<7x?x?xf32>
    %v = ncnn.constant #ncnn.elided : tensor<7x1x1x1xf32>
    %d = ncnn.convolutiondepthwise %p weight %v {name = "d", num_output = 7, kernel_w = 1, group = 7} : (tensor<7x?x?xf32>, tensor<7x1x1x1xf32>) -> tensor<7x?x?xf32>
    %w1 = ncnn.constant #ncnn.elided : tensor<1x1x1x2xf32>
    %c1 = ncnn.convolution %x weight %w1 {name = "c1", num_output = 1, kernel_w = 2, kernel_h = 1} : (tensor<1x?x?xf32>, tensor<1x1x1x2xf32>) -> tensor<1x?x?xf32>
    %a = ncnn.binaryop %c1, %d {name = "a", op_type = add} : (tensor<1x?x?xf32>, tensor<7x?x?xf32>) -> tensor<7x?x?xf32>
    %u = ncnn.constant #ncnn.elided : tensor<1x7x1x1xf32>
    %y = ncnn.convolution %a weight %u {name = "y", num_output = 1, kernel_w = 1} : (tensor<7x?x?xf32>, tensor<1x7x1x1xf32>) -> tensor<1x?x?xf32>
    func.return %y : tensor<1x?x?xf32>
  }
}
