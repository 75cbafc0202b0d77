// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-convolution-convolution %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-convolution-convolution %s > %t.once
// RUN: ncnn-opt --fuse-convolution-convolution %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-convolution-convolution --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: fuse-convolution-convolution: Convolution 'y', Convolution 'c'

// Four channels between one and one: a product for each pixel is left of eight.
// CHECK-LABEL: func.func @pixels(%x: tensor<?x?x?xf32>) -> tensor<1x?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]], [[[3.000000e+00]]], [[[4.000000e+00]]]]> : tensor<4x1x1x1xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// BEFORE-NEXT:   %r = ncnn.relu %x {name = "r"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %c = ncnn.convolution %r weight %w bias %b {name = "c", num_output = 4, kernel_w = 1} : (tensor<?x?x?xf32>, tensor<4x1x1x1xf32>, tensor<4xf32>) -> tensor<4x?x?xf32>
// BEFORE-NEXT:   %u = ncnn.constant dense<[[[[1.000000e+00]], [[5.000000e-01]], [[2.000000e+00]], [[-1.000000e+00]]]]> : tensor<1x4x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %c weight %u {name = "y", num_output = 1, kernel_w = 1, stride_w = 2, activation_type = relu} : (tensor<4x?x?xf32>, tensor<1x4x1x1xf32>) -> tensor<1x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<1x?x?xf32>
// AFTER-NEXT:    %r = ncnn.relu %x {name = "r"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[4.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %u = ncnn.constant dense<[[[[4.000000e+00]]]]> : tensor<1x1x1x1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %r weight %u bias %b {name = "y", num_output = 1, kernel_w = 1, stride_w = 2, activation_type = relu} : (tensor<?x?x?xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<1x?x?xf32>
// CHECK-NEXT: }
func.func @pixels(%x: tensor<?x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>
  %b = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = ncnn.relu %x {name = "r"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = ncnn.convolution %r weight %w bias %b {name = "c", num_output = 4, kernel_w = 1} : (tensor<?x?x?xf32>, tensor<4x1x1x1xf32>, tensor<4xf32>) -> tensor<4x?x?xf32>
  %u = ncnn.constant dense<[[[[1.0]], [[0.5]], [[2.0]], [[-1.0]]]]> : tensor<1x4x1x1xf32>
  %y = ncnn.convolution %c weight %u {name = "y", num_output = 1, kernel_w = 1, stride_w = 2, activation_type = relu} : (tensor<4x?x?xf32>, tensor<1x4x1x1xf32>) -> tensor<1x?x?xf32>
  func.return %y : tensor<1x?x?xf32>
}
