// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --quantize-weights %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --quantize-weights %s > %t.once
// RUN: ncnn-opt --quantize-weights %t.once | diff %t.once -
// RUN: ncnn-opt --quantize-weights --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: quantize-weights: Gemm 'g' (weights of 8 bits)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (weights of 8 bits)
// REMARK-NEXT: remark: quantize-weights: RNN 'r' (weights of 8 bits)
// REMARK-NEXT: remark: quantize-weights: Embed 'e' (weights of 8 bits)
// REMARK-NEXT: remark: quantize-weights: MultiHeadAttention 'a' (weights of 8 bits)
// REMARK-NEXT: remark: quantize-weights: SDPA 's' (multiplies blobs in int8)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (multiplies blobs in int8)

// B has one scale, 127 / 2, for all of it. The runtime quantizes each row of A.
// CHECK-LABEL: func.func @gemm(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, -2.000000e+00], [5.000000e-01, 0.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %C = ncnn.constant dense<[[1.500000e+00, 2.500000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x B %B C %C {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %g : tensor<3x2xf32>
// AFTER-NEXT:    %C = ncnn.constant dense<[[1.500000e+00, 2.500000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[64, -127], [32, 0]]> : tensor<2x2xi8>
// AFTER-NEXT:    %B_int8_scale = ncnn.constant dense<[6.350000e+01]> : tensor<1xf32>
// AFTER-NEXT:    %g = ncnn.gemm %x B %B C %C B_int8_scale %B_int8_scale {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4, quantize_term = 2} : (tensor<3x2xf32>, tensor<2x2xi8>, tensor<1x2xf32>, tensor<1xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %g : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @gemm(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant dense<[[1.0, -2.0], [0.5, 0.0]]> : tensor<2x2xf32>
  %C = ncnn.constant dense<[[1.5, 2.5]]> : tensor<1x2xf32>
  %g = ncnn.gemm %x B %B C %C {name = "g", transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}

// A has a scale for each row of the product, which are its columns here.
// CHECK-LABEL: func.func @left(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %A = ncnn.constant dense<[[1.000000e+00, -2.000000e+00], [5.000000e-01, 4.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x A %A {name = "g", transA = 1, constantA = 1, constantM = 2, constantK = 2} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %g : tensor<2x3xf32>
// AFTER-NEXT:    %A = ncnn.constant dense<[[127, -64], [64, 127]]> : tensor<2x2xi8>
// AFTER-NEXT:    %A_int8_scales = ncnn.constant dense<[1.270000e+02, 3.175000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %g = ncnn.gemm %x A %A A_int8_scales %A_int8_scales {name = "g", transA = 1, constantA = 1, constantM = 2, constantK = 2, quantize_term = 2} : (tensor<2x3xf32>, tensor<2x2xi8>, tensor<2xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %g : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @left(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %A = ncnn.constant dense<[[1.0, -2.0], [0.5, 4.0]]> : tensor<2x2xf32>
  %g = ncnn.gemm %x A %A {name = "g", transA = 1, constantA = 1, constantM = 2, constantK = 2} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  func.return %g : tensor<2x3xf32>
}

