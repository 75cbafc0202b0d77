// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-matmul-with-gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-matmul-with-gemm %s > %t.once
// RUN: ncnn-opt --replace-matmul-with-gemm %t.once | diff %t.once -
// RUN: ncnn-opt --replace-matmul-with-gemm --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-matmul-with-gemm: MatMul 'y'
// REMARK-NEXT: remark: replace-matmul-with-gemm: MatMul 'm'
// REMARK-NEXT: remark: replace-matmul-with-gemm: MatMul 'm'
// REMARK-NEXT: remark: replace-matmul-with-gemm: MatMul 'y'
// REMARK-NEXT: remark: replace-matmul-with-gemm: MatMul 'y'
// REMARK-NEXT: remark: replace-matmul-with-gemm: MatMul 'a'
// REMARK-NEXT: remark: replace-matmul-with-gemm: MatMul 'b'
// REMARK-NEXT: remark: replace-matmul-with-gemm: MatMul 'y'

// Boxes of a detector: as many products as places, of four rows each.
// CHECK-LABEL: func.func @boxes(%in: tensor<*xf32>) -> tensor<?x4xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %in {name = "x", w = 2, h = 4, c = -1} : (tensor<*xf32>) -> tensor<?x4x2xf32>
// BEFORE-NEXT:   %w = ncnn.constant {name = "w"} dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %x, %w {name = "y"} : (tensor<?x4x2xf32>, tensor<2x1xf32>) -> tensor<?x4x1xf32>
// BEFORE-NEXT:   %z = ncnn.reshape %y {name = "z", w = 4, h = -1} : (tensor<?x4x1xf32>) -> tensor<?x4xf32>
// BEFORE-NEXT:   func.return %z : tensor<?x4xf32>
// AFTER-NEXT:    %x = ncnn.reshape %in {name = "x", w = 2, h = 4, c = -1} : (tensor<*xf32>) -> tensor<?x4x2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 2, h = -1} : (tensor<?x4x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    %1 = ncnn.gemm %0 B %w {name = "y", constantB = 1, constantN = 1, constantK = 2} : (tensor<?x2xf32>, tensor<2x1xf32>) -> tensor<?x1xf32>
// AFTER-NEXT:    %y = ncnn.reshape %1 {blobs = ["y"], w = 1, h = 4, c = -1} : (tensor<?x1xf32>) -> tensor<?x4x1xf32>
// AFTER-NEXT:    %z = ncnn.reshape %y {name = "z", w = 4, h = -1} : (tensor<?x4x1xf32>) -> tensor<?x4xf32>
// AFTER-NEXT:    func.return %z : tensor<?x4xf32>
// CHECK-NEXT: }
func.func @boxes(%in: tensor<*xf32>) -> tensor<?x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 4, c = -1} : (tensor<*xf32>) -> tensor<?x4x2xf32>
  %w = ncnn.constant {name = "w"} dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<?x4x2xf32>, tensor<2x1xf32>) -> tensor<?x4x1xf32>
  %z = ncnn.reshape %y {name = "z", w = 4, h = -1} : (tensor<?x4x1xf32>) -> tensor<?x4xf32>
  func.return %z : tensor<?x4xf32>
}

// Rows: as they are. The names stay.
// CHECK-LABEL: func.func @rows(%x: tensor<?x2xf32>) -> tensor<?x3xf32> {
// BEFORE-NEXT:   %w = ncnn.constant {name = "w"} dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %x, %w {name = "m", blobs = ["y"], transB = 1} : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x3xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %x B %w {name = "m", blobs = ["y"], transB = 1, constantB = 1, constantN = 3, constantK = 2} : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x3xf32>
// AFTER-NEXT:    func.return %y : tensor<?x3xf32>
// CHECK-NEXT: }
func.func @rows(%x: tensor<?x2xf32>) -> tensor<?x3xf32> {
  %w = ncnn.constant {name = "w"} dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.matmul %x, %w {name = "m", blobs = ["y"], transB = 1} : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}

