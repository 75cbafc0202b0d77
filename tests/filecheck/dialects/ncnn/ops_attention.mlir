// RUN: ROUNDTRIP
// RUN: GENERIC

// Query, key and value of multi-head attention: 8 features in 2 heads.
// CHECK:      %q, %k, %v, %mask = "test.op"() : () -> (tensor<5x8xf32>, tensor<7x6xf32>, tensor<7x4xf32>, tensor<5x7xf32>)
%q, %k, %v, %mask = "test.op"() : () -> (tensor<5x8xf32>, tensor<7x6xf32>, tensor<7x4xf32>, tensor<5x7xf32>)
// CHECK-NEXT: %past_k, %past_v = "test.op"() : () -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
%past_k, %past_v = "test.op"() : () -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
// CHECK-NEXT: %w88 = ncnn.constant #ncnn.elided : tensor<8x8xf32>
%w88 = ncnn.constant #ncnn.elided : tensor<8x8xf32>
// CHECK-NEXT: %w86 = ncnn.constant #ncnn.elided : tensor<8x6xf32>
%w86 = ncnn.constant #ncnn.elided : tensor<8x6xf32>
// CHECK-NEXT: %w84 = ncnn.constant #ncnn.elided : tensor<8x4xf32>
%w84 = ncnn.constant #ncnn.elided : tensor<8x4xf32>
// CHECK-NEXT: %b = ncnn.constant #ncnn.elided : tensor<8xf32>
%b = ncnn.constant #ncnn.elided : tensor<8xf32>

