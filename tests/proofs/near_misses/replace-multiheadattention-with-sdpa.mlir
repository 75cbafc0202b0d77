// Needs `not (isfinite(op.scale) and op.scale > 0)` or `not is_faster_attention(op, SDPAOp.LAYER_TYPE, features, steps)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @ReplaceMultiHeadAttention_1(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %b = ncnn.constant #ncnn.elided : tensor<2xf32>
    %v = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %c = ncnn.constant #ncnn.elided : tensor<2xf32>
    %u = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %d = ncnn.constant #ncnn.elided : tensor<2xf32>
    %t = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %e = ncnn.constant #ncnn.elided : tensor<2xf32>
    %y = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %v k_bias %c v_weight %u v_bias %d out_weight %t out_bias %e {name = "y", embed_dim = 2, num_heads = 2, scale = 0.0} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
    func.return %y : tensor<3x2xf32>
  }
}

// -----

// Needs `not is_faster_attention(op, SDPAOp.LAYER_TYPE, features, steps)` or `not (isfinite(op.scale) and op.scale > 0)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @ReplaceMultiHeadAttention_2(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %b = ncnn.constant #ncnn.elided : tensor<2xf32>
    %v = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %c = ncnn.constant #ncnn.elided : tensor<2xf32>
    %u = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %d = ncnn.constant #ncnn.elided : tensor<2xf32>
    %t = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %e = ncnn.constant #ncnn.elided : tensor<2xf32>
    %y = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %v k_bias %c v_weight %u v_bias %d out_weight %t out_bias %e {name = "y", embed_dim = 2, num_heads = 2, scale = 0.0} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
    func.return %y : tensor<3x2xf32>
  }
}

// -----

// Needs `not 1 <= len(sequences) <= 3` or `not is_faster_attention(op, SDPAOp.LAYER_TYPE, features, steps)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @ReplaceMultiHeadAttention_3(%in: tensor<6xf32>, %k: tensor<3x2xf32>, %l: tensor<3x2xf32>, %m: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %b = ncnn.constant #ncnn.elided : tensor<2xf32>
    %v = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %c = ncnn.constant #ncnn.elided : tensor<2xf32>
    %u = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %d = ncnn.constant #ncnn.elided : tensor<2xf32>
    %t = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %e = ncnn.constant #ncnn.elided : tensor<2xf32>
    %y = ncnn.multiheadattention %x, %k, %k, %m q_weight %w q_bias %b k_weight %v k_bias %c v_weight %u v_bias %d out_weight %t out_bias %e {name = "y", embed_dim = 2, num_heads = 2} : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
    func.return %y : tensor<3x2xf32>
  }
}
