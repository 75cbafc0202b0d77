// RUN: ncnn-opt --tune none %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --tune none --fuse-multiheadattention %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --tune none --fuse-multiheadattention %s > %t.once
// RUN: ncnn-opt --tune none --fuse-multiheadattention %t.once | diff %t.once -
// RUN: ncnn-opt --tune none --fuse-multiheadattention --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: fuse-multiheadattention: Gemm 'o', Reshape 'u', Permute 't', SDPA 'y', Reshape 'q', Slice 's', Permute 'p', Reshape 'r', Gemm 'g', Reshape 'k', Reshape 'v'
// REMARK-NEXT: remark: fuse-multiheadattention: Gemm 'o', Reshape 'u', Permute 't', SDPA 'y', Slice 's', Permute 'p', Reshape 'r', Gemm 'g'
// REMARK-NEXT: remark: fuse-multiheadattention: Gemm 'o', Reshape 'u', Permute 't', SDPA 'y', Permute 'q', Reshape 'rq', Gemm 'gq', Permute 'k', Reshape 'rk', Gemm 'gk', Permute 'v', Reshape 'rv', Gemm 'gv'

// One product for query, keys and values, which are before the heads, as timm writes it. The rows of
// the weights are columns of the product; a head has one feature, so that nothing is in another order.
// CHECK-LABEL: func.func @together(%in: tensor<6xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[0.000000e+00, 1.000000e+00], [1.000000e+01, 1.100000e+01], [2.000000e+01, 2.100000e+01], [3.000000e+01, 3.100000e+01], [4.000000e+01, 4.100000e+01], [5.000000e+01, 5.100000e+01]]> : tensor<6x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<1x6xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 6, constantK = 2, constant_broadcast_type_C = 4} : (tensor<3x2xf32>, tensor<6x2xf32>, tensor<1x6xf32>) -> tensor<3x6xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %g {name = "r", w = 1, h = 2, c = 3, d = 3} : (tensor<3x6xf32>) -> tensor<3x3x2x1xf32>
// BEFORE-NEXT:   %p = ncnn.permute %r {name = "p", order_type = 8} : (tensor<3x3x2x1xf32>) -> tensor<3x2x3x1xf32>
// BEFORE-NEXT:   %q0, %k0, %v0 = ncnn.slice %p {name = "s", slices = [-233, -233, -233]} : (tensor<3x2x3x1xf32>) -> (tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>)
// BEFORE-NEXT:   %q = ncnn.reshape %q0 {name = "q", w = 1, h = 3, c = 2} : (tensor<1x2x3x1xf32>) -> tensor<2x3x1xf32>
// BEFORE-NEXT:   %k = ncnn.reshape %k0 {name = "k", w = 1, h = 3, c = 2} : (tensor<1x2x3x1xf32>) -> tensor<2x3x1xf32>
// BEFORE-NEXT:   %v = ncnn.reshape %v0 {name = "v", w = 1, h = 3, c = 2} : (tensor<1x2x3x1xf32>) -> tensor<2x3x1xf32>
// BEFORE-NEXT:   %y = ncnn.sdpa %q, %k, %v {name = "y", scale = 0.5} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
// BEFORE-NEXT:   %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
// BEFORE-NEXT:   %u = ncnn.reshape %t {name = "u", w = 2, h = 3} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   %wo = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %o = ncnn.gemm %u B %wo {name = "o", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %o : tensor<3x2xf32>
// AFTER-NEXT:    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[0.000000e+00, 1.000000e+00], [1.000000e+01, 1.100000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %w_1 = ncnn.constant dense<[[2.000000e+01, 2.100000e+01], [3.000000e+01, 3.100000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %b_1 = ncnn.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %w_2 = ncnn.constant dense<[[4.000000e+01, 4.100000e+01], [5.000000e+01, 5.100000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %b_2 = ncnn.constant dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %wo = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %0 = ncnn.constant dense<0.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %o = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %w_1 k_bias %b_1 v_weight %w_2 v_bias %b_2 out_weight %wo out_bias %0 {name = "o", embed_dim = 2, num_heads = 2, scale = 0.5} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %o : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @together(%in: tensor<6xf32>) -> tensor<3x2xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %b = ncnn.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x6xf32>
  %g = ncnn.gemm %x B %w C %b {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 6, constantK = 2, constant_broadcast_type_C = 4} : (tensor<3x2xf32>, tensor<6x2xf32>, tensor<1x6xf32>) -> tensor<3x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 1, h = 2, c = 3, d = 3} : (tensor<3x6xf32>) -> tensor<3x3x2x1xf32>
  %p = ncnn.permute %r {name = "p", order_type = 8} : (tensor<3x3x2x1xf32>) -> tensor<3x2x3x1xf32>
  %q0, %k0, %v0 = ncnn.slice %p {name = "s", slices = [-233, -233, -233]} : (tensor<3x2x3x1xf32>) -> (tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>)
  %q = ncnn.reshape %q0 {name = "q", w = 1, h = 3, c = 2} : (tensor<1x2x3x1xf32>) -> tensor<2x3x1xf32>
  %k = ncnn.reshape %k0 {name = "k", w = 1, h = 3, c = 2} : (tensor<1x2x3x1xf32>) -> tensor<2x3x1xf32>
  %v = ncnn.reshape %v0 {name = "v", w = 1, h = 3, c = 2} : (tensor<1x2x3x1xf32>) -> tensor<2x3x1xf32>
  %y = ncnn.sdpa %q, %k, %v {name = "y", scale = 0.5} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = 3} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %o : tensor<3x2xf32>
}

