// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-kept-axes %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-kept-axes %s > %t.once
// RUN: ncnn-opt --eliminate-kept-axes %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-kept-axes --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-kept-axes: Reduction 'm', Convolution 'a', Convolution 'b', HardSigmoid 's', BinaryOp 'y'
// REMARK-NEXT: remark: eliminate-kept-axes: Reduction 'm', Convolution 'b', BinaryOp 'y'
// REMARK-NEXT: remark: eliminate-kept-axes: Reshape 'r', Convolution 'b', HardSigmoid 's', BinaryOp 'y'

// The mean, and what is made of it, has one dim.
// CHECK-LABEL: func.func @gate(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %k = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]]]> : tensor<1x2x1x1xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %m weight %w {name = "a", num_output = 1, kernel_w = 1, activation_type = relu} : (tensor<2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x1xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.convolution %a weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %k = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %0 = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]]]]> : tensor<1x2x1x1xf32>
// AFTER-NEXT:    %1 = ncnn.convolution %0 weight %w {name = "a", num_output = 1, kernel_w = 1, activation_type = relu} : (tensor<2xf32>, tensor<1x2x1x1xf32>) -> tensor<1xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %2 = ncnn.convolution %1 weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1xf32>, tensor<2x1x1x1xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %3 = ncnn.hardsigmoid %2 {name = "s"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x, %3 {name = "y", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @gate(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = mean, reduce_all = 0, axes = [1, 2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %a = ncnn.convolution %m weight %w {name = "a", num_output = 1, kernel_w = 1, activation_type = relu} : (tensor<2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x1xf32>
  %v = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.convolution %a weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// One Convolution, of the maximum; the image is the second operand.
// CHECK-LABEL: func.func @first(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %k = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:   %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = max, reduce_all = 0, axes = [-1, -2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<1.000000e+00> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.convolution %m weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x1x1xf32>, tensor<2x2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %b, %x {name = "y", op_type = add} : (tensor<2x1x1xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %k = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:    %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %0 = ncnn.reduction %x {name = "m", operation = max, reduce_all = 0, axes = [-1, -2], fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<1.000000e+00> : tensor<2x2x1x1xf32>
// AFTER-NEXT:    %1 = ncnn.convolution %0 weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %1, %x {name = "y", op_type = add} : (tensor<2xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @first(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.reduction %x {name = "m", operation = max, reduce_all = 0, axes = [-1, -2], keepdims = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x1x1xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %b = ncnn.convolution %m weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x1x1xf32>, tensor<2x2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %b, %x {name = "y", op_type = 0} : (tensor<2x1x1xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// A vector that a Reshape makes an image of one pixel.
// CHECK-LABEL: func.func @pixel(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:      %k = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// BEFORE-NEXT:      %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:      %m = ncnn.pooling %x {name = "m", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// BEFORE-NEXT:      %r = ncnn.reshape %m {name = "r", w = 1, h = 1, c = 2} : (tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:      %v = ncnn.constant dense<1.000000e+00> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:      %b = ncnn.convolution %r weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x1x1xf32>, tensor<2x2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:      %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:      %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:      func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:       %k = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// AFTER-NEXT:       %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:       %m = ncnn.pooling %x {name = "m", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// AFTER-NEXT:       %v = ncnn.constant dense<1.000000e+00> : tensor<2x2x1x1xf32>
// AFTER-NEXT:       %0 = ncnn.convolution %m weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
// AFTER-NEXT:       %1 = ncnn.hardsigmoid %0 {name = "s"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:       %y = ncnn.binaryop %x, %1 {name = "y", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:       func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @pixel(%in: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %k = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %x = ncnn.convolution %in weight %k {name = "x", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  %m = ncnn.pooling %x {name = "m", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
  %r = ncnn.reshape %m {name = "r", w = 1, h = 1, c = 2} : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %b = ncnn.convolution %r weight %v {name = "b", num_output = 2, kernel_w = 1} : (tensor<2x1x1xf32>, tensor<2x2x1x1xf32>) -> tensor<2x1x1xf32>
  %s = ncnn.hardsigmoid %b {name = "s"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = 2} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}