// To the right a vector is a column, and its axis goes.
// CHECK-LABEL: func.func @column(%x: tensor<?x2xf32>) -> tensor<?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant {name = "w"} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %x, %w {name = "m", blobs = ["y"]} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %0 = ncnn.gemm %x B %w {name = "m", transB = 1, constantB = 1, constantN = 1, constantK = 2} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x1xf32>
// AFTER-NEXT:    %y = ncnn.flatten %0 {blobs = ["y"]} : (tensor<?x1xf32>) -> tensor<?xf32>
// AFTER-NEXT:    func.return %y : tensor<?xf32>
// CHECK-NEXT: }
func.func @column(%x: tensor<?x2xf32>) -> tensor<?xf32> {
  %w = ncnn.constant {name = "w"} dense<[1.0, 2.0]> : tensor<2xf32>
  %y = ncnn.matmul %x, %w {name = "m", blobs = ["y"]} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}

// The constant to the left, in three dims: the product has three.
// CHECK-LABEL: func.func @left(%x: tensor<2x?xf32>) -> tensor<1x3x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant {name = "w"} dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]]> : tensor<1x3x2xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %w, %x {name = "y"} : (tensor<1x3x2xf32>, tensor<2x?xf32>) -> tensor<1x3x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<1x3x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %0 = ncnn.gemm %x A %w {name = "y", constantA = 1, constantM = 3, constantK = 2} : (tensor<2x?xf32>, tensor<3x2xf32>) -> tensor<3x?xf32>
// AFTER-NEXT:    %y = ncnn.reshape %0 {blobs = ["y"], w = 0, h = 3, c = 1} : (tensor<3x?xf32>) -> tensor<1x3x?xf32>
// AFTER-NEXT:    func.return %y : tensor<1x3x?xf32>
// CHECK-NEXT: }
func.func @left(%x: tensor<2x?xf32>) -> tensor<1x3x?xf32> {
  %w = ncnn.constant {name = "w"} dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<1x3x2xf32>
  %y = ncnn.matmul %w, %x {name = "y"} : (tensor<1x3x2xf32>, tensor<2x?xf32>) -> tensor<1x3x?xf32>
  func.return %y : tensor<1x3x?xf32>
}

// A vector: an InnerProduct, whose weight has the outputs outermost.
// CHECK-LABEL: func.func @vector(%x: tensor<2xf32>) -> tensor<3xf32> {
// BEFORE-NEXT:   %w = ncnn.constant {name = "w"} dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %x, %w {name = "y"} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   func.return %y : tensor<3xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// AFTER-NEXT:    %y = ncnn.innerproduct %x weight %w {name = "y", num_output = 3} : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3xf32>
// AFTER-NEXT:    func.return %y : tensor<3xf32>
// CHECK-NEXT: }
func.func @vector(%x: tensor<2xf32>) -> tensor<3xf32> {
  %w = ncnn.constant {name = "w"} dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// A small constant may be there twice.
// CHECK-LABEL: func.func @twice(%x: tensor<?x2xf32>) -> tensor<?x1xf32> {
// BEFORE-NEXT:   %w = ncnn.constant {name = "w"} dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %v = ncnn.constant {name = "v"} dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// BEFORE-NEXT:   %a = ncnn.matmul %x, %w {name = "a"} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %b = ncnn.matmul %a, %w {name = "b"} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %b, %v {name = "y"} : (tensor<?x2xf32>, tensor<2x1xf32>) -> tensor<?x1xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x1xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %a = ncnn.gemm %x B %w {name = "a", constantB = 1, constantN = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    %w_1 = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %b = ncnn.gemm %a B %w_1 {name = "b", constantB = 1, constantN = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// AFTER-NEXT:    %y = ncnn.gemm %b B %v {name = "y", constantB = 1, constantN = 1, constantK = 2} : (tensor<?x2xf32>, tensor<2x1xf32>) -> tensor<?x1xf32>
// AFTER-NEXT:    func.return %y : tensor<?x1xf32>
// CHECK-NEXT: }
func.func @twice(%x: tensor<?x2xf32>) -> tensor<?x1xf32> {
  %w = ncnn.constant {name = "w"} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v = ncnn.constant {name = "v"} dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %a = ncnn.matmul %x, %w {name = "a"} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %b = ncnn.matmul %a, %w {name = "b"} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %y = ncnn.matmul %b, %v {name = "y"} : (tensor<?x2xf32>, tensor<2x1xf32>) -> tensor<?x1xf32>
  func.return %y : tensor<?x1xf32>
}