// A head's query, keys and values beside each other: the rows of each are every third column.
// CHECK-LABEL: func.func @in_heads(%in: tensor<6xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[0.000000e+00, 1.000000e+00], [1.000000e+01, 1.100000e+01], [2.000000e+01, 2.100000e+01], [3.000000e+01, 3.100000e+01], [4.000000e+01, 4.100000e+01], [5.000000e+01, 5.100000e+01]]> : tensor<6x2xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
// BEFORE-NEXT:   %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
// BEFORE-NEXT:   %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
// BEFORE-NEXT:   %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
// BEFORE-NEXT:   %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
// BEFORE-NEXT:   %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   %wo = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %o : tensor<3x2xf32>
// AFTER-NEXT:    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[0.000000e+00, 1.000000e+00], [3.000000e+01, 3.100000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %0 = ncnn.constant dense<0.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %w_1 = ncnn.constant dense<[[1.000000e+01, 1.100000e+01], [4.000000e+01, 4.100000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %1 = ncnn.constant dense<0.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %w_2 = ncnn.constant dense<[[2.000000e+01, 2.100000e+01], [5.000000e+01, 5.100000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %2 = ncnn.constant dense<0.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %wo = ncnn.constant dense<[[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %3 = ncnn.constant dense<0.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %o = ncnn.multiheadattention %x q_weight %w q_bias %0 k_weight %w_1 k_bias %1 v_weight %w_2 v_bias %2 out_weight %wo out_bias %3 {name = "o", embed_dim = 2, num_heads = 2} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %o : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @in_heads(%in: tensor<6xf32>) -> tensor<3x2xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
  %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %o : tensor<3x2xf32>
}

