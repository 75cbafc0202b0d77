// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --tune x86 --replace-multiheadattention-with-sdpa %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --tune x86 --replace-multiheadattention-with-sdpa %s > %t.once
// RUN: ncnn-opt --tune x86 --replace-multiheadattention-with-sdpa %t.once | diff %t.once -
// RUN: ncnn-opt --tune x86 --replace-multiheadattention-with-sdpa --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: ncnn-opt --tune x86 --for-ncnn 20260113 --replace-multiheadattention-with-sdpa %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --tune x86 --for-ncnn 20250916 --replace-multiheadattention-with-sdpa %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE

// REMARK: remark: replace-multiheadattention-with-sdpa: MultiHeadAttention 'a'
// REMARK-NEXT: remark: replace-multiheadattention-with-sdpa: MultiHeadAttention 'a'

// A sequence that is certainly so long.
// CHECK-LABEL: func.func @self(%x: tensor<4096x2xf32> {ncnn.promised}) -> tensor<4096x2xf32> {
// BEFORE-NEXT:   %qw = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %qb = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %kw = ncnn.constant dense<[[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %kb = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %vw = ncnn.constant dense<[[9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %vb = ncnn.constant dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %ow = ncnn.constant dense<[[1.300000e+01, 1.400000e+01], [1.500000e+01, 1.600000e+01]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %ob = ncnn.constant dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.multiheadattention %x q_weight %qw q_bias %qb k_weight %kw k_bias %kb v_weight %vw v_bias %vb out_weight %ow out_bias %ob {name = "a", embed_dim = 2, num_heads = 2} : (tensor<4096x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<4096x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<4096x2xf32>
// AFTER-NEXT:    %qw = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %qb = ncnn.constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %0 = ncnn.gemm %x B %qw C %qb {transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<4096x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<4096x2xf32>
// AFTER-NEXT:    %1 = ncnn.reshape %0 {w = 1, h = 2, c = -1} : (tensor<4096x2xf32>) -> tensor<4096x2x1xf32>
// AFTER-NEXT:    %2 = ncnn.permute %1 {order_type = 2} : (tensor<4096x2x1xf32>) -> tensor<2x4096x1xf32>
// AFTER-NEXT:    %kw = ncnn.constant dense<[[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %kb = ncnn.constant dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %3 = ncnn.gemm %x B %kw C %kb {transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<4096x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<4096x2xf32>
// AFTER-NEXT:    %4 = ncnn.reshape %3 {w = 1, h = 2, c = -1} : (tensor<4096x2xf32>) -> tensor<4096x2x1xf32>
// AFTER-NEXT:    %5 = ncnn.permute %4 {order_type = 2} : (tensor<4096x2x1xf32>) -> tensor<2x4096x1xf32>
// AFTER-NEXT:    %vw = ncnn.constant dense<[[9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %vb = ncnn.constant dense<[[5.000000e+00, 6.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %6 = ncnn.gemm %x B %vw C %vb {transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<4096x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<4096x2xf32>
// AFTER-NEXT:    %7 = ncnn.reshape %6 {w = 1, h = 2, c = -1} : (tensor<4096x2xf32>) -> tensor<4096x2x1xf32>
// AFTER-NEXT:    %8 = ncnn.permute %7 {order_type = 2} : (tensor<4096x2x1xf32>) -> tensor<2x4096x1xf32>
// AFTER-NEXT:    %9 = ncnn.sdpa %2, %5, %8 {scale = 1.0} : (tensor<2x4096x1xf32>, tensor<2x4096x1xf32>, tensor<2x4096x1xf32>) -> tensor<2x4096x1xf32>
// AFTER-NEXT:    %10 = ncnn.permute %9 {order_type = 2} : (tensor<2x4096x1xf32>) -> tensor<4096x2x1xf32>
// AFTER-NEXT:    %11 = ncnn.reshape %10 {w = 2, h = -1} : (tensor<4096x2x1xf32>) -> tensor<4096x2xf32>
// AFTER-NEXT:    %ow = ncnn.constant dense<[[1.300000e+01, 1.400000e+01], [1.500000e+01, 1.600000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %ob = ncnn.constant dense<[[7.000000e+00, 8.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %11 B %ow C %ob {name = "a", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<4096x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<4096x2xf32>
// AFTER-NEXT:    func.return %y : tensor<4096x2xf32>
// CHECK-NEXT: }
func.func @self(%x: tensor<4096x2xf32> {ncnn.promised}) -> tensor<4096x2xf32> {
  %qw = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %qb = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %kw = ncnn.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %kb = ncnn.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %vw = ncnn.constant dense<[[9.0, 10.0], [11.0, 12.0]]> : tensor<2x2xf32>
  %vb = ncnn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %ow = ncnn.constant dense<[[13.0, 14.0], [15.0, 16.0]]> : tensor<2x2xf32>
  %ob = ncnn.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %y = ncnn.multiheadattention %x q_weight %qw q_bias %qb k_weight %kw k_bias %kb v_weight %vw v_bias %vb out_weight %ow out_bias %ob {name = "a", embed_dim = 2, num_heads = 2} : (tensor<4096x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<4096x2xf32>
  func.return %y : tensor<4096x2xf32>
}

// Keys of another blob, and a mask for each head.
// CHECK-LABEL: func.func @cross(%x: tensor<4097x2xf32> {ncnn.promised}, %z: tensor<5000x2xf32> {ncnn.promised}, %m: tensor<2x4097x5000xf32> {ncnn.promised}) -> tensor<4097x2xf32> {
// BEFORE-NEXT:   %qw = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %qb = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %kw = ncnn.constant dense<[[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %kb = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %vw = ncnn.constant dense<[[9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %vb = ncnn.constant dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %ow = ncnn.constant dense<[[1.300000e+01, 1.400000e+01], [1.500000e+01, 1.600000e+01]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %ob = ncnn.constant dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.multiheadattention %x, %z, %m q_weight %qw q_bias %qb k_weight %kw k_bias %kb v_weight %vw v_bias %vb out_weight %ow out_bias %ob {name = "a", embed_dim = 2, num_heads = 2, attn_mask = 1, scale = 0.5} : (tensor<4097x2xf32>, tensor<5000x2xf32>, tensor<2x4097x5000xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<4097x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<4097x2xf32>
// AFTER-NEXT:    %qw = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %qb = ncnn.constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %0 = ncnn.gemm %x B %qw C %qb {transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<4097x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<4097x2xf32>
// AFTER-NEXT:    %1 = ncnn.reshape %0 {w = 1, h = 2, c = -1} : (tensor<4097x2xf32>) -> tensor<4097x2x1xf32>
// AFTER-NEXT:    %2 = ncnn.permute %1 {order_type = 2} : (tensor<4097x2x1xf32>) -> tensor<2x4097x1xf32>
// AFTER-NEXT:    %kw = ncnn.constant dense<[[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %kb = ncnn.constant dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %3 = ncnn.gemm %z B %kw C %kb {transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<5000x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<5000x2xf32>
// AFTER-NEXT:    %4 = ncnn.reshape %3 {w = 1, h = 2, c = -1} : (tensor<5000x2xf32>) -> tensor<5000x2x1xf32>
// AFTER-NEXT:    %5 = ncnn.permute %4 {order_type = 2} : (tensor<5000x2x1xf32>) -> tensor<2x5000x1xf32>
// AFTER-NEXT:    %vw = ncnn.constant dense<[[9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %vb = ncnn.constant dense<[[5.000000e+00, 6.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %6 = ncnn.gemm %z B %vw C %vb {transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<5000x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<5000x2xf32>
// AFTER-NEXT:    %7 = ncnn.reshape %6 {w = 1, h = 2, c = -1} : (tensor<5000x2xf32>) -> tensor<5000x2x1xf32>
// AFTER-NEXT:    %8 = ncnn.permute %7 {order_type = 2} : (tensor<5000x2x1xf32>) -> tensor<2x5000x1xf32>
// AFTER-NEXT:    %9 = ncnn.sdpa %2, %5, %8, %m {attn_mask = 1, scale = 0.5} : (tensor<2x4097x1xf32>, tensor<2x5000x1xf32>, tensor<2x5000x1xf32>, tensor<2x4097x5000xf32>) -> tensor<2x4097x1xf32>
// AFTER-NEXT:    %10 = ncnn.permute %9 {order_type = 2} : (tensor<2x4097x1xf32>) -> tensor<4097x2x1xf32>
// AFTER-NEXT:    %11 = ncnn.reshape %10 {w = 2, h = -1} : (tensor<4097x2x1xf32>) -> tensor<4097x2xf32>
// AFTER-NEXT:    %ow = ncnn.constant dense<[[1.300000e+01, 1.400000e+01], [1.500000e+01, 1.600000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %ob = ncnn.constant dense<[[7.000000e+00, 8.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.gemm %11 B %ow C %ob {name = "a", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<4097x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<4097x2xf32>
// AFTER-NEXT:    func.return %y : tensor<4097x2xf32>
// CHECK-NEXT: }
func.func @cross(%x: tensor<4097x2xf32> {ncnn.promised}, %z: tensor<5000x2xf32> {ncnn.promised}, %m: tensor<2x4097x5000xf32> {ncnn.promised}) -> tensor<4097x2xf32> {
  %qw = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %qb = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %kw = ncnn.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %kb = ncnn.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %vw = ncnn.constant dense<[[9.0, 10.0], [11.0, 12.0]]> : tensor<2x2xf32>
  %vb = ncnn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %ow = ncnn.constant dense<[[13.0, 14.0], [15.0, 16.0]]> : tensor<2x2xf32>
  %ob = ncnn.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %y = ncnn.multiheadattention %x, %z, %m q_weight %qw q_bias %qb k_weight %kw k_bias %kb v_weight %vw v_bias %vb out_weight %ow out_bias %ob {name = "a", embed_dim = 2, num_heads = 2, attn_mask = 1, scale = 0.5} : (tensor<4097x2xf32>, tensor<5000x2xf32>, tensor<2x4097x5000xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<4097x2xf32>
  func.return %y : tensor<4097x2xf32>
}
