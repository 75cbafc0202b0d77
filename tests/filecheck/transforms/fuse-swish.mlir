// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-swish %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-swish %s > %t.once
// RUN: ncnn-opt --fuse-swish %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-swish --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// The new layer has the name and the blob of the last one.

// x * sigmoid(x).
// REMARK: remark: fuse-swish: BinaryOp 'y', Sigmoid 's'
// CHECK-LABEL: func.func @product(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.swish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @product(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The other way round.
// CHECK-LABEL: func.func @swapped(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %s, %x {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.swish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @swapped(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %s, %x {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// As an Eltwise.
// REMARK: remark: fuse-swish: Eltwise 'y', Sigmoid 's'
// CHECK-LABEL: func.func @eltwise(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.eltwise %s, %x {name = "y", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.swish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @eltwise(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.eltwise %s, %x {name = "y", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// x / (1 + exp(-x)).
// CHECK-LABEL: func.func @quotient(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %n = ncnn.unaryop %x {name = "n", op_type = neg} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %e = ncnn.unaryop %n {name = "e", op_type = exp} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %p {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.swish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @quotient(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %n = ncnn.unaryop %x {name = "n", op_type = neg} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = ncnn.unaryop %n {name = "e", op_type = exp} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = ncnn.binaryop %e {name = "p", op_type = add, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %p {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// What the blob is made of, and who else reads it, makes no difference; nor whether its shape is known.
// CHECK-LABEL: func.func @unknown_shape(%a: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
// BEFORE-NEXT:   %x = ncnn.relu %a {name = "x"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %s = ncnn.sigmoid %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.absval %x {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %y, %z : tensor<*xf32>, tensor<*xf32>
// AFTER-NEXT:    %x = ncnn.relu %a {name = "x"} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    %y = ncnn.swish %x {name = "y"} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.absval %x {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %y, %z : tensor<*xf32>, tensor<*xf32>
// CHECK-NEXT: }
func.func @unknown_shape(%a: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %x = ncnn.relu %a {name = "x"} : (tensor<*xf32>) -> tensor<*xf32>
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.absval %x {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %y, %z : tensor<*xf32>, tensor<*xf32>
}

// Of two products with one Sigmoid each.
// REMARK: remark: fuse-swish: BinaryOp 'y', Sigmoid 's'
// REMARK: remark: fuse-swish: BinaryOp 'z', Sigmoid 't'
// CHECK-LABEL: func.func @twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %t = ncnn.sigmoid %y {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %t, %y {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.swish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    %z = ncnn.swish %y {name = "z"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %z : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = ncnn.sigmoid %y {name = "t"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = ncnn.binaryop %t, %y {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Two factors that make 1.
// CHECK-LABEL: func.func @factors(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %h = ncnn.binaryop %s {name = "h", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %q = ncnn.binaryop %x {name = "q", op_type = mul, with_scalar = 1, b = 0.25} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %q, %h {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.swish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @factors(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %h = ncnn.binaryop %s {name = "h", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %q = ncnn.binaryop %x {name = "q", op_type = mul, with_scalar = 1, b = 0.25} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %q, %h {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Shape hints and the feature mask stay.
// CHECK-LABEL: func.func @hints(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %s = ncnn.sigmoid %x {name = "s", featmask = 2} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %s {name = "y", op_type = mul, shape_hints = [2, 3, 2], featmask = 2} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.swish %x {name = "y", shape_hints = [2, 3, 2], featmask = 2} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @hints(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = ncnn.sigmoid %x {name = "s", featmask = 2} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul, featmask = 2, shape_hints = [2, 3, 2]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
