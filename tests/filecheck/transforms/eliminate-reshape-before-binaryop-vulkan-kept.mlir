// RUN: ncnn-opt --eliminate-reshape-before-binaryop %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --ncnn-tune="processor=vulkan" --eliminate-reshape-before-binaryop %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --ncnn-tune="processor=arm" --eliminate-reshape-before-binaryop %s | filecheck %s --check-prefix=CPU

// On Vulkan, the sum of blobs of different ranks has the shape of the blob of higher rank.

// The blob of lower rank is larger along the outermost axis.
// KEPT-LABEL: func.func @larger
// KEPT: ncnn.reshape
// KEPT: ncnn.expanddims
// KEPT: ncnn.binaryop
// CPU-LABEL: func.func @larger
// CPU-NOT: ncnn.expanddims
// CPU: ncnn.binaryop
func.func @larger(%x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<5x3x1xf32> {
  %a = ncnn.reshape %x {name = "a", w = 1, h = 3, c = 1} : (tensor<*xf32>) -> tensor<1x3x1xf32>
  %b = ncnn.reshape %y {name = "b", w = 3, h = 5} : (tensor<*xf32>) -> tensor<5x3xf32>
  %c = ncnn.relu %b {name = "relu"} : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %expand = ncnn.expanddims %c {name = "expand", axes = [-1]} : (tensor<5x3xf32>) -> tensor<5x3x1xf32>
  %add = ncnn.binaryop %a, %expand {name = "add", op_type = add} : (tensor<1x3x1xf32>, tensor<5x3x1xf32>) -> tensor<5x3x1xf32>
  func.return %add : tensor<5x3x1xf32>
}

// Equal, or 1: the shape of the sum is that of the blob of higher rank.
// KEPT-LABEL: func.func @equal
// KEPT-NOT: ncnn.expanddims
// KEPT: ncnn.binaryop
func.func @equal(%x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<5x3x2xf32> {
  %a = ncnn.reshape %x {name = "a", w = 2, h = 3, c = 5} : (tensor<*xf32>) -> tensor<5x3x2xf32>
  %b = ncnn.reshape %y {name = "b", w = 1, h = 5} : (tensor<*xf32>) -> tensor<5x1xf32>
  %c = ncnn.relu %b {name = "relu"} : (tensor<5x1xf32>) -> tensor<5x1xf32>
  %expand = ncnn.expanddims %c {name = "expand", axes = [-1]} : (tensor<5x1xf32>) -> tensor<5x1x1xf32>
  %add = ncnn.binaryop %a, %expand {name = "add", op_type = add} : (tensor<5x3x2xf32>, tensor<5x1x1xf32>) -> tensor<5x3x2xf32>
  func.return %add : tensor<5x3x2xf32>
}

// Both have an extent of 1 along an axis.
// KEPT-LABEL: func.func @both_one
// KEPT-NOT: ncnn.expanddims
// KEPT: ncnn.binaryop
func.func @both_one(%x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<5x1x2xf32> {
  %a = ncnn.reshape %x {name = "a", w = 2, h = 1, c = 5} : (tensor<*xf32>) -> tensor<5x1x2xf32>
  %v = ncnn.constant dense<1.0> : tensor<5x2xf32>
  %flat = ncnn.flatten %y {name = "flat"} : (tensor<*xf32>) -> tensor<2xf32>
  %fc = ncnn.innerproduct %flat weight %v {name = "fc", num_output = 5} : (tensor<2xf32>, tensor<5x2xf32>) -> tensor<5xf32>
  %b = ncnn.reshape %fc {name = "b", w = 1, h = 5} : (tensor<5xf32>) -> tensor<5x1xf32>
  %c = ncnn.relu %b {name = "relu"} : (tensor<5x1xf32>) -> tensor<5x1xf32>
  %expand = ncnn.expanddims %c {name = "expand", axes = [-1]} : (tensor<5x1xf32>) -> tensor<5x1x1xf32>
  %add = ncnn.binaryop %a, %expand {name = "add", op_type = add} : (tensor<5x1x2xf32>, tensor<5x1x1xf32>) -> tensor<5x1x2xf32>
  func.return %add : tensor<5x1x2xf32>
}