// A row of zeros has the scale 1. Directions are outermost.
// CHECK-LABEL: func.func @rnn(%x: tensor<4x2xf32>) -> tensor<4x4xf32> {
// BEFORE-NEXT:   %xc = ncnn.constant dense<[[[1.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00]], [[4.000000e+00, 8.000000e+00], [2.500000e-01, 5.000000e-01]]]> : tensor<2x2x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<5.000000e-01> : tensor<2x1x2xf32>
// BEFORE-NEXT:   %hc = ncnn.constant dense<[[[1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00]], [[2.000000e+00, 0.000000e+00], [0.000000e+00, 2.000000e+00]]]> : tensor<2x2x2xf16>
// BEFORE-NEXT:   %r = ncnn.rnn %x weight_xc %xc bias_c %b weight_hc %hc {name = "r", num_output = 2, direction = bidirectional} : (tensor<4x2xf32>, tensor<2x2x2xf32>, tensor<2x1x2xf32>, tensor<2x2x2xf16>) -> tensor<4x4xf32>
// BEFORE-NEXT:   func.return %r : tensor<4x4xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<5.000000e-01> : tensor<2x1x2xf32>
// AFTER-NEXT:    %weight_xc = ncnn.constant dense<[[[64, -127], [0, 0]], [[64, 127], [64, 127]]]> : tensor<2x2x2xi8>
// AFTER-NEXT:    %weight_xc_int8_scales = ncnn.constant dense<[[6.350000e+01, 1.000000e+00], [1.587500e+01, 2.540000e+02]]> : tensor<2x2xf32>
// AFTER-NEXT:    %weight_hc = ncnn.constant dense<[[[127, 0], [0, 127]], [[127, 0], [0, 127]]]> : tensor<2x2x2xi8>
// AFTER-NEXT:    %weight_hc_int8_scales = ncnn.constant dense<[[1.270000e+02, 1.270000e+02], [6.350000e+01, 6.350000e+01]]> : tensor<2x2xf32>
// AFTER-NEXT:    %r = ncnn.rnn %x weight_xc %weight_xc bias_c %b weight_hc %weight_hc weight_xc_int8_scales %weight_xc_int8_scales weight_hc_int8_scales %weight_hc_int8_scales {name = "r", num_output = 2, direction = bidirectional, int8_scale_term = 2} : (tensor<4x2xf32>, tensor<2x2x2xi8>, tensor<2x1x2xf32>, tensor<2x2x2xi8>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x4xf32>
// AFTER-NEXT:    func.return %r : tensor<4x4xf32>
// CHECK-NEXT: }
func.func @rnn(%x: tensor<4x2xf32>) -> tensor<4x4xf32> {
  %xc = ncnn.constant dense<[[[1.0, -2.0], [0.0, 0.0]], [[4.0, 8.0], [0.25, 0.5]]]> : tensor<2x2x2xf32>
  %b = ncnn.constant dense<0.5> : tensor<2x1x2xf32>
  %hc = ncnn.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 2.0]]]> : tensor<2x2x2xf16>
  %r = ncnn.rnn %x weight_xc %xc bias_c %b weight_hc %hc {name = "r", num_output = 2, direction = bidirectional} : (tensor<4x2xf32>, tensor<2x2x2xf32>, tensor<2x1x2xf32>, tensor<2x2x2xf16>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// One scale for the whole table.
// CHECK-LABEL: func.func @embed(%x: tensor<3xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, -2.000000e+00], [1.270000e+02, 6.400000e+01]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %e = ncnn.embed %x weight %w {name = "e", num_output = 2, input_dim = 2} : (tensor<3xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %e : tensor<3x2xf32>
// AFTER-NEXT:    %weight = ncnn.constant dense<[[1, -2], [127, 64]]> : tensor<2x2xi8>
// AFTER-NEXT:    %weight_int8_scale = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %e = ncnn.embed %x weight %weight weight_int8_scale %weight_int8_scale {name = "e", num_output = 2, input_dim = 2, int8_scale_term = 2} : (tensor<3xf32>, tensor<2x2xi8>, tensor<1xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %e : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @embed(%x: tensor<3xf32>) -> tensor<3x2xf32> {
  %w = ncnn.constant dense<[[1.0, -2.0], [127.0, 64.0]]> : tensor<2x2xf32>
  %e = ncnn.embed %x weight %w {name = "e", num_output = 2, input_dim = 2} : (tensor<3xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %e : tensor<3x2xf32>
}

// A scale for each row of the weights of query, key and value, one for that of the output.
// CHECK-LABEL: func.func @attention(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, -2.000000e+00], [5.000000e-01, 0.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %a = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "a", embed_dim = 2} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %a : tensor<3x2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %q_weight = ncnn.constant dense<[[64, -127], [127, 0]]> : tensor<2x2xi8>
// AFTER-NEXT:    %q_weight_int8_scales = ncnn.constant dense<[6.350000e+01, 2.540000e+02]> : tensor<2xf32>
// AFTER-NEXT:    %k_weight = ncnn.constant dense<[[64, -127], [127, 0]]> : tensor<2x2xi8>
// AFTER-NEXT:    %k_weight_int8_scales = ncnn.constant dense<[6.350000e+01, 2.540000e+02]> : tensor<2xf32>
// AFTER-NEXT:    %v_weight = ncnn.constant dense<[[64, -127], [127, 0]]> : tensor<2x2xi8>
// AFTER-NEXT:    %v_weight_int8_scales = ncnn.constant dense<[6.350000e+01, 2.540000e+02]> : tensor<2xf32>
// AFTER-NEXT:    %out_weight = ncnn.constant dense<[[64, -127], [32, 0]]> : tensor<2x2xi8>
// AFTER-NEXT:    %out_weight_int8_scale = ncnn.constant dense<[6.350000e+01]> : tensor<1xf32>
// AFTER-NEXT:    %a = ncnn.multiheadattention %x q_weight %q_weight q_bias %b k_weight %k_weight k_bias %b v_weight %v_weight v_bias %b out_weight %out_weight out_bias %b q_weight_int8_scales %q_weight_int8_scales k_weight_int8_scales %k_weight_int8_scales v_weight_int8_scales %v_weight_int8_scales out_weight_int8_scale %out_weight_int8_scale {name = "a", embed_dim = 2, quantize_term = 2} : (tensor<3x2xf32>, tensor<2x2xi8>, tensor<2xf32>, tensor<2x2xi8>, tensor<2xf32>, tensor<2x2xi8>, tensor<2xf32>, tensor<2x2xi8>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %a : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @attention(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = ncnn.constant dense<[[1.0, -2.0], [0.5, 0.0]]> : tensor<2x2xf32>
  %b = ncnn.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %a = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "a", embed_dim = 2} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  func.return %a : tensor<3x2xf32>
}

// These have no weights: the runtime is told to quantize what they multiply.
// CHECK-LABEL: func.func @products(%q: tensor<2x3x4xf32>, %x: tensor<3x2xf32>) -> (tensor<2x3x4xf32>, tensor<3x3xf32>) {
// BEFORE-NEXT:   %s = ncnn.sdpa %q, %q, %q {name = "s"} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x, %x {name = "g", transB = 1} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
// BEFORE-NEXT:   func.return %s, %g : tensor<2x3x4xf32>, tensor<3x3xf32>
// AFTER-NEXT:    %s = ncnn.sdpa %q, %q, %q {name = "s", int8_scale_term = 2} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %g = ncnn.gemm %x, %x {name = "g", transB = 1, quantize_term = 2} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
// AFTER-NEXT:    func.return %s, %g : tensor<2x3x4xf32>, tensor<3x3xf32>
// CHECK-NEXT: }
func.func @products(%q: tensor<2x3x4xf32>, %x: tensor<3x2xf32>) -> (tensor<2x3x4xf32>, tensor<3x3xf32>) {
  %s = ncnn.sdpa %q, %q, %q {name = "s"} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %g = ncnn.gemm %x, %x {name = "g", transB = 1} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  func.return %s, %g : tensor<2x3x4xf32>, tensor<3x3xf32>
}
