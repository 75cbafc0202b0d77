// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-gemm-affine %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-gemm-affine %s > %t.once
// RUN: ncnn-opt --fuse-gemm-affine %t.once | diff %t.once -

// Factors and summands into a Gemm: `alpha * (A @ B + beta * C)`. Of a constant B each column has one, of a
// constant A each row; a single factor is one of alpha.

// Columns of B; there is no C to scale.
// CHECK-LABEL: func.func @columns(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[3.000000e+00, 5.000000e-01]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[3.000000e+00, 1.000000e+00], [9.000000e+00, 2.000000e+00], [1.500000e+01, 3.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B {name = "y", blobs = ["z"], constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @columns(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[3.0, 0.5]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// They are the rows of a transposed B.
// CHECK-LABEL: func.func @columns_of_transposed(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B {name = "y", transB = 1, constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[3.000000e+00, 5.000000e-01]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %c, %y {name = "z", op_type = mul} : (tensor<1x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[3.000000e+00, 9.000000e+00, 1.500000e+01], [1.000000e+00, 2.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B {name = "y", blobs = ["z"], transB = 1, constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @columns_of_transposed(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]> : tensor<2x3xf32>
  %y = ncnn.gemm %x B %B {name = "y", transB = 1, constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[3.0, 0.5]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %c, %y {name = "z", op_type = mul} : (tensor<1x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// A new C.
// CHECK-LABEL: func.func @summand(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[5.000000e+00, 7.000000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = add} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %B_bias = ncnn.constant dense<[[5.000000e+00, 7.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B C %B_bias {name = "y", blobs = ["z"], constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @summand(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[5.0, 7.0]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = add} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// [3, 0.5] - y: C becomes [3 - 10, 0.5 - 20].
// CHECK-LABEL: func.func @old_c(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %C = ncnn.constant dense<[[1.000000e+01, 2.000000e+01]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B C %C {name = "y", constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[3.000000e+00, 5.000000e-01]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = rsub} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[-1.000000e+00, -2.000000e+00], [-3.000000e+00, -4.000000e+00], [-5.000000e+00, -6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %C = ncnn.constant dense<[[-7.000000e+00, -1.950000e+01]]> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B C %C {name = "y", blobs = ["z"], constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @old_c(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %C = ncnn.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  %y = ncnn.gemm %x B %B C %C {name = "y", constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[3.0, 0.5]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = rsub} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// alpha * beta = 1, so C takes the summands as they are.
// CHECK-LABEL: func.func @alpha_and_beta(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %C = ncnn.constant dense<[[1.000000e+01, 2.000000e+01]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B C %C {name = "y", alpha = 2.0, beta = 0.5, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[5.000000e+00, 7.000000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = add} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %C = ncnn.constant dense<[[1.500000e+01, 2.700000e+01]]> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B C %C {name = "y", blobs = ["z"], alpha = 2.0, beta = 0.5, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @alpha_and_beta(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %C = ncnn.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  %y = ncnn.gemm %x B %B C %C {name = "y", constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4, alpha = 2.0, beta = 0.5} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[5.0, 7.0]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = add} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// The old C does not count: it becomes [5 / 2, 7 / 2], and beta 1.
// CHECK-LABEL: func.func @beta_of_0(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %C = ncnn.constant dense<[[1.000000e+01, 2.000000e+01]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B C %C {name = "y", alpha = 2.0, beta = 0.0, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[5.000000e+00, 7.000000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = add} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %B_bias = ncnn.constant dense<[[2.500000e+00, 3.500000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B C %B_bias {name = "y", blobs = ["z"], alpha = 2.0, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @beta_of_0(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %C = ncnn.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  %y = ncnn.gemm %x B %B C %C {name = "y", constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4, alpha = 2.0, beta = 0.0} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[5.0, 7.0]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = add} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// One value for all becomes one for each column.
// CHECK-LABEL: func.func @scalar_c(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %C = ncnn.constant dense<[1.000000e+01]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B C %C {name = "y", constantB = 1, constantC = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[5.000000e+00, 7.000000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = sub} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %C = ncnn.constant dense<[[5.000000e+00, 3.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B C %C {name = "y", blobs = ["z"], constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @scalar_c(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %C = ncnn.constant dense<10.0> : tensor<1xf32>
  %y = ncnn.gemm %x B %B C %C {name = "y", constantB = 1, constantC = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[5.0, 7.0]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = sub} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// A BatchNorm on the rows of A: factors [2, 0.5], summands [2 * -1 + 0.5, 0.5 * -2 + 3].
// CHECK-LABEL: func.func @rows(%x: tensor<3x?xf32>) -> tensor<2x?xf32> {
// BEFORE-NEXT:   %A = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x A %A {name = "y", constantA = 1, constantM = 2, constantK = 3} : (tensor<3x?xf32>, tensor<2x3xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?xf32>
// AFTER-NEXT:    %A = ncnn.constant dense<[[2.000000e+00, 4.000000e+00, 6.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %A_bias = ncnn.constant dense<[-1.500000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x A %A C %A_bias {name = "y", blobs = ["z"], constantA = 1, constantC = 1, constantM = 2, constantK = 3, constant_broadcast_type_C = 1} : (tensor<3x?xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?xf32>
// CHECK-NEXT: }
func.func @rows(%x: tensor<3x?xf32>) -> tensor<2x?xf32> {
  %A = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = ncnn.gemm %x A %A {name = "y", constantA = 1, constantM = 2, constantK = 3} : (tensor<3x?xf32>, tensor<2x3xf32>) -> tensor<2x?xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?xf32>
  func.return %z : tensor<2x?xf32>
}

// Columns of B that are rows of the output.
// CHECK-LABEL: func.func @rows_of_output(%x: tensor<?x3xf32>) -> tensor<2x?xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3, output_transpose = 1} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[2.000000e+00, 1.000000e+00], [6.000000e+00, 2.000000e+00], [1.000000e+01, 3.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %B_bias = ncnn.constant dense<[[-1.500000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B C %B_bias {name = "y", blobs = ["z"], constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4, output_transpose = 1} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<2x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?xf32>
// CHECK-NEXT: }
func.func @rows_of_output(%x: tensor<?x3xf32>) -> tensor<2x?xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3, output_transpose = 1} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<2x?xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?xf32>
  func.return %z : tensor<2x?xf32>
}

