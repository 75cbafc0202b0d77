// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --merge-permutes %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --merge-permutes %s > %t.once
// RUN: ncnn-opt --merge-permutes %t.once | diff %t.once -
// RUN: ncnn-opt --merge-permutes --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: merge-permutes: Permute 'b', Permute 'a'
// REMARK-NEXT: remark: merge-permutes: Permute 'b', Permute 'a'
// REMARK-NEXT: remark: merge-permutes: Permute 'c', Permute 'b'
// REMARK-NEXT: remark: merge-permutes: Permute 'b', Permute 'a'
// REMARK-NEXT: remark: merge-permutes: Permute 'b', Permute 'a'
// REMARK-NEXT: remark: merge-permutes: Permute 'b', Permute 'a'

// Two that undo each other: eliminate-identity does the rest.
// CHECK-LABEL: func.func @inverse(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.permute %x {name = "a", order_type = 3} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 4} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   func.return %b : tensor<?x?x?xf32>
// AFTER-NEXT:    %b = ncnn.permute %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    func.return %b : tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @inverse(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 3} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.permute %a {name = "b", order_type = 4} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %b : tensor<?x?x?xf32>
}

// Three in a row, with the name of the last.
// CHECK-LABEL: func.func @chain(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32> {ncnn.blob = "out"}) {
// BEFORE-NEXT:   %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x4x3xf32>) -> tensor<4x2x3xf32>
// BEFORE-NEXT:   %c = ncnn.permute %b {name = "c", blobs = ["out"]} : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
// BEFORE-NEXT:   func.return %c : tensor<4x2x3xf32>
// AFTER-NEXT:    %c = ncnn.permute %x {name = "c", blobs = ["out"], order_type = 4} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// AFTER-NEXT:    func.return %c : tensor<4x2x3xf32>
// CHECK-NEXT: }
func.func @chain(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32> {ncnn.blob = "out"}) {
  %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x4x3xf32>) -> tensor<4x2x3xf32>
  %c = ncnn.permute %b {name = "c", blobs = ["out"], order_type = 0} : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  func.return %c : tensor<4x2x3xf32>
}

// The orders 0 to 5 move the same three axes, innermost first, of 3 and of 4 dims.
// CHECK-LABEL: func.func @unknown_dims(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %a = ncnn.permute %x {name = "a", order_type = 5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %b : tensor<*xf32>
// AFTER-NEXT:    %b = ncnn.permute %x {name = "b"} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %b : tensor<*xf32>
// CHECK-NEXT: }
func.func @unknown_dims(%x: tensor<*xf32>) -> tensor<*xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 5} : (tensor<*xf32>) -> tensor<*xf32>
  %b = ncnn.permute %a {name = "b", order_type = 5} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %b : tensor<*xf32>
}

// Element-wise layers between do not see the order, and a Softmax goes along the same axis.
// CHECK-LABEL: func.func @through(%x: tensor<2x3x4x5xf32>) -> tensor<5x4x2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.permute %x {name = "a", order_type = 21} : (tensor<2x3x4x5xf32>) -> tensor<5x3x4x2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %a {name = "relu", shape_hints = [4, 2, 4, 3, 5]} : (tensor<5x3x4x2xf32>) -> tensor<5x3x4x2xf32>
// BEFORE-NEXT:   %softmax = ncnn.softmax %relu {name = "softmax", axis = 1, fixbug0 = 1} : (tensor<5x3x4x2xf32>) -> tensor<5x3x4x2xf32>
// BEFORE-NEXT:   %times = ncnn.binaryop %softmax {name = "times", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<5x3x4x2xf32>) -> tensor<5x3x4x2xf32>
// BEFORE-NEXT:   %b = ncnn.permute %times {name = "b", order_type = 3} : (tensor<5x3x4x2xf32>) -> tensor<5x4x2x3xf32>
// BEFORE-NEXT:   func.return %b : tensor<5x4x2x3xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
// AFTER-NEXT:    %softmax = ncnn.softmax %relu {name = "softmax", axis = 1, fixbug0 = 1} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
// AFTER-NEXT:    %times = ncnn.binaryop %softmax {name = "times", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
// AFTER-NEXT:    %b = ncnn.permute %times {name = "b", order_type = 22} : (tensor<2x3x4x5xf32>) -> tensor<5x4x2x3xf32>
// AFTER-NEXT:    func.return %b : tensor<5x4x2x3xf32>
// CHECK-NEXT: }
func.func @through(%x: tensor<2x3x4x5xf32>) -> tensor<5x4x2x3xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 21} : (tensor<2x3x4x5xf32>) -> tensor<5x3x4x2xf32>
  %relu = ncnn.relu %a {name = "relu", shape_hints = [4, 2, 4, 3, 5]} : (tensor<5x3x4x2xf32>) -> tensor<5x3x4x2xf32>
  %softmax = ncnn.softmax %relu {name = "softmax", axis = 1, fixbug0 = 1} : (tensor<5x3x4x2xf32>) -> tensor<5x3x4x2xf32>
  %times = ncnn.binaryop %softmax {name = "times", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<5x3x4x2xf32>) -> tensor<5x3x4x2xf32>
  %b = ncnn.permute %times {name = "b", order_type = 3} : (tensor<5x3x4x2xf32>) -> tensor<5x4x2x3xf32>
  func.return %b : tensor<5x4x2x3xf32>
}

// Around a Softmax there and back.
// CHECK-LABEL: func.func @transposed_softmax(%x: tensor<80x?x?xf32>) -> tensor<80x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.permute %x {name = "a", order_type = 5} : (tensor<80x?x?xf32>) -> tensor<?x?x80xf32>
// BEFORE-NEXT:   %softmax = ncnn.softmax %a {name = "softmax", axis = -1, fixbug0 = 1} : (tensor<?x?x80xf32>) -> tensor<?x?x80xf32>
// BEFORE-NEXT:   %b = ncnn.permute %softmax {name = "b", order_type = 5} : (tensor<?x?x80xf32>) -> tensor<80x?x?xf32>
// BEFORE-NEXT:   func.return %b : tensor<80x?x?xf32>
// AFTER-NEXT:    %softmax = ncnn.softmax %x {name = "softmax", fixbug0 = 1} : (tensor<80x?x?xf32>) -> tensor<80x?x?xf32>
// AFTER-NEXT:    %b = ncnn.permute %softmax {name = "b"} : (tensor<80x?x?xf32>) -> tensor<80x?x?xf32>
// AFTER-NEXT:    func.return %b : tensor<80x?x?xf32>
// CHECK-NEXT: }
func.func @transposed_softmax(%x: tensor<80x?x?xf32>) -> tensor<80x?x?xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 5} : (tensor<80x?x?xf32>) -> tensor<?x?x80xf32>
  %softmax = ncnn.softmax %a {name = "softmax", axis = -1, fixbug0 = 1} : (tensor<?x?x80xf32>) -> tensor<?x?x80xf32>
  %b = ncnn.permute %softmax {name = "b", order_type = 5} : (tensor<?x?x80xf32>) -> tensor<80x?x?xf32>
  func.return %b : tensor<80x?x?xf32>
}
