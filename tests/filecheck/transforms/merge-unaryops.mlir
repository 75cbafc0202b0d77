// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --merge-unaryops %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --merge-unaryops %s > %t.once
// RUN: ncnn-opt --merge-unaryops %t.once | diff %t.once -
// RUN: ncnn-opt --merge-unaryops --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: merge-unaryops: UnaryOp 'a', UnaryOp 'b'
// REMARK-NEXT: remark: merge-unaryops: UnaryOp 'a', UnaryOp 'b'
// REMARK-NEXT: remark: merge-unaryops: UnaryOp 'c', AbsVal 'd'
// REMARK-NEXT: remark: merge-unaryops: AbsVal 'b', UnaryOp 'a'
// REMARK-NEXT: remark: merge-unaryops: UnaryOp 'd', AbsVal 'c'
// REMARK-NEXT: remark: merge-unaryops: BinaryOp 'b', UnaryOp 'a'
// REMARK-NEXT: remark: merge-unaryops: BinaryOp 'c', UnaryOp 'a'
// REMARK-NEXT: remark: merge-unaryops: BinaryOp 'd', UnaryOp 'a'
// REMARK-NEXT: remark: merge-unaryops: BinaryOp 'e', UnaryOp 'a'

// There and back.
// CHECK-LABEL: func.func @neg(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %abs = ncnn.absval %x {name = "abs"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %a = ncnn.unaryop %abs {name = "a", op_type = neg} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %b = ncnn.unaryop %a {name = "b", op_type = neg} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %tanh : tensor<*xf32>
// AFTER-NEXT:    %abs = ncnn.absval %x {name = "abs"} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %abs {name = "tanh"} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %tanh : tensor<*xf32>
// CHECK-NEXT: }
func.func @neg(%x: tensor<*xf32>) -> tensor<*xf32> {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<*xf32>) -> tensor<*xf32>
  %a = ncnn.unaryop %abs {name = "a", op_type = neg} : (tensor<*xf32>) -> tensor<*xf32>
  %b = ncnn.unaryop %a {name = "b", op_type = neg} : (tensor<*xf32>) -> tensor<*xf32>
  %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %tanh : tensor<*xf32>
}

// What is whole, or not negative, already. The output keeps its name, and the first has other readers.
// BEFORE-LABEL: func.func @superfluous(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2xf32>, tensor<2xf32>) {
// AFTER-LABEL: func.func @superfluous(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2xf32> {ncnn.blob = "e"}, tensor<2xf32> {ncnn.blob = "f"}) {
// BEFORE-NEXT:   %a = ncnn.unaryop %x {name = "a", op_type = round} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.unaryop %a {name = "b", op_type = floor} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %c = ncnn.unaryop %x {name = "c", op_type = exp} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %d = ncnn.absval %c {name = "d"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %e = ncnn.tanh %d {name = "e"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %f = ncnn.tanh %a {name = "f"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %b, %e, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %a = ncnn.unaryop %x {name = "a", op_type = round} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %c = ncnn.unaryop %x {name = "c", op_type = exp} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %e = ncnn.tanh %c {name = "e"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %f = ncnn.tanh %a {name = "f"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %a, %e, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @superfluous(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.unaryop %x {name = "a", op_type = round} : (tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.unaryop %a {name = "b", op_type = floor} : (tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.unaryop %x {name = "c", op_type = exp} : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.absval %c {name = "d"} : (tensor<2xf32>) -> tensor<2xf32>
  %e = ncnn.tanh %d {name = "e"} : (tensor<2xf32>) -> tensor<2xf32>
  %f = ncnn.tanh %a {name = "f"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %b, %e, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A sign that nobody sees.
// CHECK-LABEL: func.func @even(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// BEFORE-NEXT:   %a = ncnn.unaryop %x {name = "a", op_type = neg} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.absval %a {name = "b"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %c = ncnn.absval %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %d = ncnn.unaryop %c {name = "d", op_type = square} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %b, %d : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %b = ncnn.absval %x {name = "b"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %d = ncnn.unaryop %x {name = "d", op_type = square} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %b, %d : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @even(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.unaryop %x {name = "a", op_type = neg} : (tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.absval %a {name = "b"} : (tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.absval %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.unaryop %c {name = "d", op_type = square} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %b, %d : tensor<2xf32>, tensor<2xf32>
}

// Added and taken away, as first operand and as second.
// CHECK-LABEL: func.func @binary(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
// BEFORE-NEXT:   %a = ncnn.unaryop %y {name = "a", op_type = neg} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.binaryop %x, %a {name = "b", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %a, %x {name = "c", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %a {name = "d", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %a, %x {name = "e", op_type = rsub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %b, %c, %d, %e : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %b = ncnn.binaryop %x, %y {name = "b", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %c = ncnn.binaryop %y, %x {name = "c", op_type = rsub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %d = ncnn.binaryop %x, %y {name = "d", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %e = ncnn.binaryop %y, %x {name = "e", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %b, %c, %d, %e : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @binary(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.unaryop %y {name = "a", op_type = neg} : (tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.binaryop %x, %a {name = "b", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.binaryop %a, %x {name = "c", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.binaryop %x, %a {name = "d", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %e = ncnn.binaryop %a, %x {name = "e", op_type = rsub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %b, %c, %d, %e : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
