// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --merge-reshapes %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --merge-reshapes %s > %t.once
// RUN: ncnn-opt --merge-reshapes %t.once | diff %t.once -
// RUN: ncnn-opt --merge-reshapes --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: merge-reshapes: Reshape 'b', Reshape 'a'
// REMARK-NEXT: remark: merge-reshapes: ExpandDims 'b', Flatten 'a'
// REMARK-NEXT: remark: merge-reshapes: Reshape 'e', Squeeze 'd'
// REMARK-NEXT: remark: merge-reshapes: Reshape 'b', Reshape 'a'
// REMARK-NEXT: remark: merge-reshapes: ExpandDims 'd', Reshape 'c'
// REMARK-NEXT: remark: merge-reshapes: ExpandDims 'f', Reshape 'e'
// REMARK-NEXT: remark: merge-reshapes: Squeeze 'b', ExpandDims 'a'
// REMARK-NEXT: remark: merge-reshapes: Permute 'd', Reshape 'c'
// REMARK-NEXT: remark: merge-reshapes: Reshape 'd', Flatten 'a'
// REMARK-NEXT: remark: merge-reshapes: Flatten 'e', Reshape 'c'
// REMARK-NEXT: remark: merge-reshapes: Flatten 'e', Reshape 'b'

// The second shape is all there is to say.
// CHECK-LABEL: func.func @numbers(%x: tensor<?x?x?xf32>) -> tensor<3x4xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 2, h = 6} : (tensor<?x?x?xf32>) -> tensor<6x2xf32>
// BEFORE-NEXT:   %b = ncnn.reshape %a {name = "b", w = 4, h = 3, shape_hints = [2, 4, 3, 1]} : (tensor<6x2xf32>) -> tensor<3x4xf32>
// BEFORE-NEXT:   func.return %b : tensor<3x4xf32>
// AFTER-NEXT:    %b = ncnn.reshape %x {name = "b", w = 4, h = 3, shape_hints = [2, 4, 3, 1]} : (tensor<?x?x?xf32>) -> tensor<3x4xf32>
// AFTER-NEXT:    func.return %b : tensor<3x4xf32>
// CHECK-NEXT: }
func.func @numbers(%x: tensor<?x?x?xf32>) -> tensor<3x4xf32> {
  %a = ncnn.reshape %x {name = "a", w = 2, h = 6} : (tensor<?x?x?xf32>) -> tensor<6x2xf32>
  %b = ncnn.reshape %a {name = "b", w = 4, h = 3, shape_hints = [2, 4, 3, 1]} : (tensor<6x2xf32>) -> tensor<3x4xf32>
  func.return %b : tensor<3x4xf32>
}

// A chain of all kinds becomes one, with the name of the last; one dim is a Flatten.
// CHECK-LABEL: func.func @chain(%x: tensor<*xf32>) -> (tensor<?xf32> {ncnn.blob = "out"}) {
// BEFORE-NEXT:   %a = ncnn.flatten %x {name = "a"} : (tensor<*xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %b = ncnn.expanddims %a {name = "b", axes = [0]} : (tensor<?xf32>) -> tensor<1x?xf32>
// BEFORE-NEXT:   %c = ncnn.reshape %b {name = "c", w = 4, h = -1} : (tensor<1x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   %d = ncnn.squeeze %c {name = "d", squeeze_h = 1} : (tensor<?x?xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %e = ncnn.reshape %d {name = "e", blobs = ["out"], w = -1} : (tensor<*xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   func.return %e : tensor<?xf32>
// AFTER-NEXT:    %e = ncnn.flatten %x {name = "e", blobs = ["out"]} : (tensor<*xf32>) -> tensor<?xf32>
// AFTER-NEXT:    func.return %e : tensor<?xf32>
// CHECK-NEXT: }
func.func @chain(%x: tensor<*xf32>) -> (tensor<?xf32> {ncnn.blob = "out"}) {
  %a = ncnn.flatten %x {name = "a"} : (tensor<*xf32>) -> tensor<?xf32>
  %b = ncnn.expanddims %a {name = "b", axes = [0]} : (tensor<?xf32>) -> tensor<1x?xf32>
  %c = ncnn.reshape %b {name = "c", w = 4, h = -1} : (tensor<1x?xf32>) -> tensor<?x?xf32>
  %d = ncnn.squeeze %c {name = "d", squeeze_h = 1} : (tensor<?x?xf32>) -> tensor<*xf32>
  %e = ncnn.reshape %d {name = "e", blobs = ["out"], w = -1} : (tensor<*xf32>) -> tensor<?xf32>
  func.return %e : tensor<?xf32>
}