// Self-attention; with a key and a value of their own, a mask, and a scale that is not 1/sqrt(4).
// CHECK-NEXT: %self = ncnn.multiheadattention %q q_weight %w88 q_bias %b k_weight %w88 k_bias %b v_weight %w88 v_bias %b out_weight %w88 out_bias %b {name = "self", embed_dim = 8, num_heads = 2} : (tensor<5x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
%self = ncnn.multiheadattention %q q_weight %w88 q_bias %b k_weight %w88 k_bias %b v_weight %w88 v_bias %b out_weight %w88 out_bias %b {name = "self", embed_dim = 8, num_heads = 2} : (tensor<5x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
// CHECK-NEXT: %cross = ncnn.multiheadattention %q, %k, %v, %mask q_weight %w88 q_bias %b k_weight %w86 k_bias %b v_weight %w84 v_bias %b out_weight %w88 out_bias %b {name = "cross", embed_dim = 8, num_heads = 2, kdim = 6, vdim = 4, attn_mask = 1, scale = 0.25} : (tensor<5x8xf32>, tensor<7x6xf32>, tensor<7x4xf32>, tensor<5x7xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
%cross = ncnn.multiheadattention %q, %k, %v, %mask q_weight %w88 q_bias %b k_weight %w86 k_bias %b v_weight %w84 v_bias %b out_weight %w88 out_bias %b {name = "cross", embed_dim = 8, num_heads = 2, kdim = 6, vdim = 4, attn_mask = 1, scale = 0.25} : (tensor<5x8xf32>, tensor<7x6xf32>, tensor<7x4xf32>, tensor<5x7xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>

// With a cache, all keys and values come out as well.
// CHECK-NEXT: %cached, %keys, %values = ncnn.multiheadattention %q, %past_k, %past_v q_weight %w88 q_bias %b k_weight %w88 k_bias %b v_weight %w88 v_bias %b out_weight %w88 out_bias %b {name = "cached", blobs = ["y", "keys", "values"], embed_dim = 8, num_heads = 2, kv_cache = 1} : (tensor<5x8xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> (tensor<5x8xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>)
%cached, %keys, %values = ncnn.multiheadattention %q, %past_k, %past_v q_weight %w88 q_bias %b k_weight %w88 k_bias %b v_weight %w88 v_bias %b out_weight %w88 out_bias %b {name = "cached", blobs = ["y", "keys", "values"], embed_dim = 8, num_heads = 2, kv_cache = 1} : (tensor<5x8xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> (tensor<5x8xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>)

// int8 weights with a scale for each row.
// CHECK-NEXT: %i88 = ncnn.constant #ncnn.elided : tensor<8x8xi8>
%i88 = ncnn.constant #ncnn.elided : tensor<8x8xi8>
// CHECK-NEXT: %one = ncnn.constant dense<[6.400000e+01]> : tensor<1xf32>
%one = ncnn.constant dense<64.0> : tensor<1xf32>
// CHECK-NEXT: %int8 = ncnn.multiheadattention %q q_weight %i88 q_bias %b k_weight %i88 k_bias %b v_weight %i88 v_bias %b out_weight %i88 out_bias %b q_weight_int8_scales %b k_weight_int8_scales %b v_weight_int8_scales %b out_weight_int8_scale %one {name = "int8", embed_dim = 8, num_heads = 2, quantize_term = 2} : (tensor<5x8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1xf32>) -> tensor<5x8xf32>
%int8 = ncnn.multiheadattention %q q_weight %i88 q_bias %b k_weight %i88 k_bias %b v_weight %i88 v_bias %b out_weight %i88 out_bias %b q_weight_int8_scales %b k_weight_int8_scales %b v_weight_int8_scales %b out_weight_int8_scale %one {name = "int8", embed_dim = 8, num_heads = 2, quantize_term = 2} : (tensor<5x8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1xf32>) -> tensor<5x8xf32>

// 4-bit weights in blocks of 32: a row of 8 takes 4 bytes and one scale; inputs are scaled, too.
// CHECK-NEXT: %packed = ncnn.constant #ncnn.elided : tensor<8x4xi8>
%packed = ncnn.constant #ncnn.elided : tensor<8x4xi8>
// CHECK-NEXT: %block = ncnn.constant #ncnn.elided : tensor<8x1xf32>
%block = ncnn.constant #ncnn.elided : tensor<8x1xf32>
// CHECK-NEXT: %int4 = ncnn.multiheadattention %q q_weight %packed q_bias %b k_weight %packed k_bias %b v_weight %packed v_bias %b out_weight %packed out_bias %b q_weight_quantize_scales %block k_weight_quantize_scales %block v_weight_quantize_scales %block out_weight_quantize_scales %block q_weight_input_scales %b k_weight_input_scales %b v_weight_input_scales %b out_weight_input_scales %b {name = "int4", embed_dim = 8, num_heads = 2, quantize_term = 410} : (tensor<5x8xf32>, tensor<8x4xi8>, tensor<8xf32>, tensor<8x4xi8>, tensor<8xf32>, tensor<8x4xi8>, tensor<8xf32>, tensor<8x4xi8>, tensor<8xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
%int4 = ncnn.multiheadattention %q q_weight %packed q_bias %b k_weight %packed k_bias %b v_weight %packed v_bias %b out_weight %packed out_bias %b q_weight_quantize_scales %block k_weight_quantize_scales %block v_weight_quantize_scales %block out_weight_quantize_scales %block q_weight_input_scales %b k_weight_input_scales %b v_weight_input_scales %b out_weight_input_scales %b {name = "int4", embed_dim = 8, num_heads = 2, quantize_term = 410} : (tensor<5x8xf32>, tensor<8x4xi8>, tensor<8xf32>, tensor<8x4xi8>, tensor<8xf32>, tensor<8x4xi8>, tensor<8xf32>, tensor<8x4xi8>, tensor<8xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<5x8xf32>

// The default of the scale depends on other parameters: 1/sqrt(8/2) is 0.5.
// CHECK-NEXT: %scale_default = ncnn.multiheadattention %q q_weight %w88 q_bias %b k_weight %w88 k_bias %b v_weight %w88 v_bias %b out_weight %w88 out_bias %b {name = "scale_default", embed_dim = 8, num_heads = 2} : (tensor<5x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
%scale_default = ncnn.multiheadattention %q q_weight %w88 q_bias %b k_weight %w88 k_bias %b v_weight %w88 v_bias %b out_weight %w88 out_bias %b {name = "scale_default", embed_dim = 8, num_heads = 2, kdim = 8, scale = 0.5} : (tensor<5x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>

// Heads that are split already: grouped queries, 4 heads of queries for 2 of keys and values.
// CHECK-NEXT: %query, %key, %value, %heads_mask, %past = "test.op"() : () -> (tensor<4x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x6xf32>, tensor<4x5x7xf32>, tensor<2x3x8xf32>)
%query, %key, %value, %heads_mask, %past = "test.op"() : () -> (tensor<4x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x6xf32>, tensor<4x5x7xf32>, tensor<2x3x8xf32>)
// CHECK-NEXT: %sdpa = ncnn.sdpa %query, %key, %value {name = "sdpa", int8_scale_term = 1} : (tensor<4x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x6xf32>) -> tensor<4x5x6xf32>
%sdpa = ncnn.sdpa %query, %key, %value {name = "sdpa", int8_scale_term = 1} : (tensor<4x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x6xf32>) -> tensor<4x5x6xf32>
// CHECK-NEXT: %masked, %all_keys, %all_values = ncnn.sdpa %query, %key, %value, %heads_mask, %past, %past {name = "masked", attn_mask = 1, scale = 0.125, kv_cache = 1} : (tensor<4x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x6xf32>, tensor<4x5x7xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> (tensor<4x5x6xf32>, tensor<2x10x8xf32>, tensor<2x10x6xf32>)
%masked, %all_keys, %all_values = ncnn.sdpa %query, %key, %value, %heads_mask, %past, %past {name = "masked", attn_mask = 1, scale = 0.125, kv_cache = 1} : (tensor<4x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x6xf32>, tensor<4x5x7xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> (tensor<4x5x6xf32>, tensor<2x10x8xf32>, tensor<2x10x6xf32>)

// CHECK-NEXT: %cos, %sin = "test.op"() : () -> (tensor<5x4xf32>, tensor<5x4xf32>)
%cos, %sin = "test.op"() : () -> (tensor<5x4xf32>, tensor<5x4xf32>)
// CHECK-NEXT: %rotated = ncnn.rotaryembed %query, %cos, %sin {name = "rope"} : (tensor<4x5x8xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<4x5x8xf32>
%rotated = ncnn.rotaryembed %query, %cos, %sin {name = "rope"} : (tensor<4x5x8xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<4x5x8xf32>
// CHECK-NEXT: %interleaved = ncnn.rotaryembed %query, %cos, %sin {name = "rope_neighbours", interleaved = neighbours} : (tensor<4x5x8xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<4x5x8xf32>
%interleaved = ncnn.rotaryembed %query, %cos, %sin {name = "rope_neighbours", interleaved = neighbours} : (tensor<4x5x8xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<4x5x8xf32>
