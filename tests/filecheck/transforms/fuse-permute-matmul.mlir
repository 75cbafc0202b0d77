// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-permute-matmul %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-permute-matmul %s > %t.once
// RUN: ncnn-opt --fuse-permute-matmul %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-permute-matmul --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: fuse-permute-matmul: MatMul 'm', Permute 't'
// REMARK-NEXT: remark: fuse-permute-matmul: MatMul 'm', Permute 't'
// REMARK-NEXT: remark: fuse-permute-matmul: MatMul 'm', Permute 't'
// REMARK-NEXT: remark: fuse-permute-matmul: Gemm 'y', Permute 's'
// REMARK-NEXT: remark: fuse-permute-matmul: Gemm 'y', Permute 't'
// REMARK-NEXT: remark: fuse-permute-matmul: Gemm 'y', Permute 't'

// Batches of matrices: B in the other layout.
// CHECK-LABEL: func.func @right(%a: tensor<2x?x4xf32>, %b: tensor<2x?x4xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<2x?x4xf32>) -> tensor<2x4x?xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %a, %t {name = "m", blobs = ["y"]} : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x?xf32>
// AFTER-NEXT:    %y = ncnn.matmul %a, %b {name = "m", blobs = ["y"], transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @right(%a: tensor<2x?x4xf32>, %b: tensor<2x?x4xf32>) -> tensor<2x?x?xf32> {
  %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<2x?x4xf32>) -> tensor<2x4x?xf32>
  %y = ncnn.matmul %a, %t {name = "m", blobs = ["y"]} : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
  func.return %y : tensor<2x?x?xf32>
}

// Two transpositions cancel. The ranks are unknown.
// CHECK-LABEL: func.func @again(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %a, %t {name = "m", blobs = ["y"], transB = 1} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %y : tensor<*xf32>
// AFTER-NEXT:    %y = ncnn.matmul %a, %b {name = "m", blobs = ["y"]} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %y : tensor<*xf32>
// CHECK-NEXT: }
func.func @again(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.matmul %a, %t {name = "m", blobs = ["y"], transB = 1} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// A: a Gemm, if both are matrices.
// CHECK-LABEL: func.func @left(%x: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 3, h = -1} : (tensor<*xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   %b = ncnn.reshape %z {name = "b", w = -1, h = 5} : (tensor<*xf32>) -> tensor<5x?xf32>
// BEFORE-NEXT:   %t = ncnn.permute %a {name = "t", order_type = 1} : (tensor<?x3xf32>) -> tensor<3x?xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %t, %b {name = "m", blobs = ["y"]} : (tensor<3x?xf32>, tensor<5x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x?xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = 3, h = -1} : (tensor<*xf32>) -> tensor<?x3xf32>
// AFTER-NEXT:    %b = ncnn.reshape %z {name = "b", w = -1, h = 5} : (tensor<*xf32>) -> tensor<5x?xf32>
// AFTER-NEXT:    %y = ncnn.gemm %a, %b {name = "m", blobs = ["y"], transA = 1} : (tensor<?x3xf32>, tensor<5x?xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<?x?xf32>
// CHECK-NEXT: }
func.func @left(%x: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<?x?xf32> {
  %a = ncnn.reshape %x {name = "a", w = 3, h = -1} : (tensor<*xf32>) -> tensor<?x3xf32>
  %b = ncnn.reshape %z {name = "b", w = -1, h = 5} : (tensor<*xf32>) -> tensor<5x?xf32>
  %t = ncnn.permute %a {name = "t", order_type = 1} : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %y = ncnn.matmul %t, %b {name = "m", blobs = ["y"]} : (tensor<3x?xf32>, tensor<5x?xf32>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}

// Both operands of a Gemm.
// CHECK-LABEL: func.func @both(%x: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 3, h = -1} : (tensor<*xf32>) -> tensor<?x3xf32>
// BEFORE-NEXT:   %b = ncnn.reshape %z {name = "b", w = 4, h = -1} : (tensor<*xf32>) -> tensor<?x4xf32>
// BEFORE-NEXT:   %s = ncnn.permute %a {name = "s", order_type = 1} : (tensor<?x3xf32>) -> tensor<3x?xf32>
// BEFORE-NEXT:   %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<?x4xf32>) -> tensor<4x?xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %s, %t {name = "y", alpha = 0.5, transB = 1} : (tensor<3x?xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x?xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = 3, h = -1} : (tensor<*xf32>) -> tensor<?x3xf32>
// AFTER-NEXT:    %b = ncnn.reshape %z {name = "b", w = 4, h = -1} : (tensor<*xf32>) -> tensor<?x4xf32>
// AFTER-NEXT:    %y = ncnn.gemm %a, %b {name = "y", alpha = 0.5, transA = 1} : (tensor<?x3xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<?x?xf32>
// CHECK-NEXT: }
func.func @both(%x: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<?x?xf32> {
  %a = ncnn.reshape %x {name = "a", w = 3, h = -1} : (tensor<*xf32>) -> tensor<?x3xf32>
  %b = ncnn.reshape %z {name = "b", w = 4, h = -1} : (tensor<*xf32>) -> tensor<?x4xf32>
  %s = ncnn.permute %a {name = "s", order_type = 1} : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %y = ncnn.gemm %s, %t {name = "y", transB = 1, alpha = 0.5} : (tensor<3x?xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}

// A constant A.
// CHECK-LABEL: func.func @constant(%z: tensor<*xf32>) -> tensor<?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %b = ncnn.reshape %z {name = "b", w = 2, h = -1} : (tensor<*xf32>) -> tensor<?x2xf32>
// BEFORE-NEXT:   %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<?x2xf32>) -> tensor<2x?xf32>
// BEFORE-NEXT:   %y = ncnn.gemm %t A %w {name = "y", constantA = 1, constantM = 2, constantK = 2} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %b = ncnn.reshape %z {name = "b", w = 2, h = -1} : (tensor<*xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %b A %w {name = "y", transB = 1, constantA = 1, constantM = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<?x?xf32>
// CHECK-NEXT: }
func.func @constant(%z: tensor<*xf32>) -> tensor<?x?xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = ncnn.reshape %z {name = "b", w = 2, h = -1} : (tensor<*xf32>) -> tensor<?x2xf32>
  %t = ncnn.permute %b {name = "t", order_type = 1} : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %y = ncnn.gemm %t A %w {name = "y", constantA = 1, constantM = 2, constantK = 2} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
