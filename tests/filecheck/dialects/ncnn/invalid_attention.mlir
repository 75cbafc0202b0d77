// RUN: INVALID

%x = "test.op"() : () -> tensor<5x8xf32>
%w, %b = "test.op"() : () -> (tensor<8x8xf32>, tensor<8xf32>)
// CHECK: MultiHeadAttention 'mha': num_heads 3 does not divide embed_dim 8
%y = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "mha", embed_dim = 8, num_heads = 3} : (tensor<5x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>

// -----

// The key has 6 features, its weight is for 8.
%x, %k = "test.op"() : () -> (tensor<5x8xf32>, tensor<7x6xf32>)
%w, %b = "test.op"() : () -> (tensor<8x8xf32>, tensor<8xf32>)
// CHECK: MultiHeadAttention 'mha': weight 'k_weight' has shape 8x8, but the parameters need 8x6
%y = ncnn.multiheadattention %x, %k q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "mha", embed_dim = 8, kdim = 6} : (tensor<5x8xf32>, tensor<7x6xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>

// -----

// int8 weights without their scales; a term that the runtime does not know.
%x = "test.op"() : () -> tensor<5x8xf32>
%w, %b = "test.op"() : () -> (tensor<8x8xi8>, tensor<8xf32>)
// CHECK: MultiHeadAttention 'mha': weight 'q_weight_int8_scales' is missing
%y = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "mha", embed_dim = 8, quantize_term = 2} : (tensor<5x8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>) -> tensor<5x8xf32>

// -----

%x = "test.op"() : () -> tensor<5x8xf32>
%w, %b, %s = "test.op"() : () -> (tensor<8x8xi8>, tensor<8xf32>, tensor<1xf32>)
// CHECK: MultiHeadAttention 'mha': quantize_term 500 is not supported
%y = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b q_weight_int8_scales %b k_weight_int8_scales %b v_weight_int8_scales %b out_weight_int8_scale %s {name = "mha", embed_dim = 8, quantize_term = 500} : (tensor<5x8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8x8xi8>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1xf32>) -> tensor<5x8xf32>

// -----

// Weights come in the order of the file.
%x = "test.op"() : () -> tensor<5x8xf32>
%w, %b = "test.op"() : () -> (tensor<8x8xf32>, tensor<8xf32>)
// CHECK: invalid_attention.mlir:[[# @LINE + 2]]:43
// CHECK: Expected ':'
%y = ncnn.multiheadattention %x q_bias %b q_weight %w k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "mha", embed_dim = 8} : (tensor<5x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>

// -----

// A mask and a cache need inputs, a cache gives outputs.
%q = "test.op"() : () -> tensor<4x5x8xf32>
// CHECK: SDPA 'sdpa': 3 inputs, attn_mask and kv_cache need 4
%y = ncnn.sdpa %q, %q, %q {name = "sdpa", attn_mask = 1} : (tensor<4x5x8xf32>, tensor<4x5x8xf32>, tensor<4x5x8xf32>) -> tensor<4x5x8xf32>

// -----

%q = "test.op"() : () -> tensor<4x5x8xf32>
// CHECK: SDPA 'sdpa': 1 outputs, with kv_cache there are 3
%y = ncnn.sdpa %q, %q, %q, %q, %q {name = "sdpa", kv_cache = 1} : (tensor<4x5x8xf32>, tensor<4x5x8xf32>, tensor<4x5x8xf32>, tensor<4x5x8xf32>, tensor<4x5x8xf32>) -> tensor<4x5x8xf32>

// -----

%q = "test.op"() : () -> tensor<4x5x8xf32>
// CHECK: RotaryEmbed 'rope': 1 inputs, but the layer has 3
%y = ncnn.rotaryembed %q {name = "rope"} : (tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
