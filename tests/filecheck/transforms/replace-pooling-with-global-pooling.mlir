// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-pooling-with-global-pooling %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-pooling-with-global-pooling %s > %t.once
// RUN: ncnn-opt --replace-pooling-with-global-pooling %t.once | diff %t.once -
// RUN: ncnn-opt --replace-pooling-with-global-pooling --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-pooling-with-global-pooling: Pooling 'p'
// REMARK-NEXT: remark: replace-pooling-with-global-pooling: Pooling 'p'

// As large as the image, which is promised.
// CHECK-LABEL: func.func @kernel(%x: tensor<3x7x5xf32> {ncnn.promised}) -> tensor<3xf32> {
// BEFORE-NEXT:   %p = ncnn.pooling %x {name = "p", pooling_type = avg, kernel_w = 5, kernel_h = 7} : (tensor<3x7x5xf32>) -> tensor<3x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.flatten %p {name = "y"} : (tensor<3x1x1xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   func.return %y : tensor<3xf32>
// AFTER-NEXT:    %0 = ncnn.pooling %x {name = "p", pooling_type = avg, global_pooling = 1} : (tensor<3x7x5xf32>) -> tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.flatten %0 {name = "y"} : (tensor<3xf32>) -> tensor<3xf32>
// AFTER-NEXT:    func.return %y : tensor<3xf32>
// CHECK-NEXT: }
func.func @kernel(%x: tensor<3x7x5xf32> {ncnn.promised}) -> tensor<3xf32> {
  %p = ncnn.pooling %x {name = "p", pooling_type = avg, kernel_w = 5, kernel_h = 7} : (tensor<3x7x5xf32>) -> tensor<3x1x1xf32>
  %y = ncnn.flatten %p {name = "y"} : (tensor<3x1x1xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// Adaptive, for images of any size.
// CHECK-LABEL: func.func @adaptive(%x: tensor<3x?x?xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %p = ncnn.pooling %x {name = "p", adaptive_pooling = 1, out_w = 1} : (tensor<3x?x?xf32>) -> tensor<3x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.innerproduct %p weight %w {name = "y", num_output = 2} : (tensor<3x1x1xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %y : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %0 = ncnn.pooling %x {name = "p", global_pooling = 1} : (tensor<3x?x?xf32>) -> tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.innerproduct %0 weight %w {name = "y", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @adaptive(%x: tensor<3x?x?xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %p = ncnn.pooling %x {name = "p", adaptive_pooling = 1, out_w = 1} : (tensor<3x?x?xf32>) -> tensor<3x1x1xf32>
  %y = ncnn.innerproduct %p weight %w {name = "y", num_output = 2} : (tensor<3x1x1xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
