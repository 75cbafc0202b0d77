// Integers that a release does not have are not made: the layers stay float.
// RUN: ncnn-opt --for-ncnn 20240820 --quantize-weights --remarks %s 2>&1 | filecheck %s --check-prefix=OLD
// RUN: ncnn-opt --for-ncnn 20241226 --quantize-weights --remarks %s 2>&1 | filecheck %s --check-prefix=NEW
// RUN: ncnn-opt --for-ncnn 20260526 --quantize-weights='bits=4 block=32' --remarks %s 2>&1 | filecheck %s --check-prefix=OLD-BLOCKS
// RUN: ncnn-opt --for-ncnn latest --quantize-weights='bits=4 block=32' --remarks %s 2>&1 | filecheck %s --check-prefix=NEW-BLOCKS

// The command says which release the result requires.
// RUN: ncnn-opt %s -o %t.param
// RUN: ncnn-quantize %t.param --weights-only --block row --for-ncnn 20240820 -o %t.8.param 2>&1 | filecheck %s --check-prefix=COMMAND --match-full-lines
// RUN: ncnn-quantize %t.param --weights-only --block row -o %t.8.param 2>&1 | filecheck %s --check-prefix=RAISED --match-full-lines
// RUN: not ncnn-quantize %t.param --weights-only --for-ncnn 20260526 -o %t.4.param 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: not ncnn-quantize %t.param --weights-only --for-ncnn 7 -o %t.4.param 2>&1 | filecheck %s --check-prefix=UNKNOWN

// OLD-DAG: remark: quantize-weights: Gemm 'gemm' (stays float: such integers require ncnn 20241226)
// OLD-DAG: remark: quantize-weights: LSTM 'lstm' (weights of 8 bits)
// NEW-DAG: remark: quantize-weights: Gemm 'gemm' (weights of 8 bits)
// NEW-DAG: remark: quantize-weights: LSTM 'lstm' (weights of 8 bits)
// OLD-BLOCKS: remark: quantize-weights: Gemm 'gemm' (stays float: such integers require ncnn 20261020)
// NEW-BLOCKS: remark: quantize-weights: Gemm 'gemm' (weights of 4 bits in blocks of 32)
// COMMAND:      remark: quantize-weights: Gemm 'gemm' (stays float: such integers require ncnn 20241226)
// COMMAND-NEXT: ncnn-quantize: 1 of 2 layers quantized, {{.*}} bytes of weights ({{.*}} %)
// COMMAND-NEXT: ncnn-quantize: requires ncnn 20240820 now: LSTM 'lstm', parameter 8
// RAISED:       ncnn-quantize: 2 of 2 layers quantized, {{.*}} bytes of weights ({{.*}} %)
// RAISED-NEXT:  ncnn-quantize: requires ncnn 20241226 now: Gemm 'gemm', parameter 18
// NOTHING: nothing was quantized: Gemm 'gemm' stays float: such integers require ncnn 20261020
// UNKNOWN: ncnn-quantize: error: unknown ncnn release '7'; known are 20240102

func.func @main(%x: tensor<2x2xf32>) -> tensor<2x1xf32> {
  %b = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %g = ncnn.gemm %x B %b {name = "gemm", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %w = ncnn.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]]> : tensor<1x4x2xf32>
  %c = ncnn.constant dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>
  %d = ncnn.constant dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>
  %l = ncnn.lstm %g weight_xc %w bias_c %c weight_hc %d {name = "lstm", num_output = 1} : (tensor<2x2xf32>, tensor<1x4x2xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>) -> tensor<2x1xf32>
  func.return %l : tensor<2x1xf32>
}
