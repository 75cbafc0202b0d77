// RUN: ncnn-opt --replace-squeeze-with-reshape %s | filecheck %s

// Two extents are dynamic, and neither is at its own axis.
// CHECK-LABEL: func.func @two_dynamic(
// CHECK: ncnn.squeeze
func.func @two_dynamic(%x: tensor<?x1x?x3xf32>) -> tensor<?x?x3xf32> {
  %y = ncnn.squeeze %x {name = "y", squeeze_d = 1} : (tensor<?x1x?x3xf32>) -> tensor<?x?x3xf32>
  func.return %y : tensor<?x?x3xf32>
}

// The rank is not known.
// CHECK-LABEL: func.func @unranked(
// CHECK: ncnn.squeeze
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %y = ncnn.squeeze %x {name = "y", squeeze_h = 1} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// Whether the axis remains depends on its extent.
// CHECK-LABEL: func.func @perhaps(
// CHECK: ncnn.squeeze
func.func @perhaps(%x: tensor<4x?x6xf32>) -> tensor<*xf32> {
  %y = ncnn.squeeze %x {name = "y", squeeze_h = 1} : (tensor<4x?x6xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
