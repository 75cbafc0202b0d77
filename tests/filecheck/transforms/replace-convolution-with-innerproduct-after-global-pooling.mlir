// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-global-pooling %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-global-pooling %s > %t.once
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-global-pooling %t.once | diff %t.once -
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-global-pooling --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-convolution-with-innerproduct-after-global-pooling: Convolution 'conv', Pooling 'pool'
// REMARK-NEXT: remark: replace-convolution-with-innerproduct-after-global-pooling: Convolution 'conv', Pooling 'pool'

// A pooled blob has one dim. Activation, bias, storage, names stay.
// CHECK-LABEL: func.func @pooled(%x: tensor<*xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}) {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]]], [[[5.000000e+00]], [[6.000000e+00]], [[7.000000e+00]], [[8.000000e+00]]]]> : tensor<2x4x1x1xf16>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 4} : (tensor<*xf32>) -> tensor<4x?x2xf32>
// BEFORE-NEXT:   %pool = ncnn.pooling %r {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<4x?x2xf32>) -> tensor<4xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %pool weight %w bias %b {name = "conv", blobs = ["out"], num_output = 2, kernel_w = 1, stride_w = 2, activation_type = clip, activation_params = [0.0, 6.0], shape_hints = [1, 2, 1, 1]} : (tensor<4xf32>, tensor<2x4x1x1xf16>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %conv : tensor<2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 4} : (tensor<*xf32>) -> tensor<4x?x2xf32>
// AFTER-NEXT:    %pool = ncnn.pooling %r {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<4x?x2xf32>) -> tensor<4xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf16>
// AFTER-NEXT:    %conv = ncnn.innerproduct %pool weight %w bias %b {name = "conv", blobs = ["out"], num_output = 2, activation_type = clip, activation_params = [0.0, 6.0], shape_hints = [1, 2, 1, 1]} : (tensor<4xf32>, tensor<2x4xf16>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %conv : tensor<2xf32>
// CHECK-NEXT: }
func.func @pooled(%x: tensor<*xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}) {
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]], [[[5.0]], [[6.0]], [[7.0]], [[8.0]]]]> : tensor<2x4x1x1xf16>
  %b = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 4} : (tensor<*xf32>) -> tensor<4x?x2xf32>
  %pool = ncnn.pooling %r {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<4x?x2xf32>) -> tensor<4xf32>
  %conv = ncnn.convolution %pool weight %w bias %b {name = "conv", blobs = ["out"], num_output = 2, kernel_w = 1, stride_w = 2, activation_type = clip, activation_params = [0.0, 6.0], shape_hints = [1, 2, 1, 1]} : (tensor<4xf32>, tensor<2x4x1x1xf16>, tensor<2xf32>) -> tensor<2xf32>
  func.return %conv : tensor<2xf32>
}

// The pads of SAME are none for one element. The pooled blob may have other readers.
// CHECK-LABEL: func.func @same(%x: tensor<*xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[2.000000e+00]]]]> : tensor<1x1x1x1xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 1} : (tensor<*xf32>) -> tensor<1x?x2xf32>
// BEFORE-NEXT:   %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<1x?x2xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %pool weight %w {name = "conv", num_output = 1, kernel_w = 1, pad_left = -233} : (tensor<1xf32>, tensor<1x1x1x1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %pool {name = "relu"} : (tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   func.return %conv, %relu : tensor<1xf32>, tensor<1xf32>
// AFTER-NEXT:    %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 1} : (tensor<*xf32>) -> tensor<1x?x2xf32>
// AFTER-NEXT:    %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<1x?x2xf32>) -> tensor<1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[2.000000e+00]]> : tensor<1x1xf32>
// AFTER-NEXT:    %conv = ncnn.innerproduct %pool weight %w {name = "conv", num_output = 1} : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<1xf32>
// AFTER-NEXT:    %relu = ncnn.relu %pool {name = "relu"} : (tensor<1xf32>) -> tensor<1xf32>
// AFTER-NEXT:    func.return %conv, %relu : tensor<1xf32>, tensor<1xf32>
// CHECK-NEXT: }
func.func @same(%x: tensor<*xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %w = ncnn.constant dense<2.0> : tensor<1x1x1x1xf32>
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 1} : (tensor<*xf32>) -> tensor<1x?x2xf32>
  %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<1x?x2xf32>) -> tensor<1xf32>
  %conv = ncnn.convolution %pool weight %w {name = "conv", num_output = 1, kernel_w = 1, pad_left = -233} : (tensor<1xf32>, tensor<1x1x1x1xf32>) -> tensor<1xf32>
  %relu = ncnn.relu %pool {name = "relu"} : (tensor<1xf32>) -> tensor<1xf32>
  func.return %conv, %relu : tensor<1xf32>, tensor<1xf32>
}
