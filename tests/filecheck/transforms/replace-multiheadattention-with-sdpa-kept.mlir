// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-multiheadattention-with-sdpa %s | diff %t.before -

// On x86 alone it is faster from 16 steps on, for so few features; on arm it never is.
// RUN: ncnn-opt --tune arm --replace-multiheadattention-with-sdpa %s | filecheck %s --check-prefix=ARM
// RUN: ncnn-opt --tune x86 --replace-multiheadattention-with-sdpa %s | filecheck %s --check-prefix=X86
// ARM-NOT: sdpa
// X86-LABEL: @not_promised
// X86-NOT: sdpa
// X86-LABEL: @too_short
// X86-NOT: sdpa
// X86-LABEL: @negative
// X86-NOT: sdpa
// X86-LABEL: @cache
// X86-NOT: sdpa
// X86-LABEL: @slower_on_arm
// X86: sdpa

// Nothing here may change. Each function is one that does, but for one thing.

// Another run may have fewer steps.
func.func @not_promised(%x: tensor<4096x2xf32>) -> tensor<4096x2xf32> {
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

// Fewer steps than pay on x86.
func.func @too_short(%x: tensor<15x2xf32> {ncnn.promised}) -> tensor<15x2xf32> {
  %qw = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %qb = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %kw = ncnn.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %kb = ncnn.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %vw = ncnn.constant dense<[[9.0, 10.0], [11.0, 12.0]]> : tensor<2x2xf32>
  %vb = ncnn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %ow = ncnn.constant dense<[[13.0, 14.0], [15.0, 16.0]]> : tensor<2x2xf32>
  %ob = ncnn.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %y = ncnn.multiheadattention %x q_weight %qw q_bias %qb k_weight %kw k_bias %kb v_weight %vw v_bias %vb out_weight %ow out_bias %ob {name = "a", embed_dim = 2, num_heads = 2} : (tensor<15x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<15x2xf32>
  func.return %y : tensor<15x2xf32>
}

// A scale that no SDPA has.
func.func @negative(%x: tensor<4096x2xf32> {ncnn.promised}) -> tensor<4096x2xf32> {
  %qw = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %qb = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %kw = ncnn.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %kb = ncnn.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %vw = ncnn.constant dense<[[9.0, 10.0], [11.0, 12.0]]> : tensor<2x2xf32>
  %vb = ncnn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %ow = ncnn.constant dense<[[13.0, 14.0], [15.0, 16.0]]> : tensor<2x2xf32>
  %ob = ncnn.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %y = ncnn.multiheadattention %x q_weight %qw q_bias %qb k_weight %kw k_bias %kb v_weight %vw v_bias %vb out_weight %ow out_bias %ob {name = "a", embed_dim = 2, num_heads = 2, scale = -1.0} : (tensor<4096x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<4096x2xf32>
  func.return %y : tensor<4096x2xf32>
}

// The keys of all steps are an output, in a layout of their own.
func.func @cache(%x: tensor<4096x2xf32> {ncnn.promised}, %pk: tensor<2x?x1xf32>, %pv: tensor<2x?x1xf32>) -> tensor<4096x2xf32> {
  %qw = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %qb = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %kw = ncnn.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %kb = ncnn.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %vw = ncnn.constant dense<[[9.0, 10.0], [11.0, 12.0]]> : tensor<2x2xf32>
  %vb = ncnn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %ow = ncnn.constant dense<[[13.0, 14.0], [15.0, 16.0]]> : tensor<2x2xf32>
  %ob = ncnn.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %y, %ak, %av = ncnn.multiheadattention %x, %pk, %pv q_weight %qw q_bias %qb k_weight %kw k_bias %kb v_weight %vw v_bias %vb out_weight %ow out_bias %ob {name = "a", embed_dim = 2, num_heads = 2, kv_cache = 1} : (tensor<4096x2xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> (tensor<4096x2xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>)
  func.return %y : tensor<4096x2xf32>
}

// As many steps as pay on x86, but on arm there are no such.
func.func @slower_on_arm(%x: tensor<4096x2xf32> {ncnn.promised}) -> tensor<4096x2xf32> {
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
