// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-flatten-after-global-pooling %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-flatten-after-global-pooling %s > %t.once
// RUN: ncnn-opt --eliminate-flatten-after-global-pooling %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-flatten-after-global-pooling --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-flatten-after-global-pooling: Pooling 'pool', Flatten 'flat'
// REMARK-NEXT: remark: eliminate-flatten-after-global-pooling: Pooling1D 'a', Flatten 'flat_a'
// REMARK-NEXT: remark: eliminate-flatten-after-global-pooling: Pooling3D 'b', Flatten 'flat_b'

// Global pooling gives one dim, whatever the extents are.
// CHECK-LABEL: func.func @pooling(%x: tensor<8x?x?xf32>) -> tensor<8xf32> {
// BEFORE-NEXT:   %pool = ncnn.pooling %x {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<8x?x?xf32>) -> tensor<8xf32>
// BEFORE-NEXT:   %flat = ncnn.flatten %pool {name = "flat"} : (tensor<8xf32>) -> tensor<8xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %flat {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
// BEFORE-NEXT:   func.return %relu : tensor<8xf32>
// AFTER-NEXT:    %pool = ncnn.pooling %x {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<8x?x?xf32>) -> tensor<8xf32>
// AFTER-NEXT:    %relu = ncnn.relu %pool {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
// AFTER-NEXT:    func.return %relu : tensor<8xf32>
// CHECK-NEXT: }
func.func @pooling(%x: tensor<8x?x?xf32>) -> tensor<8xf32> {
  %pool = ncnn.pooling %x {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<8x?x?xf32>) -> tensor<8xf32>
  %flat = ncnn.flatten %pool {name = "flat"} : (tensor<8xf32>) -> tensor<8xf32>
  %relu = ncnn.relu %flat {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %relu : tensor<8xf32>
}

// Of 1 and 3 dims, too. The output keeps its name, and the blob may have other readers.
// BEFORE-LABEL: func.func @kinds(%x: tensor<?x?xf32>, %y: tensor<?x?x?x?xf32>) -> (tensor<?xf32> {ncnn.blob = "out"}, tensor<?xf32>, tensor<?xf32>) {
// AFTER-LABEL: func.func @kinds(%x: tensor<?x?xf32>, %y: tensor<?x?x?x?xf32>) -> (tensor<?xf32> {ncnn.blob = "out"}, tensor<?xf32> {ncnn.blob = "relu"}, tensor<?xf32> {ncnn.blob = "tanh"}) {
// BEFORE-NEXT:   %a = ncnn.pooling1d %x {name = "a", global_pooling = 1} : (tensor<?x?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %b = ncnn.pooling3d %y {name = "b", global_pooling = 1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %flat_a = ncnn.flatten %a {name = "flat_a", blobs = ["out"]} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %flat_b = ncnn.flatten %b {name = "flat_b"} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %flat_b {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   func.return %flat_a, %relu, %tanh : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
// AFTER-NEXT:    %a = ncnn.pooling1d %x {name = "a", global_pooling = 1} : (tensor<?x?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    %b = ncnn.pooling3d %y {name = "b", global_pooling = 1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    %relu = ncnn.relu %b {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    func.return %a, %relu, %tanh : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT: }
func.func @kinds(%x: tensor<?x?xf32>, %y: tensor<?x?x?x?xf32>) -> (tensor<?xf32> {ncnn.blob = "out"}, tensor<?xf32>, tensor<?xf32>) {
  %a = ncnn.pooling1d %x {name = "a", global_pooling = 1} : (tensor<?x?xf32>) -> tensor<?xf32>
  %b = ncnn.pooling3d %y {name = "b", global_pooling = 1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
  %flat_a = ncnn.flatten %a {name = "flat_a", blobs = ["out"]} : (tensor<?xf32>) -> tensor<?xf32>
  %flat_b = ncnn.flatten %b {name = "flat_b"} : (tensor<?xf32>) -> tensor<?xf32>
  %relu = ncnn.relu %flat_b {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
  %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %flat_a, %relu, %tanh : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