// What the second copies from the blob between is said in terms of the first one's input.
// CHECK-LABEL: func.func @copied(%x: tensor<?x?x?xf32>) -> (tensor<?x8x4xf32>, tensor<1x?x?xf32>, tensor<?x1x?x?xf32>) {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 4, h = 0, c = -1} : (tensor<?x?x?xf32>) -> tensor<?x?x4xf32>
// BEFORE-NEXT:   %b = ncnn.reshape %a {name = "b", w = 0, h = 8, c = -1} : (tensor<?x?x4xf32>) -> tensor<?x8x4xf32>
// BEFORE-NEXT:   %c = ncnn.reshape %x {name = "c", w = 0, h = -1} : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   %d = ncnn.expanddims %c {name = "d", axes = [0]} : (tensor<?x?xf32>) -> tensor<1x?x?xf32>
// BEFORE-NEXT:   %e = ncnn.reshape %x {name = "e", w = 0, h = 0, c = 0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %f = ncnn.expanddims %e {name = "f", axes = [1]} : (tensor<?x?x?xf32>) -> tensor<?x1x?x?xf32>
// BEFORE-NEXT:   func.return %b, %d, %f : tensor<?x8x4xf32>, tensor<1x?x?xf32>, tensor<?x1x?x?xf32>
// AFTER-NEXT:    %b = ncnn.reshape %x {name = "b", w = 4, h = 8, c = -1} : (tensor<?x?x?xf32>) -> tensor<?x8x4xf32>
// AFTER-NEXT:    %d = ncnn.reshape %x {name = "d", w = 0, h = -1, c = 1} : (tensor<?x?x?xf32>) -> tensor<1x?x?xf32>
// AFTER-NEXT:    %f = ncnn.reshape %x {name = "f", w = 0, h = 0, c = 0, d = 1} : (tensor<?x?x?xf32>) -> tensor<?x1x?x?xf32>
// AFTER-NEXT:    func.return %b, %d, %f : tensor<?x8x4xf32>, tensor<1x?x?xf32>, tensor<?x1x?x?xf32>
// CHECK-NEXT: }
func.func @copied(%x: tensor<?x?x?xf32>) -> (tensor<?x8x4xf32>, tensor<1x?x?xf32>, tensor<?x1x?x?xf32>) {
  %a = ncnn.reshape %x {name = "a", w = 4, h = 0, c = -1} : (tensor<?x?x?xf32>) -> tensor<?x?x4xf32>
  %b = ncnn.reshape %a {name = "b", w = 0, h = 8, c = -1} : (tensor<?x?x4xf32>) -> tensor<?x8x4xf32>
  %c = ncnn.reshape %x {name = "c", w = 0, h = -1} : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  %d = ncnn.expanddims %c {name = "d", axes = [0]} : (tensor<?x?xf32>) -> tensor<1x?x?xf32>
  %e = ncnn.reshape %x {name = "e", w = 0, h = 0, c = 0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %f = ncnn.expanddims %e {name = "f", axes = [1]} : (tensor<?x?x?xf32>) -> tensor<?x1x?x?xf32>
  func.return %b, %d, %f : tensor<?x8x4xf32>, tensor<1x?x?xf32>, tensor<?x1x?x?xf32>
}

// Back to what it was: eliminate-identity does the rest. A Permute of extents of 1 is a reshape.
// CHECK-LABEL: func.func @back(%x: tensor<?x?xf32>, %y: tensor<*xf32>) -> (tensor<?x?xf32>, tensor<2x1x4xf32>) {
// BEFORE-NEXT:   %a = ncnn.expanddims %x {name = "a", axes = [1]} : (tensor<?x?xf32>) -> tensor<?x1x?xf32>
// BEFORE-NEXT:   %b = ncnn.squeeze %a {name = "b", axes = [1]} : (tensor<?x1x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %b {name = "relu"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   %c = ncnn.reshape %y {name = "c", w = 1, h = 4, c = 2} : (tensor<*xf32>) -> tensor<2x4x1xf32>
// BEFORE-NEXT:   %d = ncnn.permute %c {name = "d", order_type = 1} : (tensor<2x4x1xf32>) -> tensor<2x1x4xf32>
// BEFORE-NEXT:   func.return %relu, %d : tensor<?x?xf32>, tensor<2x1x4xf32>
// AFTER-NEXT:    %b = ncnn.reshape %x {name = "b", w = 0, h = 0} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    %relu = ncnn.relu %b {name = "relu"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    %d = ncnn.reshape %y {name = "d", w = 4, h = 1, c = 2} : (tensor<*xf32>) -> tensor<2x1x4xf32>
// AFTER-NEXT:    func.return %relu, %d : tensor<?x?xf32>, tensor<2x1x4xf32>
// CHECK-NEXT: }
func.func @back(%x: tensor<?x?xf32>, %y: tensor<*xf32>) -> (tensor<?x?xf32>, tensor<2x1x4xf32>) {
  %a = ncnn.expanddims %x {name = "a", axes = [1]} : (tensor<?x?xf32>) -> tensor<?x1x?xf32>
  %b = ncnn.squeeze %a {name = "b", axes = [1]} : (tensor<?x1x?xf32>) -> tensor<?x?xf32>
  %relu = ncnn.relu %b {name = "relu"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = ncnn.reshape %y {name = "c", w = 1, h = 4, c = 2} : (tensor<*xf32>) -> tensor<2x4x1xf32>
  %d = ncnn.permute %c {name = "d", order_type = 1} : (tensor<2x4x1xf32>) -> tensor<2x1x4xf32>
  func.return %relu, %d : tensor<?x?xf32>, tensor<2x1x4xf32>
}

// Element-wise layers between do not see the shape.
// CHECK-LABEL: func.func @through(%x: tensor<?x?x?xf32>) -> tensor<3x4xf32> {
// BEFORE-NEXT:   %a = ncnn.flatten %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %b = ncnn.relu %a {name = "b", slope = 0.1, shape_hints = [1, 12, 1, 1]} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %c = ncnn.unaryop %b {name = "c", op_type = exp} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %d = ncnn.reshape %c {name = "d", w = 4, h = 3} : (tensor<?xf32>) -> tensor<3x4xf32>
// BEFORE-NEXT:   func.return %d : tensor<3x4xf32>
// AFTER-NEXT:    %b = ncnn.relu %x {name = "b", slope = 0.1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %c = ncnn.unaryop %b {name = "c", op_type = exp} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %d = ncnn.reshape %c {name = "d", w = 4, h = 3} : (tensor<?x?x?xf32>) -> tensor<3x4xf32>
// AFTER-NEXT:    func.return %d : tensor<3x4xf32>
// CHECK-NEXT: }
func.func @through(%x: tensor<?x?x?xf32>) -> tensor<3x4xf32> {
  %a = ncnn.flatten %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?xf32>
  %b = ncnn.relu %a {name = "b", slope = 0.1, shape_hints = [1, 12, 1, 1]} : (tensor<?xf32>) -> tensor<?xf32>
  %c = ncnn.unaryop %b {name = "c", op_type = exp} : (tensor<?xf32>) -> tensor<?xf32>
  %d = ncnn.reshape %c {name = "d", w = 4, h = 3} : (tensor<?xf32>) -> tensor<3x4xf32>
  func.return %d : tensor<3x4xf32>
}
