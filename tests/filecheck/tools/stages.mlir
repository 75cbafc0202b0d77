// RUN: ncnn-opt -O %s | filecheck %s --match-full-lines
// RUN: ncnn-opt -O %s > %t.once && ncnn-opt -O %t.once | diff %t.once -
// RUN: ncnn-opt --canonicalize %s | filecheck %s --check-prefix=ALONE
// RUN: ncnn-opt -O --stop-after recognize %s | filecheck %s --check-prefix=RECOGNIZED

// What -O prints is what -p and xdsl-opt take.
// RUN: ncnn-opt -O --print-pipeline | filecheck %s --check-prefix=PIPELINE --match-full-lines
// RUN: ncnn-opt -p "limit-growth,eliminate-split,eliminate-batches,ncnn-recognize,canonicalize,pad-channels" %s | diff %t.once -
// RUN: xdsl-opt -p "limit-growth,eliminate-split,eliminate-batches,ncnn-recognize,canonicalize,pad-channels,convert-storage{storage=keep}" %s | filecheck %s --match-full-lines

// Options add their passes; a stage or a pass may be the last.
// RUN: ncnn-opt --fuse-conv-bn -O --fold-constants=8 --storage fp16 --print-pipeline | filecheck %s --check-prefix=MORE --match-full-lines
// RUN: ncnn-opt --fuse-conv-bn -O --storage fp16 --stop-after recognize --print-pipeline | filecheck %s --check-prefix=STAGE --match-full-lines
// RUN: ncnn-opt --fuse-conv-bn -O --storage fp16 --stop-after=canonicalize --print-pipeline | filecheck %s --check-prefix=PASS --match-full-lines
// RUN: not ncnn-opt -O --stop-after recognise %s 2>&1 | filecheck %s --check-prefix=UNKNOWN --match-full-lines

// PIPELINE: limit-growth,ncnn-for-release,eliminate-split,eliminate-batches,ncnn-recognize,canonicalize,pad-channels,ncnn-for-release{release=any},convert-storage{storage=keep}
// MORE: limit-growth{storage=fp16},fuse-conv-bn,ncnn-for-release,eliminate-split,eliminate-batches,ncnn-recognize,canonicalize,pad-channels,ncnn-for-release{release=any},fold-constants{limit=8},convert-storage{storage=fp16}
// STAGE: limit-growth{storage=fp16},fuse-conv-bn,ncnn-for-release,eliminate-split,eliminate-batches,ncnn-recognize
// PASS: limit-growth{storage=fp16},fuse-conv-bn,ncnn-for-release,eliminate-split,eliminate-batches,ncnn-recognize,canonicalize
// UNKNOWN: ncnn-opt: error: no stage or pass 'recognise' to stop after; did you mean 'recognize'?

// The addition and the Clip would be part of the convolution if all patterns ran at once.
// ALONE: activation_type = clip
// RECOGNIZED: ncnn.hardsigmoid
// RECOGNIZED: ncnn.relu

// CHECK:      func.func @main(%x: tensor<1x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>) {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<2x4x4xf32>
// CHECK-NEXT:   %y = ncnn.hardsigmoid %conv {name = "y", alpha = 0.16666667} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
// CHECK-NEXT:   %v = ncnn.constant dense<[[[[3.000000e+00]]], [[[4.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-NEXT:   %other = ncnn.convolution %x weight %v {name = "other", blobs = ["r"], num_output = 2, kernel_w = 1, activation_type = relu} : (tensor<1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<2x4x4xf32>
// CHECK-NEXT:   func.return %y, %other : tensor<2x4x4xf32>, tensor<2x4x4xf32>
// CHECK-NEXT: }
func.func @main(%x: tensor<1x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<2x4x4xf32>
  %a = ncnn.binaryop %conv {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %c = ncnn.clip %a {name = "c", min = 0.0, max = 6.0} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %y = ncnn.binaryop %c {name = "y", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %v = ncnn.constant dense<[[[[3.0]]], [[[4.0]]]]> : tensor<2x1x1x1xf32>
  %other = ncnn.convolution %x weight %v {name = "other", num_output = 2, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<2x4x4xf32>
  %n = ncnn.noop %other {name = "n"} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %r = ncnn.relu %n {name = "r"} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  func.return %y, %r : tensor<2x4x4xf32>, tensor<2x4x4xf32>
}
