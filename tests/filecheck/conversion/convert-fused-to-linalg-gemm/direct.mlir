// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// Long rows and few input channels: no columns are laid out.
// CHECK-LABEL: func.func @direct(%x: tensor<3x58x113xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<32x28x56xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] : (tensor<3x58x113xf32>, tensor<32x3x3x3xf32>) -> tensor<32x28x56xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<58x113x3xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<3x58x113xf32>) outs(%0:tensor<58x113x3xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.extract_slice %1[0, 0, 0] [57, 113, 3] [1, 1, 1] : tensor<58x113x3xf32> to tensor<57x113x3xf32>
// AFTER-NEXT:    %3 = tensor.empty() : tensor<3x3x3x32xf32>
// AFTER-NEXT:    %4 = linalg.transpose ins(%w:tensor<32x3x3x3xf32>) outs(%3:tensor<3x3x3x32xf32>) permutation = [2, 3, 1, 0]
// AFTER-NEXT:    %5 = tensor.expand_shape %2 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 57, 113, 3] : tensor<57x113x3xf32> into tensor<1x57x113x3xf32>
// AFTER-NEXT:    %6 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %7 = tensor.empty() : tensor<1x28x56x32xf32>
// AFTER-NEXT:    %8 = linalg.fill ins(%6 : f32) outs(%7 : tensor<1x28x56x32xf32>) -> tensor<1x28x56x32xf32>
// AFTER-NEXT:    %9 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%5, %4 : tensor<1x57x113x3xf32>, tensor<3x3x3x32xf32>) outs(%8 : tensor<1x28x56x32xf32>) -> tensor<1x28x56x32xf32>
// AFTER-NEXT:    %10 = tensor.collapse_shape %9 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x28x56x32xf32> into tensor<28x56x32xf32>
// AFTER-NEXT:    %11 = tensor.empty() : tensor<32x28x56xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%10:tensor<28x56x32xf32>) outs(%11:tensor<32x28x56xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<32x28x56xf32>
// CHECK-NEXT: }
func.func @direct(%x: tensor<3x58x113xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<32x28x56xf32> {
  %y = fused.conv %x weight %w strides [2, 2] : (tensor<3x58x113xf32>, tensor<32x3x3x3xf32>) -> tensor<32x28x56xf32>
  func.return %y : tensor<32x28x56xf32>
}

// A row of 57 places is computed as one of 64.
// CHECK-LABEL: func.func @longer(%x: tensor<3x31x115xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<32x15x57xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] : (tensor<3x31x115xf32>, tensor<32x3x3x3xf32>) -> tensor<32x15x57xf32>
// AFTER-NEXT:    %0 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %1 = tensor.empty() : tensor<31x115x3xf32>
// AFTER-NEXT:    %2 = linalg.transpose ins(%x:tensor<3x31x115xf32>) outs(%1:tensor<31x115x3xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %3 = tensor.pad %2 low[0, 0, 0] high[0, 14, 0] {
// AFTER-NEXT:    ^bb0(%4: index, %5: index, %6: index):
// AFTER-NEXT:      tensor.yield %0 : f32
// AFTER-NEXT:    } : tensor<31x115x3xf32> to tensor<31x129x3xf32>
// AFTER-NEXT:    %7 = tensor.empty() : tensor<3x3x3x32xf32>
// AFTER-NEXT:    %8 = linalg.transpose ins(%w:tensor<32x3x3x3xf32>) outs(%7:tensor<3x3x3x32xf32>) permutation = [2, 3, 1, 0]
// AFTER-NEXT:    %9 = tensor.expand_shape %3 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 31, 129, 3] : tensor<31x129x3xf32> into tensor<1x31x129x3xf32>
// AFTER-NEXT:    %10 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %11 = tensor.empty() : tensor<1x15x64x32xf32>
// AFTER-NEXT:    %12 = linalg.fill ins(%10 : f32) outs(%11 : tensor<1x15x64x32xf32>) -> tensor<1x15x64x32xf32>
// AFTER-NEXT:    %13 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%9, %8 : tensor<1x31x129x3xf32>, tensor<3x3x3x32xf32>) outs(%12 : tensor<1x15x64x32xf32>) -> tensor<1x15x64x32xf32>
// AFTER-NEXT:    %14 = tensor.collapse_shape %13 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x15x64x32xf32> into tensor<15x64x32xf32>
// AFTER-NEXT:    %15 = tensor.extract_slice %14[0, 0, 0] [15, 57, 32] [1, 1, 1] : tensor<15x64x32xf32> to tensor<15x57x32xf32>
// AFTER-NEXT:    %16 = tensor.empty() : tensor<32x15x57xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%15:tensor<15x57x32xf32>) outs(%16:tensor<32x15x57xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<32x15x57xf32>
// CHECK-NEXT: }
func.func @longer(%x: tensor<3x31x115xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<32x15x57xf32> {
  %y = fused.conv %x weight %w strides [2, 2] : (tensor<3x31x115xf32>, tensor<32x3x3x3xf32>) -> tensor<32x15x57xf32>
  func.return %y : tensor<32x15x57xf32>
}
