// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-memorydata-binaryop %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-memorydata-binaryop %s > %t.once
// RUN: ncnn-opt --fuse-memorydata-binaryop %t.once | diff %t.once -

// A MemoryData of one element as the scalar of a BinaryOp. As first operand through the op with its
// operands swapped.

// x - 2.
// CHECK-LABEL: func.func @second(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %c {name = "y", op_type = sub} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = sub, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @second(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = sub} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Whatever the blob is: no blob has fewer dims than one.
// CHECK-LABEL: func.func @unknown_blob(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %c {name = "y", op_type = mul} : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %y : tensor<*xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %y : tensor<*xf32>
// CHECK-NEXT: }
func.func @unknown_blob(%x: tensor<*xf32>) -> tensor<*xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = mul} : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// As many dims as the blob has.
// CHECK-LABEL: func.func @as_many_dims(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[[2.000000e+00]]> : tensor<1x1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %c {name = "y", op_type = mul} : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x?xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<?x?xf32>
// CHECK-NEXT: }
func.func @as_many_dims(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1x1xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = mul} : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}

// float16 holds 0.5 exactly; the scalar is a float32.
// CHECK-LABEL: func.func @half(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "c", load_type = 0} dense<[5.000000e-01]> : tensor<1xf16>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %c {name = "y", op_type = add} : (tensor<2x3xf32>, tensor<1xf16>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = add, with_scalar = 1, b = 0.5} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @half(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "c", load_type = 0} dense<0.5> : tensor<1xf16>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = add} : (tensor<2x3xf32>, tensor<1xf16>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The constant stays for its other reader.
// CHECK-LABEL: func.func @shared(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<1xf32>) {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %x, %c {name = "y", op_type = max} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %z = ncnn.exp %c {name = "z"} : (tensor<1xf32>) -> tensor<1xf32>
// BEFORE-NEXT:   func.return %y, %z : tensor<2x3xf32>, tensor<1xf32>
// AFTER-NEXT:    %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = max, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    %z = ncnn.exp %c {name = "z"} : (tensor<1xf32>) -> tensor<1xf32>
// AFTER-NEXT:    func.return %y, %z : tensor<2x3xf32>, tensor<1xf32>
// CHECK-NEXT: }
func.func @shared(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<1xf32>) {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = max} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  %z = ncnn.exp %c {name = "z"} : (tensor<1xf32>) -> tensor<1xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<1xf32>
}

// 2 + x, which is x + 2.
// CHECK-LABEL: func.func @first_add(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = add} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = add, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_add(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = add} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_mul(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = mul} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_mul(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = mul} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_max(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = max} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = max, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_max(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = max} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_min(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = min} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = min, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_min(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = min} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_logaddexp(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = logaddexp} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = logaddexp, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_logaddexp(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = logaddexp} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 2 - x.
// CHECK-LABEL: func.func @first_sub(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = sub} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = rsub, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_sub(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = sub} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 2 / x.
// CHECK-LABEL: func.func @first_div(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = div} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = rdiv, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_div(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = div} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 2 ^ x.
// CHECK-LABEL: func.func @first_pow(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = pow} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = rpow, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_pow(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = pow} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// atan2(2, x).
// CHECK-LABEL: func.func @first_atan2(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = atan2} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = ratan2, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_atan2(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = atan2} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// fmod(2, x).
// CHECK-LABEL: func.func @first_fmod(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = fmod} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = rfmod, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_fmod(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = fmod} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// floor(2 / x).
// CHECK-LABEL: func.func @first_floor_divide(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = floor_divide} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = rfloor_divide, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_floor_divide(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = floor_divide} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 2 - round(2 / x) * x.
// CHECK-LABEL: func.func @first_remainder(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = remainder} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = rremainder, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_remainder(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = remainder} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 2 rsub x is x - 2.
// CHECK-LABEL: func.func @first_rsub(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = rsub} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = sub, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_rsub(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = rsub} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_rdiv(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = rdiv} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = div, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_rdiv(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = rdiv} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_rpow(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = rpow} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = pow, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_rpow(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = rpow} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_ratan2(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = ratan2} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = atan2, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_ratan2(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = ratan2} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_rfmod(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = rfmod} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = fmod, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_rfmod(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = rfmod} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_rfloor_divide(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = rfloor_divide} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = floor_divide, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_rfloor_divide(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = rfloor_divide} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first_rremainder(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %c = ncnn.constant {name = "two"} dense<[2.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %c, %x {name = "y", op_type = rremainder} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.binaryop %x {name = "y", op_type = remainder, with_scalar = 1, b = 2.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @first_rremainder(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "two"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %x {name = "y", op_type = rremainder} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
