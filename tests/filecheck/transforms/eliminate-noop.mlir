// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-noop %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-noop %s > %t.once
// RUN: ncnn-opt --eliminate-noop %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-noop --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Its output is its input.
// REMARK: remark: eliminate-noop: Noop 'noop'
// CHECK-LABEL: func.func @inside(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %noop = ncnn.noop %x {name = "noop"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %noop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %relu : tensor<2xf32>
// CHECK-NEXT: }
func.func @inside(%x: tensor<2xf32>) -> tensor<2xf32> {
  %noop = ncnn.noop %x {name = "noop"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %noop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// Each output is the input at its place.
// CHECK-LABEL: func.func @several(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// CHECK-NEXT:    %y = ncnn.sigmoid %x {name = "y"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %a, %b = ncnn.noop %x, %y {name = "noop", blobs = ["a", "b"]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// BEFORE-NEXT:   %relu = ncnn.relu %b {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %a {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %y {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @several(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %y = ncnn.sigmoid %x {name = "y"} : (tensor<2xf32>) -> tensor<2xf32>
  %a, %b = ncnn.noop %x, %y {name = "noop", blobs = ["a", "b"]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %relu = ncnn.relu %b {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %a {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
}

// Inputs without an output are not needed.
// CHECK-LABEL: func.func @more_inputs(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %y = ncnn.sigmoid %x {name = "y"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %noop = ncnn.noop %x, %y {name = "noop"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %noop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    func.return %relu : tensor<2xf32>
// CHECK-NEXT: }
func.func @more_inputs(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = ncnn.sigmoid %x {name = "y"} : (tensor<2xf32>) -> tensor<2xf32>
  %noop = ncnn.noop %x, %y {name = "noop"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %noop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// The model's output keeps its name.
// CHECK-LABEL: func.func @output(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}) {
// BEFORE-NEXT:   %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %noop = ncnn.noop %absval {name = "noop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %noop : tensor<2xf32>
// AFTER-NEXT:    %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %absval : tensor<2xf32>
// CHECK-NEXT: }
func.func @output(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}) {
  %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
  %noop = ncnn.noop %absval {name = "noop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %noop : tensor<2xf32>
}

// One blob under two names: export puts a Split.
// CHECK-LABEL: func.func @two_outputs(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "abs"}, tensor<2xf32> {ncnn.blob = "out"}) {
// BEFORE-NEXT:   %abs = ncnn.absval %x {name = "abs"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %noop = ncnn.noop %abs {name = "noop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %abs, %noop : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %abs = ncnn.absval %x {name = "abs"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %abs, %abs : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @two_outputs(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "abs"}, tensor<2xf32> {ncnn.blob = "out"}) {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<2xf32>) -> tensor<2xf32>
  %noop = ncnn.noop %abs {name = "noop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %abs, %noop : tensor<2xf32>, tensor<2xf32>
}
