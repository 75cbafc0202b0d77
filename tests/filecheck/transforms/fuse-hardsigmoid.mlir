// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-hardsigmoid %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-hardsigmoid %s > %t.once
// RUN: ncnn-opt --fuse-hardsigmoid %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-hardsigmoid --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// clip(x + 3, 0, 6) / 6 and all that is the same.

// As PyTorch writes it.
// REMARK: remark: fuse-hardsigmoid: BinaryOp 'y', Clip 'b', BinaryOp 'a'
// CHECK-LABEL: func.func @divided(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardsigmoid %x {name = "y", alpha = 0.16666667} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @divided(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 1 / 6 with the 7 digits that converters write.
// CHECK-LABEL: func.func @seven_digits(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %b {name = "y", op_type = mul, with_scalar = 1, b = 0.1666667} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardsigmoid %x {name = "y", alpha = 0.1666667, beta = 0.5000001} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @seven_digits(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %b {name = "y", op_type = mul, with_scalar = 1, b = 1.666667e-01} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Divided first.
// REMARK: remark: fuse-hardsigmoid: Clip 'y', BinaryOp 'b', BinaryOp 'a'
// CHECK-LABEL: func.func @line(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.binaryop %a {name = "b", op_type = add, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.clip %b {name = "y", min = 0.0, max = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardsigmoid %x {name = "y", alpha = 0.16666667} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @line(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.binaryop %a {name = "b", op_type = add, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.clip %b {name = "y", min = 0.0, max = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// As a ReLU and a minimum; constants as MemoryData, of as many dims as the blob at most.
// CHECK-LABEL: func.func @relu6(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %three = ncnn.constant {name = "three"} dense<[3.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %six = ncnn.constant {name = "six"} dense<[[6.000000e+00]]> : tensor<1x1xf32>
// BEFORE-NEXT:   %a = ncnn.binaryop %three, %x {name = "a", op_type = add} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %r = ncnn.relu %a {name = "r"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %m = ncnn.binaryop %r, %six {name = "m", op_type = min} : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %m, %six {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardsigmoid %x {name = "y", alpha = 0.16666667} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @relu6(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %three = ncnn.constant {name = "three"} dense<[3.0]> : tensor<1xf32>
  %six = ncnn.constant {name = "six"} dense<[[6.0]]> : tensor<1x1xf32>
  %a = ncnn.binaryop %three, %x {name = "a", op_type = add} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = ncnn.relu %a {name = "r"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = ncnn.binaryop %r, %six {name = "m", op_type = min} : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %m, %six {name = "y", op_type = div} : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Other slopes: alpha = 0.25 * 2, beta = 0.25 * (-1).
// CHECK-LABEL: func.func @slopes(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.binaryop %a {name = "b", op_type = sub, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %c = ncnn.clip %b {name = "c", min = 0.0, max = 4.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c {name = "y", op_type = mul, with_scalar = 1, b = 0.25} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardsigmoid %x {name = "y", alpha = 0.5, beta = -0.25} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @slopes(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = ncnn.binaryop %a {name = "b", op_type = sub, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.clip %b {name = "c", min = 0.0, max = 4.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.binaryop %c {name = "y", op_type = mul, with_scalar = 1, b = 0.25} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A Power of 1 is a line, too.
// CHECK-LABEL: func.func @power(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %a = ncnn.power %x {name = "a", scale = 0.2, shift = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.clip %a {name = "y", min = 0.0, max = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.hardsigmoid %x {name = "y"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @power(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.power %x {name = "a", scale = 0.2, shift = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.clip %a {name = "y", min = 0.0, max = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
