// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --quantize-weights %s | diff %t.before -
// RUN: ncnn-opt --quantize-weights --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Nothing here may change.

// REMARK: remark: quantize-weights: Gemm 'g' (stays as it is: it is quantized already)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (stays float: 1 value is infinite or NaN)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (stays float: the largest of values that share a scale is below what float32 can scale)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (stays float: the values of weight 'B' were left out)
// REMARK-NEXT: remark: quantize-weights: Embed 'e' (stays float: weight 'weight' is a blob)
// REMARK-NOT: remark

// It is int8 already.
func.func @done(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant dense<[[64, -127], [32, 0]]> : tensor<2x2xi8>
  %s = ncnn.constant dense<63.5> : tensor<1xf32>
  %g = ncnn.gemm %x B %B B_int8_scale %s {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2, quantize_term = 2} : (tensor<3x2xf32>, tensor<2x2xi8>, tensor<1xf32>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}
// An infinity would take all steps.
func.func @infinite(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant dense<"0x0000803F0000807F0000003F00000000"> : tensor<2x2xf32>
  %g = ncnn.gemm %x B %B {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}
// 127 / 1e-38 is infinite.
func.func @tiny(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant dense<[[1.0e-38, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %g = ncnn.gemm %x B %B {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}
// Nobody knows the values.
func.func @elided(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant #ncnn.elided : tensor<2x2xf32>
  %g = ncnn.gemm %x B %B {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}
// A weight that a layer computes.
func.func @blob(%x: tensor<3xf32>, %w: tensor<2x2xf32>) -> tensor<3x2xf32> {
  %e = ncnn.embed %x weight %w {name = "e", num_output = 2, input_dim = 2} : (tensor<3xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %e : tensor<3x2xf32>
}
// These need scales of their inputs.
func.func @static(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 1} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}
