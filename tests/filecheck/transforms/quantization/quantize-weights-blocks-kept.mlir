// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --quantize-weights="bits=4 block=32" %s | diff %t.before -
// RUN: ncnn-opt --quantize-weights="bits=4 block=32" --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Nothing here may change.

// REMARK: remark: quantize-weights: Gemm 'g' (stays as it is: it is quantized already)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (stays float: none of its constants can be in blocks)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (stays float: block quantization in 4 bits does not support this output)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (stays float: block quantization needs a blob A and a constant, transposed B)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (stays float: 1 value is infinite or NaN)
// REMARK-NOT: remark

// It has blocks already.
func.func @done(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant dense<[[6], [1]]> : tensor<2x1xi8>
  %s = ncnn.constant dense<[[7.0], [1.0]]> : tensor<2x1xf32>
  %g = ncnn.gemm %x B %B B_quantize_scales %s {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2, quantize_term = 400} : (tensor<3x2xf32>, tensor<2x1xi8>, tensor<2x1xf32>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}
// Only B can have blocks.
func.func @left(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %A = ncnn.constant dense<[[1.0, -2.0], [0.5, 4.0]]> : tensor<2x2xf32>
  %g = ncnn.gemm %x A %A {name = "g", constantA = 1, constantM = 2, constantK = 2} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  func.return %g : tensor<2x3xf32>
}
// The runtime refuses such a layer.
func.func @output_transpose(%x: tensor<3x2xf32>) -> tensor<2x3xf32> {
  %B = ncnn.constant dense<[[7.0, 0.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %g = ncnn.gemm %x B %B {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2, output_transpose = 1} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  func.return %g : tensor<2x3xf32>
}
// The same.
func.func @transposed_a(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant dense<[[7.0, 0.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %g = ncnn.gemm %x B %B {name = "g", transA = 1, transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}
// A NaN has no step.
func.func @nan(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %B = ncnn.constant dense<"0x0000803F0000C07F0000003F00000000"> : tensor<2x2xf32>
  %g = ncnn.gemm %x B %B {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %g : tensor<3x2xf32>
}
// These have no blocks, and these no weights.
func.func @others(%x: tensor<3xf32>, %q: tensor<2x3x4xf32>) -> (tensor<3x2xf32>, tensor<2x3x4xf32>) {
  %w = ncnn.constant dense<[[1.0, -2.0], [127.0, 64.0]]> : tensor<2x2xf32>
  %e = ncnn.embed %x weight %w {name = "e", num_output = 2, input_dim = 2} : (tensor<3xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %s = ncnn.sdpa %q, %q, %q {name = "s"} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %e, %s : tensor<3x2xf32>, tensor<2x3x4xf32>
}
