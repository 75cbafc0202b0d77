// RUN: ncnn-opt --legalize-pnnx-mask --split-input-file %s | filecheck %s
// CHECK-NOT: d = 2

// No batch.
func.func @main(%x: tensor<2x4xf32>, %m: tensor<8x2x2xf32>) -> tensor<2x4xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<4xf32>
  %y = ncnn.multiheadattention %x, %m q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "y", embed_dim = 4, num_heads = 2, attn_mask = 1} : (tensor<2x4xf32>, tensor<8x2x2xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// -----

// A matrix for each head, for all sequences.
func.func @main(%x: tensor<8x4xf32>, %m: tensor<2x2x2xf32>) -> tensor<*xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<4xf32>
  %q = ncnn.reshape %x {name = "q", w = 4, h = 2, c = 4, output_batch_axis = 0} : (tensor<8x4xf32>) -> tensor<*xf32>
  %y = ncnn.multiheadattention %q, %m q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "y", embed_dim = 4, num_heads = 2, attn_mask = 1} : (tensor<*xf32>, tensor<2x2x2xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