// A vector is for the rows of a blob that certainly has as many.
// CHECK-LABEL: func.func @vector_for_rows(%x: tensor<3x?xf32>) -> tensor<2x?xf32> {
// BEFORE-NEXT:   %A = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %C = ncnn.constant dense<[[1.000000e+01], [2.000000e+01]]> : tensor<2x1xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x A %A C %C {name = "y", constantA = 1, constantC = 1, constantM = 2, constantK = 3, constant_broadcast_type_C = 2} : (tensor<3x?xf32>, tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x?xf32>
// AFTER-NEXT:    %A = ncnn.constant dense<[[3.000000e+00, 6.000000e+00, 9.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %C = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x A %A C %C {name = "y", blobs = ["z"], constantA = 1, constantC = 1, constantM = 2, constantK = 3, constant_broadcast_type_C = 1} : (tensor<3x?xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?xf32>
// CHECK-NEXT: }
func.func @vector_for_rows(%x: tensor<3x?xf32>) -> tensor<2x?xf32> {
  %A = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %C = ncnn.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %y = ncnn.gemm %x A %A C %C {name = "y", constantA = 1, constantC = 1, constantM = 2, constantK = 3, constant_broadcast_type_C = 2} : (tensor<3x?xf32>, tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x?xf32>
  func.return %z : tensor<2x?xf32>
}

// With three dims.
// CHECK-LABEL: func.func @channels(%x: tensor<?x3xf32>) -> tensor<2x1x?xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3, output_N1M = 1, output_transpose = 1} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<2x1x?xf32>
// BEFORE-NEXT:   %c = ncnn.constant dense<[[[3.000000e+00]], [[5.000000e-01]]]> : tensor<2x1x1xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x?xf32>, tensor<2x1x1xf32>) -> tensor<2x1x?xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x1x?xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[3.000000e+00, 1.000000e+00], [9.000000e+00, 2.000000e+00], [1.500000e+01, 3.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B {name = "y", blobs = ["z"], constantB = 1, constantN = 2, constantK = 3, output_N1M = 1, output_transpose = 1} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<2x1x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x1x?xf32>
// CHECK-NEXT: }
func.func @channels(%x: tensor<?x3xf32>) -> tensor<2x1x?xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3, output_transpose = 1, output_N1M = 1} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<2x1x?xf32>
  %c = ncnn.constant dense<[[[3.0]], [[0.5]]]> : tensor<2x1x1xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x1x?xf32>, tensor<2x1x1xf32>) -> tensor<2x1x?xf32>
  func.return %z : tensor<2x1x?xf32>
}

