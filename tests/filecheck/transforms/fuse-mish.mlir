// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-mish %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-mish %s > %t.once
// RUN: ncnn-opt --fuse-mish %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-mish --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// x * tanh(softplus(x)).

// Of a Softplus and a TanH.
// REMARK: remark: fuse-mish: BinaryOp 'y', TanH 't', Softplus 's'
// CHECK-LABEL: func.func @softplus(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %s = ncnn.softplus %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.mish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @softplus(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.softplus %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Of a BNLL, which is the same function.
// CHECK-LABEL: func.func @bnll(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %s = ncnn.bnll %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %t = ncnn.unaryop %s {name = "t", op_type = tanh} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %t, %x {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.mish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @bnll(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.bnll %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.unaryop %s {name = "t", op_type = tanh} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %t, %x {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Of a logarithm.
// REMARK: remark: fuse-mish: Eltwise 'y', TanH 't', UnaryOp 's', BinaryOp 'p', UnaryOp 'e'
// CHECK-LABEL: func.func @logarithm(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %e = ncnn.unaryop %x {name = "e", op_type = exp} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %p {name = "s", op_type = log} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.eltwise %x, %t {name = "y", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.mish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @logarithm(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = ncnn.unaryop %x {name = "e", op_type = exp} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.unaryop %p {name = "s", op_type = log} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.eltwise %x, %t {name = "y", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// log1p adds the 1 itself.
// CHECK-LABEL: func.func @log1p(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %e = ncnn.exp %x {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %s = ncnn.unaryop %e {name = "s", op_type = log1p} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.mish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @log1p(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = ncnn.exp %x {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = log1p} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.tanh %s {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %t {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
