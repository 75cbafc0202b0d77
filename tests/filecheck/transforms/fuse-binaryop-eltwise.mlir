// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-binaryop-eltwise %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-binaryop-eltwise %s > %t.once
// RUN: ncnn-opt --fuse-binaryop-eltwise %t.once | diff %t.once -

// A sum or difference of blobs times scalars as one Eltwise with coefficients.

// Both terms have a factor.
// CHECK-LABEL: func.func @two(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %q = ncnn.binaryop %b {name = "q", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %p, %q {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x?x?xf32>
// AFTER-NEXT:    %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %y = ncnn.eltwise %a, %b {name = "y", op_type = sum, coeffs = [2.0, 3.0]} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @two(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %q = ncnn.binaryop %b {name = "q", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %q {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// One has.
// CHECK-LABEL: func.func @left(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %p, %b {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x?x?xf32>
// AFTER-NEXT:    %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %y = ncnn.eltwise %a, %b {name = "y", op_type = sum, coeffs = [2.0, 1.0]} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @left(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %b {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @right(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %q = ncnn.binaryop %b {name = "q", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %a, %q {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x?x?xf32>
// AFTER-NEXT:    %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %y = ncnn.eltwise %a, %b {name = "y", op_type = sum, coeffs = [1.0, 3.0]} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @right(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %q = ncnn.binaryop %b {name = "q", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %a, %q {name = "y", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// 2 a - b / 4.
// CHECK-LABEL: func.func @sub(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %q = ncnn.binaryop %b {name = "q", op_type = div, with_scalar = 1, b = 4.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %p, %q {name = "y", op_type = sub} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x?x?xf32>
// AFTER-NEXT:    %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %y = ncnn.eltwise %a, %b {name = "y", op_type = sum, coeffs = [2.0, -0.25]} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @sub(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %q = ncnn.binaryop %b {name = "q", op_type = div, with_scalar = 1, b = 4.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %q {name = "y", op_type = sub} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// 3 b - a / 2.
// CHECK-LABEL: func.func @rsub(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %p = ncnn.dropout %a {name = "p", scale = 0.5} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %q = ncnn.binaryop %b {name = "q", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %p, %q {name = "y", op_type = rsub} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x?x?xf32>
// AFTER-NEXT:    %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %y = ncnn.eltwise %a, %b {name = "y", op_type = sum, coeffs = [-0.5, 3.0]} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @rsub(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.sigmoid %x {name = "b"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = ncnn.dropout %a {name = "p", scale = 0.5} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %q = ncnn.binaryop %b {name = "q", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = ncnn.binaryop %p, %q {name = "y", op_type = rsub} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}

// Weights say that both have one shape, whatever the inputs.
// CHECK-LABEL: func.func @known_shapes(%x: tensor<3xf32>, %u: tensor<4xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// BEFORE-NEXT:   %a = ncnn.innerproduct %x weight %v {name = "a", num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.innerproduct %u weight %w {name = "b", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %p, %b {name = "y", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %y : tensor<2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// AFTER-NEXT:    %a = ncnn.innerproduct %x weight %v {name = "a", num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %b = ncnn.innerproduct %u weight %w {name = "b", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.eltwise %a, %b {name = "y", op_type = sum, coeffs = [2.0, 1.0]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @known_shapes(%x: tensor<3xf32>, %u: tensor<4xf32>) -> tensor<2xf32> {
  %v = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %a = ncnn.innerproduct %x weight %v {name = "a", num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %b = ncnn.innerproduct %u weight %w {name = "b", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  %p = ncnn.binaryop %a {name = "p", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2xf32>) -> tensor<2xf32>
  %y = ncnn.binaryop %p, %b {name = "y", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
