// RUN: ncnn-opt --legalize-pnnx-mask %s | filecheck %s
// RUN: ncnn-opt --legalize-pnnx-mask --legalize-pnnx-mask %s | filecheck %s

// Four sequences and two heads: eight matrices, two for each sequence.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<8x4xf32>, %m: tensor<8x2x2xf32>) -> tensor<*xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<4xf32>
  %q = ncnn.reshape %x {name = "q", w = 4, h = 2, c = 4, output_batch_axis = 0} : (tensor<8x4xf32>) -> tensor<*xf32>
  %n = ncnn.relu %q {name = "n"} : (tensor<*xf32>) -> tensor<*xf32>
  // CHECK:      %0 = ncnn.reshape %m {w = 2, h = 2, c = 4, d = 2, output_batch_axis = 0} : (tensor<8x2x2xf32>) -> tensor<*xf32>
  // CHECK-NEXT: %y = ncnn.multiheadattention %n, %0 q_weight
  %y = ncnn.multiheadattention %n, %m q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "y", embed_dim = 4, num_heads = 2, attn_mask = 1} : (tensor<*xf32>, tensor<8x2x2xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