// Keys of another blob, products of their own, a mask, and heads behind features.
// CHECK-LABEL: func.func @apart(%in: tensor<6xf32>, %other: tensor<8xf32>, %mask: tensor<3x4xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   %z = ncnn.reshape %other {name = "z", w = 2, h = 4} : (tensor<8xf32>) -> tensor<4x2xf32>
// BEFORE-NEXT:   %m = ncnn.reshape %mask {name = "m", w = 4, h = 3, c = 1} : (tensor<3x4xf32>) -> tensor<1x3x4xf32>
// BEFORE-NEXT:   %n = ncnn.reshape %m {name = "n", w = 4, h = 3} : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
// BEFORE-NEXT:   %wq = ncnn.constant dense<[[0.000000e+00, 1.000000e+00], [1.000000e+01, 1.100000e+01], [2.000000e+01, 2.100000e+01], [3.000000e+01, 3.100000e+01]]> : tensor<4x2xf32>
// BEFORE-NEXT:   %wk = ncnn.constant dense<[[0.000000e+00, 1.000000e+00], [1.000000e+01, 1.100000e+01], [2.000000e+01, 2.100000e+01], [3.000000e+01, 3.100000e+01]]> : tensor<4x2xf32>
// BEFORE-NEXT:   %wv = ncnn.constant dense<[[0.000000e+00, 1.000000e+01, 2.000000e+01, 3.000000e+01], [1.000000e+00, 1.100000e+01, 2.100000e+01, 3.100000e+01]]> : tensor<2x4xf32>
// BEFORE-NEXT:   %gq = ncnn.gemm %x B %wq {name = "gq", transB = 1, constantB = 1, constantN = 4, constantK = 2} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
// BEFORE-NEXT:   %gk = ncnn.gemm %z B %wk {name = "gk", transB = 1, constantB = 1, constantN = 4, constantK = 2} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
// BEFORE-NEXT:   %gv = ncnn.gemm %z B %wv {name = "gv", constantB = 1, constantN = 4, constantK = 2} : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
// BEFORE-NEXT:   %rq = ncnn.reshape %gq {name = "rq", w = 2, h = 2, c = -1} : (tensor<3x4xf32>) -> tensor<3x2x2xf32>
// BEFORE-NEXT:   %rk = ncnn.reshape %gk {name = "rk", w = 2, h = 2, c = -1} : (tensor<4x4xf32>) -> tensor<4x2x2xf32>
// BEFORE-NEXT:   %rv = ncnn.reshape %gv {name = "rv", w = 2, h = 2, c = -1} : (tensor<4x4xf32>) -> tensor<4x2x2xf32>
// BEFORE-NEXT:   %q = ncnn.permute %rq {name = "q", order_type = 2} : (tensor<3x2x2xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %k = ncnn.permute %rk {name = "k", order_type = 2} : (tensor<4x2x2xf32>) -> tensor<2x4x2xf32>
// BEFORE-NEXT:   %v = ncnn.permute %rv {name = "v", order_type = 4} : (tensor<4x2x2xf32>) -> tensor<2x4x2xf32>
// BEFORE-NEXT:   %y = ncnn.sdpa %q, %k, %v, %n {name = "y", attn_mask = 1} : (tensor<2x3x2xf32>, tensor<2x4x2xf32>, tensor<2x4x2xf32>, tensor<3x4xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x2xf32>) -> tensor<3x2x2xf32>
// BEFORE-NEXT:   %u = ncnn.reshape %t {name = "u", w = 4, h = 3} : (tensor<3x2x2xf32>) -> tensor<3x4xf32>
// BEFORE-NEXT:   %wo = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// BEFORE-NEXT:   %o = ncnn.gemm %u B %wo {name = "o", transB = 1, constantB = 1, constantN = 2, constantK = 4} : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %o : tensor<3x2xf32>
// AFTER-NEXT:    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %z = ncnn.reshape %other {name = "z", w = 2, h = 4} : (tensor<8xf32>) -> tensor<4x2xf32>
// AFTER-NEXT:    %m = ncnn.reshape %mask {name = "m", w = 4, h = 3, c = 1} : (tensor<3x4xf32>) -> tensor<1x3x4xf32>
// AFTER-NEXT:    %n = ncnn.reshape %m {name = "n", w = 4, h = 3} : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
// AFTER-NEXT:    %wq = ncnn.constant dense<[[0.000000e+00, 1.000000e+00], [1.000000e+01, 1.100000e+01], [2.000000e+01, 2.100000e+01], [3.000000e+01, 3.100000e+01]]> : tensor<4x2xf32>
// AFTER-NEXT:    %0 = ncnn.constant dense<0.000000e+00> : tensor<4xf32>
// AFTER-NEXT:    %wk = ncnn.constant dense<[[0.000000e+00, 1.000000e+00], [1.000000e+01, 1.100000e+01], [2.000000e+01, 2.100000e+01], [3.000000e+01, 3.100000e+01]]> : tensor<4x2xf32>
// AFTER-NEXT:    %1 = ncnn.constant dense<0.000000e+00> : tensor<4xf32>
// AFTER-NEXT:    %wv = ncnn.constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+01, 2.100000e+01], [1.000000e+01, 1.100000e+01], [3.000000e+01, 3.100000e+01]]> : tensor<4x2xf32>
// AFTER-NEXT:    %2 = ncnn.constant dense<0.000000e+00> : tensor<4xf32>
// AFTER-NEXT:    %wo = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// AFTER-NEXT:    %3 = ncnn.constant dense<0.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %o = ncnn.multiheadattention %x, %z, %z, %n q_weight %wq q_bias %0 k_weight %wk k_bias %1 v_weight %wv v_bias %2 out_weight %wo out_bias %3 {name = "o", embed_dim = 4, num_heads = 2, kdim = 2, vdim = 2, attn_mask = 1} : (tensor<3x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<3x4xf32>, tensor<4x2xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %o : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @apart(%in: tensor<6xf32>, %other: tensor<8xf32>, %mask: tensor<3x4xf32>) -> tensor<3x2xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
  %z = ncnn.reshape %other {name = "z", w = 2, h = 4} : (tensor<8xf32>) -> tensor<4x2xf32>
  %m = ncnn.reshape %mask {name = "m", w = 4, h = 3, c = 1} : (tensor<3x4xf32>) -> tensor<1x3x4xf32>
  %n = ncnn.reshape %m {name = "n", w = 4, h = 3} : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
  %wq = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0]]> : tensor<4x2xf32>
  %wk = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0]]> : tensor<4x2xf32>
  %wv = ncnn.constant dense<[[0.0, 10.0, 20.0, 30.0], [1.0, 11.0, 21.0, 31.0]]> : tensor<2x4xf32>
  %gq = ncnn.gemm %x B %wq {name = "gq", transB = 1, constantB = 1, constantN = 4, constantK = 2} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  %gk = ncnn.gemm %z B %wk {name = "gk", transB = 1, constantB = 1, constantN = 4, constantK = 2} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  %gv = ncnn.gemm %z B %wv {name = "gv", constantB = 1, constantN = 4, constantK = 2} : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %rq = ncnn.reshape %gq {name = "rq", w = 2, h = 2, c = -1} : (tensor<3x4xf32>) -> tensor<3x2x2xf32>
  %rk = ncnn.reshape %gk {name = "rk", w = 2, h = 2, c = -1} : (tensor<4x4xf32>) -> tensor<4x2x2xf32>
  %rv = ncnn.reshape %gv {name = "rv", w = 2, h = 2, c = -1} : (tensor<4x4xf32>) -> tensor<4x2x2xf32>
  %q = ncnn.permute %rq {name = "q", order_type = 2} : (tensor<3x2x2xf32>) -> tensor<2x3x2xf32>
  %k = ncnn.permute %rk {name = "k", order_type = 2} : (tensor<4x2x2xf32>) -> tensor<2x4x2xf32>
  %v = ncnn.permute %rv {name = "v", order_type = 4} : (tensor<4x2x2xf32>) -> tensor<2x4x2xf32>
  %y = ncnn.sdpa %q, %k, %v, %n {name = "y", attn_mask = 1} : (tensor<2x3x2xf32>, tensor<2x4x2xf32>, tensor<2x4x2xf32>, tensor<3x4xf32>) -> tensor<2x3x2xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x2xf32>) -> tensor<3x2x2xf32>
  %u = ncnn.reshape %t {name = "u", w = 4, h = 3} : (tensor<3x2x2xf32>) -> tensor<3x4xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %o = ncnn.gemm %u B %wo {name = "o", transB = 1, constantB = 1, constantN = 2, constantK = 4} : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<3x2xf32>
  func.return %o : tensor<3x2xf32>
}
