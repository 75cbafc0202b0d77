// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-parallel-branches %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-parallel-branches %s > %t.once
// RUN: ncnn-opt --fuse-parallel-branches %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-parallel-branches --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: fuse-parallel-branches: Convolution1D 'a', Convolution1D 'b', BinaryOp 'c'
// REMARK-NEXT: remark: fuse-parallel-branches: Convolution1D 'a', Convolution1D 'b', BinaryOp 'c'
// REMARK-NEXT: remark: fuse-parallel-branches: ConvolutionDepthWise1D 'a', Eltwise 'c'
// REMARK-NEXT: remark: fuse-parallel-branches: Convolution 'a', Convolution 'b', BinaryOp 'c'
// REMARK-NEXT: remark: fuse-parallel-branches: Convolution 'a', Scale 'n', BinaryOp 'd'

// A kernel of one tap stands in the middle of one of three.
// CHECK-LABEL: func.func @tap(%in: tensor<*xf32>) -> tensor<1x?xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[1.000000e+00, 2.000000e+00, 4.000000e+00], [8.000000e+00, 1.600000e+01, 3.200000e+01]]]> : tensor<1x2x3xf32>
// BEFORE-NEXT:   %p = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %a = ncnn.convolution1d %in weight %v bias %p {name = "a", num_output = 1, kernel_w = 3, pad_left = 1} : (tensor<*xf32>, tensor<1x2x3xf32>, tensor<1xf32>) -> tensor<1x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[5.000000e-01], [2.500000e-01]]]> : tensor<1x2x1xf32>
// BEFORE-NEXT:   %q = ncnn.constant dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %b = ncnn.convolution1d %in weight %w bias %q {name = "b", num_output = 1, kernel_w = 1} : (tensor<*xf32>, tensor<1x2x1xf32>, tensor<1xf32>) -> tensor<1x?xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
// BEFORE-NEXT:   func.return %c : tensor<1x?xf32>
// AFTER-NEXT:    %p = ncnn.constant dense<[3.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[1.000000e+00, 2.500000e+00, 4.000000e+00], [8.000000e+00, 1.625000e+01, 3.200000e+01]]]> : tensor<1x2x3xf32>
// AFTER-NEXT:    %a = ncnn.convolution1d %in weight %v bias %p {name = "a", blobs = ["c"], num_output = 1, kernel_w = 3, pad_left = 1} : (tensor<*xf32>, tensor<1x2x3xf32>, tensor<1xf32>) -> tensor<1x?xf32>
// AFTER-NEXT:    func.return %a : tensor<1x?xf32>
// CHECK-NEXT: }
func.func @tap(%in: tensor<*xf32>) -> tensor<1x?xf32> {
  %v = ncnn.constant dense<[[[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]]> : tensor<1x2x3xf32>
  %p = ncnn.constant dense<1.0> : tensor<1xf32>
  %a = ncnn.convolution1d %in weight %v bias %p {name = "a", num_output = 1, kernel_w = 3, pad_left = 1} : (tensor<*xf32>, tensor<1x2x3xf32>, tensor<1xf32>) -> tensor<1x?xf32>
  %w = ncnn.constant dense<[[[0.5], [0.25]]]> : tensor<1x2x1xf32>
  %q = ncnn.constant dense<2.0> : tensor<1xf32>
  %b = ncnn.convolution1d %in weight %w bias %q {name = "b", num_output = 1, kernel_w = 1} : (tensor<*xf32>, tensor<1x2x1xf32>, tensor<1xf32>) -> tensor<1x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
  func.return %c : tensor<1x?xf32>
}

// Taps two apart are the first, third and last of five; what is subtracted has its sign changed.
// CHECK-LABEL: func.func @dilated(%in: tensor<1x?xf32>) -> tensor<1x?xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[1.000000e+00, 2.000000e+00, 4.000000e+00, 8.000000e+00, 1.600000e+01]]]> : tensor<1x1x5xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[5.000000e-01, 2.500000e-01, 1.250000e-01]]]> : tensor<1x1x3xf32>
// BEFORE-NEXT:   %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 1, kernel_w = 3, dilation_w = 2, stride_w = 2, pad_left = 2} : (tensor<1x?xf32>, tensor<1x1x3xf32>) -> tensor<1x?xf32>
// BEFORE-NEXT:   %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 1, kernel_w = 5, stride_w = 2, pad_left = 2} : (tensor<1x?xf32>, tensor<1x1x5xf32>) -> tensor<1x?xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %a, %b {name = "c", op_type = sub} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
// BEFORE-NEXT:   func.return %c : tensor<1x?xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[5.000000e-01, 2.000000e+00, 3.750000e+00, 8.000000e+00, 1.587500e+01]]]> : tensor<1x1x5xf32>
// AFTER-NEXT:    %a = ncnn.convolution1d %in weight %v {name = "a", blobs = ["c"], num_output = 1, kernel_w = 5, stride_w = 2, pad_left = 2} : (tensor<1x?xf32>, tensor<1x1x5xf32>) -> tensor<1x?xf32>
// AFTER-NEXT:    func.return %a : tensor<1x?xf32>
// CHECK-NEXT: }
func.func @dilated(%in: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %v = ncnn.constant dense<[[[1.0, 2.0, 4.0, 8.0, 16.0]]]> : tensor<1x1x5xf32>
  %w = ncnn.constant dense<[[[0.5, 0.25, 0.125]]]> : tensor<1x1x3xf32>
  %b = ncnn.convolution1d %in weight %w {name = "b", num_output = 1, kernel_w = 3, dilation_w = 2, stride_w = 2, pad_left = 2} : (tensor<1x?xf32>, tensor<1x1x3xf32>) -> tensor<1x?xf32>
  %a = ncnn.convolution1d %in weight %v {name = "a", num_output = 1, kernel_w = 5, stride_w = 2, pad_left = 2} : (tensor<1x?xf32>, tensor<1x1x5xf32>) -> tensor<1x?xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = sub} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
  func.return %c : tensor<1x?xf32>
}

