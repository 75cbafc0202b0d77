// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-split %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-split %s > %t.once
// RUN: ncnn-opt --eliminate-split %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-split --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// A value may have several uses.
// REMARK: remark: eliminate-split: Split 'split'
// CHECK-LABEL: func.func @inside(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// BEFORE-NEXT:   %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// BEFORE-NEXT:   %relu = ncnn.relu %a {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @inside(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %relu = ncnn.relu %a {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
}

// Also where names of outputs hang on it: a Split is written anew.
// CHECK-LABEL: func.func @outputs(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "a"}, tensor<2xf32> {ncnn.blob = "b"}) {
// BEFORE-NEXT:   %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// BEFORE-NEXT:   func.return %a, %b : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    func.return %x, %x : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @outputs(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "a"}, tensor<2xf32> {ncnn.blob = "b"}) {
  %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  func.return %a, %b : tensor<2xf32>, tensor<2xf32>
}

// An output that nobody uses.
// CHECK-LABEL: func.func @unused(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// BEFORE-NEXT:   %relu = ncnn.relu %a {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %relu : tensor<2xf32>
// CHECK-NEXT: }
func.func @unused(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %relu = ncnn.relu %a {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// A Split of a Split.
// CHECK-LABEL: func.func @nested(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// BEFORE-NEXT:   %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// BEFORE-NEXT:   %c, %d = ncnn.split %a {name = "split2", blobs = ["c", "d"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// BEFORE-NEXT:   %relu = ncnn.relu %b {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @nested(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %c, %d = ncnn.split %a {name = "split2", blobs = ["c", "d"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %relu = ncnn.relu %b {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
}
