// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-hardswish %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-hardswish %s > %t.once
// RUN: ncnn-opt --fuse-hardswish %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-hardswish --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// x * HardSigmoid(x), and with the HardSigmoid spelled out.

// Of a HardSigmoid.
// REMARK: remark: fuse-hardswish: BinaryOp 'y', HardSigmoid 'h'
// CHECK-LABEL: func.func @product(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %h = ncnn.hardsigmoid %x {name = "h"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %h, %x {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardswish %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @product(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %h = ncnn.hardsigmoid %x {name = "h", alpha = 0.2, beta = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %h, %x {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// As PyTorch writes it, divided in the end.
// CHECK-LABEL: func.func @divided_last(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %x, %b {name = "c", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardswish %x {name = "y", alpha = 0.16666667} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @divided_last(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.binaryop %x, %b {name = "c", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %c {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Divided before.
// REMARK: remark: fuse-hardswish: Eltwise 'y', BinaryOp 'd', Clip 'b', BinaryOp 'a'
// CHECK-LABEL: func.func @divided_first(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %b {name = "d", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.eltwise %x, %d {name = "y", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardswish %x {name = "y", alpha = 0.16666667} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @divided_first(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %d = ncnn.binaryop %b {name = "d", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.eltwise %x, %d {name = "y", op_type = prod} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// x divided.
// CHECK-LABEL: func.func @divided_x(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %r = ncnn.relu %a {name = "r"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.binaryop %r {name = "b", op_type = min, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x {name = "d", op_type = mul, with_scalar = 1, b = 0.1666667} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %d, %b {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardswish %x {name = "y", alpha = 0.1666667, beta = 0.5000001} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @divided_x(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = ncnn.relu %a {name = "r"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.binaryop %r {name = "b", op_type = min, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %d = ncnn.binaryop %x {name = "d", op_type = mul, with_scalar = 1, b = 1.666667e-01} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %d, %b {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