// The blob itself, on the diagonal: in each group from its first channel on.
// CHECK-LABEL: func.func @itself(%in: tensor<*xf32>) -> tensor<4x?xf32> {
// BEFORE-NEXT:   %u = ncnn.constant dense<1.000000e+00> : tensor<4x1x1xf32>
// BEFORE-NEXT:   %x = ncnn.convolution1d %in weight %u {name = "x", num_output = 4, kernel_w = 1} : (tensor<*xf32>, tensor<4x1x1xf32>) -> tensor<4x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[1.000000e+00], [2.000000e+00]], [[3.000000e+00], [4.000000e+00]], [[5.000000e+00], [6.000000e+00]], [[7.000000e+00], [8.000000e+00]]]> : tensor<4x2x1xf32>
// BEFORE-NEXT:   %a = ncnn.convolutiondepthwise1d %x weight %w {name = "a", num_output = 4, kernel_w = 1, group = 2} : (tensor<4x?xf32>, tensor<4x2x1xf32>) -> tensor<4x?xf32>
// BEFORE-NEXT:   %c = ncnn.eltwise %x, %a {name = "c", op_type = sum, coeffs = [8.0, 2.0]} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
// BEFORE-NEXT:   func.return %c : tensor<4x?xf32>
// AFTER-NEXT:    %u = ncnn.constant dense<1.000000e+00> : tensor<4x1x1xf32>
// AFTER-NEXT:    %x = ncnn.convolution1d %in weight %u {name = "x", num_output = 4, kernel_w = 1} : (tensor<*xf32>, tensor<4x1x1xf32>) -> tensor<4x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[1.000000e+01], [4.000000e+00]], [[6.000000e+00], [1.600000e+01]], [[1.800000e+01], [1.200000e+01]], [[1.400000e+01], [2.400000e+01]]]> : tensor<4x2x1xf32>
// AFTER-NEXT:    %a = ncnn.convolutiondepthwise1d %x weight %w {name = "a", blobs = ["c"], num_output = 4, kernel_w = 1, group = 2} : (tensor<4x?xf32>, tensor<4x2x1xf32>) -> tensor<4x?xf32>
// AFTER-NEXT:    func.return %a : tensor<4x?xf32>
// CHECK-NEXT: }
func.func @itself(%in: tensor<*xf32>) -> tensor<4x?xf32> {
  %u = ncnn.constant dense<1.0> : tensor<4x1x1xf32>
  %x = ncnn.convolution1d %in weight %u {name = "x", num_output = 4, kernel_w = 1} : (tensor<*xf32>, tensor<4x1x1xf32>) -> tensor<4x?xf32>
  %w = ncnn.constant dense<[[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]], [[7.0], [8.0]]]> : tensor<4x2x1xf32>
  %a = ncnn.convolutiondepthwise1d %x weight %w {name = "a", num_output = 4, kernel_w = 1, group = 2} : (tensor<4x?xf32>, tensor<4x2x1xf32>) -> tensor<4x?xf32>
  %c = ncnn.eltwise %x, %a {name = "c", op_type = sum, coeffs = [8.0, 2.0]} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  func.return %c : tensor<4x?xf32>
}

