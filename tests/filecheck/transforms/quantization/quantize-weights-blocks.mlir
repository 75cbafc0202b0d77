// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --quantize-weights="bits=4 block=32" %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --quantize-weights="bits=4 block=32" %s > %t.once
// RUN: ncnn-opt --quantize-weights="bits=4 block=32" %t.once | diff %t.once -
// RUN: ncnn-opt --quantize-weights="bits=4 block=32" --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: quantize-weights: Gemm 'g' (weights of 4 bits in blocks of 32)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (weights of 4 bits in blocks of 32)
// REMARK-NEXT: remark: quantize-weights: MultiHeadAttention 'a' (weights of 4 bits in blocks of 32)

// The lowest bits are the first element: 0x69 is -7 and 6. A scale is 7 / the largest value.
// CHECK-LABEL: func.func @gemm(%x: tensor<3x3xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[-7.000000e+00, 6.000000e+00, 2.000000e-01], [5.000000e-01, -2.500000e-01, 0.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x B %B {name = "g", alpha = 0.5, transB = 1, constantB = 1, constantN = 2, constantK = 3} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %g : tensor<3x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[105, 0], [-57, 0]]> : tensor<2x2xi8>
// AFTER-NEXT:    %B_quantize_scales = ncnn.constant dense<[[1.000000e+00], [1.400000e+01]]> : tensor<2x1xf32>
// AFTER-NEXT:    %g = ncnn.gemm %x B %B B_quantize_scales %B_quantize_scales {name = "g", alpha = 0.5, transB = 1, constantB = 1, constantN = 2, constantK = 3, quantize_term = 400} : (tensor<3x3xf32>, tensor<2x2xi8>, tensor<2x1xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %g : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @gemm(%x: tensor<3x3xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant dense<[[-7.0, 6.0, 0.2], [0.5, -0.25, 0.0]]> : tensor<2x3xf32>
  %g = ncnn.gemm %x B %B {name = "g", alpha = 0.5, transB = 1, constantB = 1, constantN = 2, constantK = 3} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}

// B is turned: rows are what blocks are in. A row of zeros has the scale 1.
// CHECK-LABEL: func.func @turned(%x: tensor<3x2xf32>, %c: tensor<1x2xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[7.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00]]> : tensor<2x2xf16>
// BEFORE-NEXT:   %g = ncnn.gemm %x, %c B %B {name = "g", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<2x2xf16>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %g : tensor<3x2xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[23], [0]]> : tensor<2x1xi8>
// AFTER-NEXT:    %B_quantize_scales = ncnn.constant dense<1.000000e+00> : tensor<2x1xf32>
// AFTER-NEXT:    %g = ncnn.gemm %x, %c B %B B_quantize_scales %B_quantize_scales {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2, quantize_term = 400} : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<2x1xi8>, tensor<2x1xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %g : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @turned(%x: tensor<3x2xf32>, %c: tensor<1x2xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant dense<[[7.0, 0.0], [1.0, 0.0]]> : tensor<2x2xf16>
  %g = ncnn.gemm %x, %c B %B {name = "g", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<2x2xf16>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}

// All four weights, the output's too.
// CHECK-LABEL: func.func @attention(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, -7.000000e+00], [3.500000e+00, 0.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %a = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "a", embed_dim = 2} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %a : tensor<3x2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %q_weight = ncnn.constant dense<[[-111], [7]]> : tensor<2x1xi8>
// AFTER-NEXT:    %q_weight_quantize_scales = ncnn.constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// AFTER-NEXT:    %k_weight = ncnn.constant dense<[[-111], [7]]> : tensor<2x1xi8>
// AFTER-NEXT:    %k_weight_quantize_scales = ncnn.constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// AFTER-NEXT:    %v_weight = ncnn.constant dense<[[-111], [7]]> : tensor<2x1xi8>
// AFTER-NEXT:    %v_weight_quantize_scales = ncnn.constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// AFTER-NEXT:    %out_weight = ncnn.constant dense<[[-111], [7]]> : tensor<2x1xi8>
// AFTER-NEXT:    %out_weight_quantize_scales = ncnn.constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// AFTER-NEXT:    %a = ncnn.multiheadattention %x q_weight %q_weight q_bias %b k_weight %k_weight k_bias %b v_weight %v_weight v_bias %b out_weight %out_weight out_bias %b q_weight_quantize_scales %q_weight_quantize_scales k_weight_quantize_scales %k_weight_quantize_scales v_weight_quantize_scales %v_weight_quantize_scales out_weight_quantize_scales %out_weight_quantize_scales {name = "a", embed_dim = 2, quantize_term = 400} : (tensor<3x2xf32>, tensor<2x1xi8>, tensor<2xf32>, tensor<2x1xi8>, tensor<2xf32>, tensor<2x1xi8>, tensor<2xf32>, tensor<2x1xi8>, tensor<2xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %a : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @attention(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = ncnn.constant dense<[[1.0, -7.0], [3.5, 0.0]]> : tensor<2x2xf32>
  %b = ncnn.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %a = ncnn.multiheadattention %x q_weight %w q_bias %b k_weight %w k_bias %b v_weight %w v_bias %b out_weight %w out_bias %b {name = "a", embed_dim = 2} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  func.return %a : tensor<3x2xf32>
}