// 2 / 4. Weights stay as they are.
// CHECK-LABEL: func.func @factor_into_alpha(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %C = ncnn.constant dense<[[1.000000e+01, 2.000000e+01]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B C %C {name = "y", alpha = 2.0, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y {name = "z", op_type = div, with_scalar = 1, b = 4.0} : (tensor<?x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %C = ncnn.constant dense<[[1.000000e+01, 2.000000e+01]]> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B C %C {name = "y", blobs = ["z"], alpha = 0.5, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @factor_into_alpha(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %C = ncnn.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  %y = ncnn.gemm %x B %B C %C {name = "y", constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4, alpha = 2.0} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = div, with_scalar = 1, b = 4.0} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// Also of two blobs with a third for C.
// CHECK-LABEL: func.func @factor_of_blobs(%x: tensor<?x3xf32>, %B: tensor<3x2xf32>, %C: tensor<?x2xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %y = ncnn.gemm %x, %B, %C {name = "y"} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %z = ncnn.dropout %y {name = "z", scale = 0.5} : (tensor<?x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x, %B, %C {name = "y", blobs = ["z"], alpha = 0.5} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @factor_of_blobs(%x: tensor<?x3xf32>, %B: tensor<3x2xf32>, %C: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %y = ncnn.gemm %x, %B, %C {name = "y"} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.dropout %y {name = "z", scale = 0.5} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// And of integers.
// CHECK-LABEL: func.func @factor_of_int8(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
// BEFORE-NEXT:   %s = ncnn.constant dense<[6.400000e+01]> : tensor<1xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B B_int8_scale %s {name = "y", constantB = 1, constantN = 2, constantK = 3, quantize_term = 2} : (tensor<?x3xf32>, tensor<3x2xi8>, tensor<1xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %z = ncnn.power %y {name = "z", scale = 0.5} : (tensor<?x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
// AFTER-NEXT:    %s = ncnn.constant dense<[6.400000e+01]> : tensor<1xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B B_int8_scale %s {name = "y", blobs = ["z"], alpha = 0.5, constantB = 1, constantN = 2, constantK = 3, quantize_term = 2} : (tensor<?x3xf32>, tensor<3x2xi8>, tensor<1xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @factor_of_int8(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %s = ncnn.constant dense<64.0> : tensor<1xf32>
  %y = ncnn.gemm %x B %B B_int8_scale %s {name = "y", constantB = 1, constantN = 2, constantK = 3, quantize_term = 2} : (tensor<?x3xf32>, tensor<3x2xi8>, tensor<1xf32>) -> tensor<?x2xf32>
  %z = ncnn.power %y {name = "z", scale = 0.5} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @summand_for_all(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y {name = "z", op_type = add, with_scalar = 1, b = 4.0} : (tensor<?x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %B_bias = ncnn.constant dense<4.000000e+00> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %B C %B_bias {name = "y", blobs = ["z"], constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    func.return %y : tensor<?x2xf32>
// CHECK-NEXT: }
func.func @summand_for_all(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = add, with_scalar = 1, b = 4.0} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}
