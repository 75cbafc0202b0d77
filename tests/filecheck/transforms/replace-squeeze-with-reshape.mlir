// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-squeeze-with-reshape %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-squeeze-with-reshape %s > %t.once
// RUN: ncnn-opt --replace-squeeze-with-reshape %t.once | diff %t.once -
// RUN: ncnn-opt --replace-squeeze-with-reshape --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: ncnn-opt --tune vulkan --canonicalize %s | filecheck %s --check-prefix=VULKAN
// RUN: ncnn-opt --canonicalize %s | filecheck %s --check-prefix=ELSEWHERE

// Without --tune vulkan only the pass by its name replaces them.
// VULKAN-NOT: ncnn.{{squeeze|expanddims}}
// ELSEWHERE: ncnn.squeeze
// ELSEWHERE: ncnn.expanddims

// REMARK: remark: replace-squeeze-with-reshape: Squeeze 'y'
// REMARK-NEXT: remark: replace-squeeze-with-reshape: ExpandDims 'y'
// REMARK-NEXT: remark: replace-squeeze-with-reshape: Squeeze 'y'

// CHECK-LABEL: func.func @squeeze(%i: tensor<4x1x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:    %x = ncnn.interp %i {name = "x", resize_type = nearest, output_height = 1, output_width = 6} : (tensor<4x1x6xf32>) -> tensor<4x1x6xf32>
// BEFORE-NEXT:   %y = ncnn.squeeze %x {name = "y", squeeze_h = 1} : (tensor<4x1x6xf32>) -> tensor<4x6xf32>
// AFTER-NEXT:    %y = ncnn.reshape %x {name = "y", w = 6, h = -1} : (tensor<4x1x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %y : tensor<4x6xf32>
func.func @squeeze(%i: tensor<4x1x6xf32>) -> tensor<4x6xf32> {
  %x = ncnn.interp %i {name = "x", resize_type = nearest, output_height = 1, output_width = 6} : (tensor<4x1x6xf32>) -> tensor<4x1x6xf32>
  %y = ncnn.squeeze %x {name = "y", squeeze_h = 1} : (tensor<4x1x6xf32>) -> tensor<4x6xf32>
  func.return %y : tensor<4x6xf32>
}

// The innermost extent is that of the input, the outermost one the rest of the elements.
// CHECK-LABEL: func.func @expand(%x: tensor<4x6xf32>) -> tensor<4x1x6xf32> {
// BEFORE-NEXT:   %y = ncnn.expanddims %x {name = "y", axes = [1]} : (tensor<4x6xf32>) -> tensor<4x1x6xf32>
// AFTER-NEXT:    %y = ncnn.reshape %x {name = "y", w = 0, h = 1, c = -1} : (tensor<4x6xf32>) -> tensor<4x1x6xf32>
// CHECK-NEXT:    func.return %y : tensor<4x1x6xf32>
func.func @expand(%x: tensor<4x6xf32>) -> tensor<4x1x6xf32> {
  %y = ncnn.expanddims %x {name = "y", axes = [1]} : (tensor<4x6xf32>) -> tensor<4x1x6xf32>
  func.return %y : tensor<4x1x6xf32>
}

// CHECK-LABEL: func.func @dynamic(%i: tensor<4x?x?xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %x = ncnn.pooling %i {name = "x", pooling_type = avg, global_pooling = 1} : (tensor<4x?x?xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %e = ncnn.reshape %x {name = "e", w = 1, h = 1, c = -1} : (tensor<4xf32>) -> tensor<4x1x1xf32>
// CHECK-NEXT:    %r = ncnn.relu %e {name = "r"} : (tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
// BEFORE-NEXT:   %y = ncnn.squeeze %r {name = "y", squeeze_w = 1, squeeze_h = 1} : (tensor<4x1x1xf32>) -> tensor<4xf32>
// AFTER-NEXT:    %y = ncnn.flatten %r {name = "y"} : (tensor<4x1x1xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return %y : tensor<4xf32>
func.func @dynamic(%i: tensor<4x?x?xf32>) -> tensor<4xf32> {
  %x = ncnn.pooling %i {name = "x", pooling_type = avg, global_pooling = 1} : (tensor<4x?x?xf32>) -> tensor<4xf32>
  %e = ncnn.reshape %x {name = "e", w = 1, h = 1, c = -1} : (tensor<4xf32>) -> tensor<4x1x1xf32>
  %r = ncnn.relu %e {name = "r"} : (tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %y = ncnn.squeeze %r {name = "y", squeeze_w = 1, squeeze_h = 1} : (tensor<4x1x1xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
