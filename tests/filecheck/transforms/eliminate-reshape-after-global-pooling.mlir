// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-reshape-after-global-pooling %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-reshape-after-global-pooling %s > %t.once
// RUN: ncnn-opt --eliminate-reshape-after-global-pooling %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-reshape-after-global-pooling --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-reshape-after-global-pooling: Pooling 'pool', Reshape 'a'
// REMARK-NEXT: remark: eliminate-reshape-after-global-pooling: Pooling 'pool', Reshape 'b'
// REMARK-NEXT: remark: eliminate-reshape-after-global-pooling: Pooling 'pool', Reshape 'c'
// REMARK-NEXT: remark: eliminate-reshape-after-global-pooling: Pooling1D 'a', Reshape 'flat_a'
// REMARK-NEXT: remark: eliminate-reshape-after-global-pooling: Pooling3D 'b', Reshape 'flat_b'

// To one dim, in all spellings: all elements, as many as there are, these.
// CHECK-LABEL: func.func @pooling(%x: tensor<8x?x?xf32>) -> tensor<8xf32> {
// BEFORE-NEXT:   %pool = ncnn.pooling %x {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<8x?x?xf32>) -> tensor<8xf32>
// BEFORE-NEXT:   %a = ncnn.reshape %pool {name = "a", w = -1} : (tensor<8xf32>) -> tensor<8xf32>
// BEFORE-NEXT:   %b = ncnn.reshape %a {name = "b", w = 0} : (tensor<8xf32>) -> tensor<8xf32>
// BEFORE-NEXT:   %c = ncnn.reshape %b {name = "c", w = 8} : (tensor<8xf32>) -> tensor<8xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %c {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
// BEFORE-NEXT:   func.return %relu : tensor<8xf32>
// AFTER-NEXT:    %pool = ncnn.pooling %x {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<8x?x?xf32>) -> tensor<8xf32>
// AFTER-NEXT:    %relu = ncnn.relu %pool {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
// AFTER-NEXT:    func.return %relu : tensor<8xf32>
// CHECK-NEXT: }
func.func @pooling(%x: tensor<8x?x?xf32>) -> tensor<8xf32> {
  %pool = ncnn.pooling %x {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<8x?x?xf32>) -> tensor<8xf32>
  %a = ncnn.reshape %pool {name = "a", w = -1} : (tensor<8xf32>) -> tensor<8xf32>
  %b = ncnn.reshape %a {name = "b", w = 0} : (tensor<8xf32>) -> tensor<8xf32>
  %c = ncnn.reshape %b {name = "c", w = 8} : (tensor<8xf32>) -> tensor<8xf32>
  %relu = ncnn.relu %c {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %relu : tensor<8xf32>
}

// Of 1 and 3 dims, too. The output keeps its name.
// BEFORE-LABEL: func.func @kinds(%x: tensor<?x?xf32>, %y: tensor<?x?x?x?xf32>) -> (tensor<?xf32> {ncnn.blob = "out"}, tensor<?xf32>) {
// AFTER-LABEL: func.func @kinds(%x: tensor<?x?xf32>, %y: tensor<?x?x?x?xf32>) -> (tensor<?xf32> {ncnn.blob = "out"}, tensor<?xf32> {ncnn.blob = "relu"}) {
// BEFORE-NEXT:   %a = ncnn.pooling1d %x {name = "a", global_pooling = 1} : (tensor<?x?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %b = ncnn.pooling3d %y {name = "b", global_pooling = 1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %flat_a = ncnn.reshape %a {name = "flat_a", blobs = ["out"], w = -1} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %flat_b = ncnn.reshape %b {name = "flat_b", w = -1} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %flat_b {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   func.return %flat_a, %relu : tensor<?xf32>, tensor<?xf32>
// AFTER-NEXT:    %a = ncnn.pooling1d %x {name = "a", global_pooling = 1} : (tensor<?x?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    %b = ncnn.pooling3d %y {name = "b", global_pooling = 1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    %relu = ncnn.relu %b {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    func.return %a, %relu : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT: }
func.func @kinds(%x: tensor<?x?xf32>, %y: tensor<?x?x?x?xf32>) -> (tensor<?xf32> {ncnn.blob = "out"}, tensor<?xf32>) {
  %a = ncnn.pooling1d %x {name = "a", global_pooling = 1} : (tensor<?x?xf32>) -> tensor<?xf32>
  %b = ncnn.pooling3d %y {name = "b", global_pooling = 1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
  %flat_a = ncnn.reshape %a {name = "flat_a", blobs = ["out"], w = -1} : (tensor<?xf32>) -> tensor<?xf32>
  %flat_b = ncnn.reshape %b {name = "flat_b", w = -1} : (tensor<?xf32>) -> tensor<?xf32>
  %relu = ncnn.relu %flat_b {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %flat_a, %relu : tensor<?xf32>, tensor<?xf32>
}