// All three branches of a block as RepVGG trains it. (A BatchNorm is a factor and a summand.)
// CHECK-LABEL: func.func @block(%in: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %u = ncnn.constant dense<1.000000e+00> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %x = ncnn.convolution %in weight %u {name = "x", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[[1.000000e+00, 2.000000e+00, 3.000000e+00]], [[4.000000e+00, 5.000000e+00, 6.000000e+00]]], [[[1.000000e+00, 2.000000e+00, 3.000000e+00]], [[4.000000e+00, 5.000000e+00, 6.000000e+00]]]]> : tensor<2x2x1x3xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 3, pad_left = 1, kernel_h = 1, pad_top = 0} : (tensor<2x?x?xf32>, tensor<2x2x1x3xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[2.000000e+00]], [[4.000000e+00]]], [[[8.000000e+00]], [[1.600000e+01]]]]> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.convolution %x weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %b, %a {name = "c", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.200000e+01, 6.400000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %t = ncnn.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %n = ncnn.scale %x scale %s bias %t {name = "n"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %c, %n {name = "d", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %d : tensor<2x?x?xf32>
// AFTER-NEXT:    %u = ncnn.constant dense<1.000000e+00> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %x = ncnn.convolution %in weight %u {name = "x", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %v_bias = ncnn.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00, 3.600000e+01, 3.000000e+00]], [[4.000000e+00, 9.000000e+00, 6.000000e+00]]], [[[1.000000e+00, 1.000000e+01, 3.000000e+00]], [[4.000000e+00, 8.500000e+01, 6.000000e+00]]]]> : tensor<2x2x1x3xf32>
// AFTER-NEXT:    %a = ncnn.convolution %x weight %v bias %v_bias {name = "a", blobs = ["d"], num_output = 2, kernel_w = 3, pad_left = 1, kernel_h = 1, pad_top = 0} : (tensor<2x?x?xf32>, tensor<2x2x1x3xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %a : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @block(%in: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %u = ncnn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %x = ncnn.convolution %in weight %u {name = "x", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
  %v = ncnn.constant dense<[[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]], [[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]]> : tensor<2x2x1x3xf32>
  %a = ncnn.convolution %x weight %v {name = "a", num_output = 2, kernel_w = 3, kernel_h = 1, pad_left = 1, pad_top = 0} : (tensor<2x?x?xf32>, tensor<2x2x1x3xf32>) -> tensor<2x?x?xf32>
  %w = ncnn.constant dense<[[[[2.0]], [[4.0]]], [[[8.0]], [[16.0]]]]> : tensor<2x2x1x1xf32>
  %b = ncnn.convolution %x weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x?x?xf32>, tensor<2x2x1x1xf32>) -> tensor<2x?x?xf32>
  %c = ncnn.binaryop %b, %a {name = "c", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = ncnn.constant dense<[32.0, 64.0]> : tensor<2xf32>
  %t = ncnn.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %n = ncnn.scale %x scale %s bias %t {name = "n"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %d = ncnn.binaryop %c, %n {name = "d", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %d : tensor<2x?x?xf32>
}
