// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-sdpa %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-sdpa %s > %t.once
// RUN: ncnn-opt --fuse-sdpa %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-sdpa --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Attention by two products and a Softmax is an SDPA.

// By MatMul with transB, scaled; nothing is known of the steps.
// REMARK: remark: fuse-sdpa: MatMul 'y', Softmax 'p', BinaryOp 't', MatMul 's'
// CHECK-LABEL: func.func @scaled(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
// BEFORE-NEXT:   %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
// BEFORE-NEXT:   %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
// BEFORE-NEXT:   %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
// BEFORE-NEXT:   %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
// BEFORE-NEXT:   %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// BEFORE-NEXT:   %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// BEFORE-NEXT:   %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x3xf32>
// AFTER-NEXT:    %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
// AFTER-NEXT:    %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
// AFTER-NEXT:    %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
// AFTER-NEXT:    %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
// AFTER-NEXT:    %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// AFTER-NEXT:    %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// AFTER-NEXT:    %y = ncnn.sdpa %qh, %kh, %vh {name = "y", scale = 0.5} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x3xf32>
// CHECK-NEXT: }
func.func @scaled(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}

// The keys are transposed before, to heads x features x steps at once; the query is scaled, and the products divided.
// REMARK: remark: fuse-sdpa: MatMul 'y', Softmax 'p', BinaryOp 't', MatMul 's', Power 'qm', Permute 'kh'
// CHECK-LABEL: func.func @transposed(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
// BEFORE-NEXT:   %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
// BEFORE-NEXT:   %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
// BEFORE-NEXT:   %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
// BEFORE-NEXT:   %kh = ncnn.permute %ks {name = "kh", order_type = 3} : (tensor<?x2x4xf32>) -> tensor<2x4x?xf32>
// BEFORE-NEXT:   %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// BEFORE-NEXT:   %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// BEFORE-NEXT:   %qm = ncnn.power %qh {name = "qm", scale = 0.75} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
// BEFORE-NEXT:   %s = ncnn.matmul %qm, %kh {name = "s"} : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %t = ncnn.binaryop %s {name = "t", op_type = div, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %p = ncnn.softmax %t {name = "p", axis = -1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x?x3xf32>
// AFTER-NEXT:    %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
// AFTER-NEXT:    %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
// AFTER-NEXT:    %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
// AFTER-NEXT:    %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// AFTER-NEXT:    %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// AFTER-NEXT:    %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
// AFTER-NEXT:    %y = ncnn.sdpa %qh, %kh, %vh {name = "y", scale = 1.5} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x?x3xf32>
// CHECK-NEXT: }
func.func @transposed(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 3} : (tensor<?x2x4xf32>) -> tensor<2x4x?xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %qm = ncnn.power %qh {name = "qm", scale = 0.75} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  %s = ncnn.matmul %qm, %kh {name = "s"} : (tensor<2x?x4xf32>, tensor<2x4x?xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = div, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = -1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}

// A mask for all heads, of the extents that the Reshapes say; no scale.
// REMARK: remark: fuse-sdpa: MatMul 'y', Softmax 'p', BinaryOp 'u', MatMul 's'
// CHECK-LABEL: func.func @mask(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) -> tensor<2x5x3xf32> {
// BEFORE-NEXT:   %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
// BEFORE-NEXT:   %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
// BEFORE-NEXT:   %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
// BEFORE-NEXT:   %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
// BEFORE-NEXT:   %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
// BEFORE-NEXT:   %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
// BEFORE-NEXT:   %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %m = ncnn.constant {name = "m"} #ncnn.elided : tensor<1x5x5xf32>
// BEFORE-NEXT:   %u = ncnn.binaryop %m, %s {name = "u", op_type = add} : (tensor<1x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %p = ncnn.softmax %u {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x5x3xf32>
// AFTER-NEXT:    %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
// AFTER-NEXT:    %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
// AFTER-NEXT:    %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
// AFTER-NEXT:    %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
// AFTER-NEXT:    %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
// AFTER-NEXT:    %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
// AFTER-NEXT:    %m = ncnn.constant {name = "m"} #ncnn.elided : tensor<1x5x5xf32>
// AFTER-NEXT:    %y = ncnn.sdpa %qh, %kh, %vh, %m {name = "y", attn_mask = 1, scale = 1.0} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x5x3xf32>, tensor<1x5x5xf32>) -> tensor<2x5x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x5x3xf32>
// CHECK-NEXT: }
func.func @mask(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) -> tensor<2x5x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
  %m = ncnn.constant {name = "m"} #ncnn.elided : tensor<1x5x5xf32>
  %u = ncnn.binaryop %m, %s {name = "u", op_type = add} : (tensor<1x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.softmax %u {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  func.return %y : tensor<2x5x3xf32>
}

// A mask for each head, with coefficients.
// REMARK: remark: fuse-sdpa: MatMul 'y', Softmax 'p', Eltwise 'u', MatMul 's'
// CHECK-LABEL: func.func @mask_of_heads(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) -> tensor<2x5x3xf32> {
// BEFORE-NEXT:   %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
// BEFORE-NEXT:   %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
// BEFORE-NEXT:   %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
// BEFORE-NEXT:   %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
// BEFORE-NEXT:   %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
// BEFORE-NEXT:   %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
// BEFORE-NEXT:   %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %m = ncnn.constant {name = "m"} #ncnn.elided : tensor<2x5x5xf32>
// BEFORE-NEXT:   %u = ncnn.eltwise %m, %s {name = "u", op_type = sum, coeffs = [1.0, 0.5]} : (tensor<2x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %p = ncnn.softmax %u {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x5x3xf32>
// AFTER-NEXT:    %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
// AFTER-NEXT:    %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
// AFTER-NEXT:    %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
// AFTER-NEXT:    %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
// AFTER-NEXT:    %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
// AFTER-NEXT:    %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
// AFTER-NEXT:    %m = ncnn.constant {name = "m"} #ncnn.elided : tensor<2x5x5xf32>
// AFTER-NEXT:    %y = ncnn.sdpa %qh, %kh, %vh, %m {name = "y", attn_mask = 1, scale = 0.5} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x5x3xf32>, tensor<2x5x5xf32>) -> tensor<2x5x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x5x3xf32>
// CHECK-NEXT: }
func.func @mask_of_heads(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) -> tensor<2x5x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
  %m = ncnn.constant {name = "m"} #ncnn.elided : tensor<2x5x5xf32>
  %u = ncnn.eltwise %m, %s {name = "u", op_type = sum, coeffs = [1.0, 0.5]} : (tensor<2x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.softmax %u {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  func.return %y : tensor<2x5x3xf32>
}
