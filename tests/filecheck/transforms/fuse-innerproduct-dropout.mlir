// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-innerproduct-dropout %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-innerproduct-dropout %s > %t.once
// RUN: ncnn-opt --fuse-innerproduct-dropout %t.once | diff %t.once -

// A Dropout that scales into the InnerProduct before it: weight and bias times 0.5.

// CHECK-LABEL: func.func @with_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.innerproduct %x weight %w bias %b {name = "y", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.dropout %y {name = "z", scale = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %z : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[5.000000e-01, 1.000000e+00, 1.500000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[5.000000e+00, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.innerproduct %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @with_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %x weight %w bias %b {name = "y", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = ncnn.dropout %y {name = "z", scale = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}

// CHECK-LABEL: func.func @without_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.innerproduct %x weight %w {name = "y", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.dropout %y {name = "z", scale = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %z : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[5.000000e-01, 1.000000e+00, 1.500000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.innerproduct %x weight %w {name = "y", blobs = ["z"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @without_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = ncnn.innerproduct %x weight %w {name = "y", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %z = ncnn.dropout %y {name = "z", scale = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}

// The usual Dropout, with scale 1, goes as well.
// CHECK-LABEL: func.func @of_one(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.innerproduct %x weight %w bias %b {name = "y", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.dropout %y {name = "z"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %z : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.innerproduct %x weight %w bias %b {name = "y", blobs = ["z"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @of_one(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %x weight %w bias %b {name = "y", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = ncnn.dropout %y {name = "z"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}
