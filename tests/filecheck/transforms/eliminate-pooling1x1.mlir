// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-pooling1x1 %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-pooling1x1 %s > %t.once
// RUN: ncnn-opt --eliminate-pooling1x1 %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-pooling1x1 --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-pooling1x1: Pooling 'max'
// REMARK-NEXT: remark: eliminate-pooling1x1: Pooling 'avg'
// REMARK-NEXT: remark: eliminate-pooling1x1: Pooling1D 'a'
// REMARK-NEXT: remark: eliminate-pooling1x1: Pooling3D 'b'
// REMARK-NEXT: remark: eliminate-pooling1x1: Pooling 'pool'
// REMARK-NEXT: remark: eliminate-pooling1x1: Pooling 'pool'
// REMARK-NEXT: remark: eliminate-pooling1x1: Pooling 'pool'

// Windows of one element, the maximum of which it is, and the mean.
// CHECK-LABEL: func.func @one_element(%x: tensor<3x8x8xf32>) -> tensor<3x8x8xf32> {
// BEFORE-NEXT:   %abs = ncnn.absval %x {name = "abs"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
// BEFORE-NEXT:   %max = ncnn.pooling %abs {name = "max", kernel_w = 1} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
// BEFORE-NEXT:   %avg = ncnn.pooling %max {name = "avg", pooling_type = avg, kernel_w = 1, pad_mode = same_upper} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %avg {name = "relu"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
// BEFORE-NEXT:   func.return %relu : tensor<3x8x8xf32>
// AFTER-NEXT:    %abs = ncnn.absval %x {name = "abs"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
// AFTER-NEXT:    %relu = ncnn.relu %abs {name = "relu"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
// AFTER-NEXT:    func.return %relu : tensor<3x8x8xf32>
// CHECK-NEXT: }
func.func @one_element(%x: tensor<3x8x8xf32>) -> tensor<3x8x8xf32> {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %max = ncnn.pooling %abs {name = "max", kernel_w = 1} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %avg = ncnn.pooling %max {name = "avg", pooling_type = avg, kernel_w = 1, pad_mode = same_upper} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %relu = ncnn.relu %avg {name = "relu"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  func.return %relu : tensor<3x8x8xf32>
}

// In 1 and 3 dims, of any extents.
// CHECK-LABEL: func.func @other_dims(%x: tensor<4x?xf32>, %y: tensor<?x?x?x?xf32>) -> (tensor<4x?xf32>, tensor<?x?x?x?xf32>) {
// BEFORE-NEXT:   %a = ncnn.pooling1d %x {name = "a", kernel_w = 1} : (tensor<4x?xf32>) -> tensor<4x?xf32>
// BEFORE-NEXT:   %b = ncnn.pooling3d %y {name = "b", kernel_w = 1} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %a {name = "relu"} : (tensor<4x?xf32>) -> tensor<4x?xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
// BEFORE-NEXT:   func.return %relu, %tanh : tensor<4x?xf32>, tensor<?x?x?x?xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<4x?xf32>) -> tensor<4x?xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %y {name = "tanh"} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
// AFTER-NEXT:    func.return %relu, %tanh : tensor<4x?xf32>, tensor<?x?x?x?xf32>
// CHECK-NEXT: }
func.func @other_dims(%x: tensor<4x?xf32>, %y: tensor<?x?x?x?xf32>) -> (tensor<4x?xf32>, tensor<?x?x?x?xf32>) {
  %a = ncnn.pooling1d %x {name = "a", kernel_w = 1} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %b = ncnn.pooling3d %y {name = "b", kernel_w = 1} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %relu = ncnn.relu %a {name = "relu"} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  func.return %relu, %tanh : tensor<4x?xf32>, tensor<?x?x?x?xf32>
}

// Adaptive pooling to the extents that the blob has: -233 means these.
// CHECK-LABEL: func.func @adaptive(%x: tensor<3x?x?xf32>) -> tensor<3x?x?xf32> {
// BEFORE-NEXT:   %pool = ncnn.pooling %x {name = "pool", pooling_type = avg, adaptive_pooling = 1, out_w = -233} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %pool {name = "relu"} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
// BEFORE-NEXT:   func.return %relu : tensor<3x?x?xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
// AFTER-NEXT:    func.return %relu : tensor<3x?x?xf32>
// CHECK-NEXT: }
func.func @adaptive(%x: tensor<3x?x?xf32>) -> tensor<3x?x?xf32> {
  %pool = ncnn.pooling %x {name = "pool", pooling_type = avg, adaptive_pooling = 1, out_w = -233} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %relu = ncnn.relu %pool {name = "relu"} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  func.return %relu : tensor<3x?x?xf32>
}

// The same by numbers, which follow from parameters.
// CHECK-LABEL: func.func @adaptive_by_numbers(%x: tensor<?xf32>) -> tensor<3x4x4xf32> {
// BEFORE-NEXT:   %reshape = ncnn.reshape %x {name = "reshape", w = 4, h = 4, c = 3} : (tensor<?xf32>) -> tensor<3x4x4xf32>
// BEFORE-NEXT:   %pool = ncnn.pooling %reshape {name = "pool", adaptive_pooling = 1, out_w = 4} : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %pool {name = "relu"} : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
// BEFORE-NEXT:   func.return %relu : tensor<3x4x4xf32>
// AFTER-NEXT:    %reshape = ncnn.reshape %x {name = "reshape", w = 4, h = 4, c = 3} : (tensor<?xf32>) -> tensor<3x4x4xf32>
// AFTER-NEXT:    %relu = ncnn.relu %reshape {name = "relu"} : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
// AFTER-NEXT:    func.return %relu : tensor<3x4x4xf32>
// CHECK-NEXT: }
func.func @adaptive_by_numbers(%x: tensor<?xf32>) -> tensor<3x4x4xf32> {
  %reshape = ncnn.reshape %x {name = "reshape", w = 4, h = 4, c = 3} : (tensor<?xf32>) -> tensor<3x4x4xf32>
  %pool = ncnn.pooling %reshape {name = "pool", adaptive_pooling = 1, out_w = 4} : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %relu = ncnn.relu %pool {name = "relu"} : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  func.return %relu : tensor<3x4x4xf32>
}

// The model's output keeps its name.
// CHECK-LABEL: func.func @output(%x: tensor<3x8x8xf32>) -> (tensor<3x8x8xf32> {ncnn.blob = "out"}) {
// BEFORE-NEXT:   %abs = ncnn.absval %x {name = "abs"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
// BEFORE-NEXT:   %pool = ncnn.pooling %abs {name = "pool", blobs = ["out"], kernel_w = 1} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
// BEFORE-NEXT:   func.return %pool : tensor<3x8x8xf32>
// AFTER-NEXT:    %abs = ncnn.absval %x {name = "abs"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
// AFTER-NEXT:    func.return %abs : tensor<3x8x8xf32>
// CHECK-NEXT: }
func.func @output(%x: tensor<3x8x8xf32>) -> (tensor<3x8x8xf32> {ncnn.blob = "out"}) {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %pool = ncnn.pooling %abs {name = "pool", blobs = ["out"], kernel_w = 1} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  func.return %pool : tensor<3x8x8xf32>
}
