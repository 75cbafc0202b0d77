// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-gelu %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-gelu %s > %t.once
// RUN: ncnn-opt --fuse-gelu %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-gelu --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// With the error function; or, as `fast_gelu`, with the hyperbolic tangent.

// As PyTorch writes it.
// REMARK: remark: fuse-gelu: BinaryOp 'y', BinaryOp 'm', BinaryOp 'p', Erf 'e', BinaryOp 'a'
// CHECK-LABEL: func.func @erf(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = div, with_scalar = 1, b = 1.4142135} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.gelu %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @erf(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = div, with_scalar = 1, b = 1.4142135} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// With 7 digits, and x halved.
// CHECK-LABEL: func.func @seven_digits(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 0.7071068} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %h = ncnn.binaryop %x {name = "h", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %p, %h {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.gelu %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @seven_digits(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 7.071068e-01} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %h = ncnn.binaryop %x {name = "h", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %p, %h {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The bracket multiplied out.
// CHECK-LABEL: func.func @distributed(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = div, with_scalar = 1, b = 1.4142135} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %h = ncnn.binaryop %e {name = "h", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %h {name = "p", op_type = add, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %p {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.gelu %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @distributed(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = div, with_scalar = 1, b = 1.4142135} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = ncnn.erf %a {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %h = ncnn.binaryop %e {name = "h", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %h {name = "p", op_type = add, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %p {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The tangent of a cubic.
// CHECK-LABEL: func.func @tangent(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.eltwise %x, %x, %x {name = "c", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %k = ncnn.binaryop %c {name = "k", op_type = mul, with_scalar = 1, b = 0.044715} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %s = ncnn.binaryop %x, %k {name = "s", op_type = add} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %u = ncnn.binaryop %s {name = "u", op_type = mul, with_scalar = 1, b = 0.7978846} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %t = ncnn.tanh %u {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %t {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.gelu %x {name = "y", fast_gelu = 1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @tangent(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.eltwise %x, %x, %x {name = "c", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %k = ncnn.binaryop %c {name = "k", op_type = mul, with_scalar = 1, b = 0.044715} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.binaryop %x, %k {name = "s", op_type = add} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = ncnn.binaryop %s {name = "u", op_type = mul, with_scalar = 1, b = 0.7978846} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %u {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %t {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The cubic with x before the bracket.
// CHECK-LABEL: func.func @factored(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %k = ncnn.binaryop %q {name = "k", op_type = mul, with_scalar = 1, b = 0.044715} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.binaryop %k {name = "b", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %v = ncnn.binaryop %x {name = "v", op_type = mul, with_scalar = 1, b = 0.7978846} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %u = ncnn.binaryop %v, %b {name = "u", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %t = ncnn.unaryop %u {name = "t", op_type = tanh} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %t {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.gelu %x {name = "y", fast_gelu = 1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @factored(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %k = ncnn.binaryop %q {name = "k", op_type = mul, with_scalar = 1, b = 0.044715} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.binaryop %k {name = "b", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.binaryop %x {name = "v", op_type = mul, with_scalar = 1, b = 0.7978846} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = ncnn.binaryop %v, %b {name = "u", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.unaryop %u {name = "t", op_type = tanh} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %t {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %x, %p {name = "m", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 1 + tanh(u) is 2 sigmoid(2 u).
// CHECK-LABEL: func.func @sigmoid(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %k = ncnn.binaryop %q {name = "k", op_type = mul, with_scalar = 1, b = 0.044715} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.binaryop %k {name = "b", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %v = ncnn.binaryop %x {name = "v", op_type = mul, with_scalar = 1, b = 1.595769} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %u = ncnn.binaryop %v, %b {name = "u", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %t = ncnn.sigmoid %u {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.gelu %x {name = "y", fast_gelu = 1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @sigmoid(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %k = ncnn.binaryop %q {name = "k", op_type = mul, with_scalar = 1, b = 0.044715} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.binaryop %k {name = "b", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.binaryop %x {name = "v", op_type = mul, with_scalar = 1, b = 1.5957691} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = ncnn.binaryop %v, %b {name = "u", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.sigmoid %u {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
