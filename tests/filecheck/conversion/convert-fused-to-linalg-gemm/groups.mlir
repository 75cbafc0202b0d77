// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// Few groups with many channels: each is a convolution of its own.
// CHECK-LABEL: func.func @few(%x: tensor<4x5x5xf32>, %w: tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 2 {ncnn.form = "groups"} : (tensor<4x5x5xf32>, tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<4x4x4xf32>
// AFTER-NEXT:    %1 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %2 = tensor.extract_slice %x[0, 0, 0] [2, 5, 5] [1, 1, 1] : tensor<4x5x5xf32> to tensor<2x5x5xf32>
// AFTER-NEXT:    %3 = tensor.empty() : tensor<5x5x2xf32>
// AFTER-NEXT:    %4 = linalg.transpose ins(%2:tensor<2x5x5xf32>) outs(%3:tensor<5x5x2xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %5 = tensor.pad %4 low[0, 0, 0] high[0, 4, 0] {
// AFTER-NEXT:    ^bb0(%6: index, %7: index, %8: index):
// AFTER-NEXT:      tensor.yield %1 : f32
// AFTER-NEXT:    } : tensor<5x5x2xf32> to tensor<5x9x2xf32>
// AFTER-NEXT:    %9 = tensor.extract_slice %w[0, 0, 0, 0] [2, 2, 2, 2] [1, 1, 1, 1] : tensor<4x2x2x2xf32> to tensor<2x2x2x2xf32>
// AFTER-NEXT:    %10 = tensor.empty() : tensor<2x2x2x2xf32>
// AFTER-NEXT:    %11 = linalg.transpose ins(%9:tensor<2x2x2x2xf32>) outs(%10:tensor<2x2x2x2xf32>) permutation = [2, 3, 1, 0]
// AFTER-NEXT:    %12 = tensor.expand_shape %5 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 5, 9, 2] : tensor<5x9x2xf32> into tensor<1x5x9x2xf32>
// AFTER-NEXT:    %13 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %14 = tensor.empty() : tensor<1x4x8x2xf32>
// AFTER-NEXT:    %15 = linalg.fill ins(%13 : f32) outs(%14 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
// AFTER-NEXT:    %16 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%12, %11 : tensor<1x5x9x2xf32>, tensor<2x2x2x2xf32>) outs(%15 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
// AFTER-NEXT:    %17 = tensor.collapse_shape %16 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x4x8x2xf32> into tensor<4x8x2xf32>
// AFTER-NEXT:    %18 = tensor.extract_slice %17[0, 0, 0] [4, 4, 2] [1, 1, 1] : tensor<4x8x2xf32> to tensor<4x4x2xf32>
// AFTER-NEXT:    %19 = tensor.insert_slice %18 into %0[0, 0, 0] [4, 4, 2] [1, 1, 1] : tensor<4x4x2xf32> into tensor<4x4x4xf32>
// AFTER-NEXT:    %20 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %21 = tensor.extract_slice %x[2, 0, 0] [2, 5, 5] [1, 1, 1] : tensor<4x5x5xf32> to tensor<2x5x5xf32>
// AFTER-NEXT:    %22 = tensor.empty() : tensor<5x5x2xf32>
// AFTER-NEXT:    %23 = linalg.transpose ins(%21:tensor<2x5x5xf32>) outs(%22:tensor<5x5x2xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %24 = tensor.pad %23 low[0, 0, 0] high[0, 4, 0] {
// AFTER-NEXT:    ^bb0(%25: index, %26: index, %27: index):
// AFTER-NEXT:      tensor.yield %20 : f32
// AFTER-NEXT:    } : tensor<5x5x2xf32> to tensor<5x9x2xf32>
// AFTER-NEXT:    %28 = tensor.extract_slice %w[2, 0, 0, 0] [2, 2, 2, 2] [1, 1, 1, 1] : tensor<4x2x2x2xf32> to tensor<2x2x2x2xf32>
// AFTER-NEXT:    %29 = tensor.empty() : tensor<2x2x2x2xf32>
// AFTER-NEXT:    %30 = linalg.transpose ins(%28:tensor<2x2x2x2xf32>) outs(%29:tensor<2x2x2x2xf32>) permutation = [2, 3, 1, 0]
// AFTER-NEXT:    %31 = tensor.expand_shape %24 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 5, 9, 2] : tensor<5x9x2xf32> into tensor<1x5x9x2xf32>
// AFTER-NEXT:    %32 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %33 = tensor.empty() : tensor<1x4x8x2xf32>
// AFTER-NEXT:    %34 = linalg.fill ins(%32 : f32) outs(%33 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
// AFTER-NEXT:    %35 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%31, %30 : tensor<1x5x9x2xf32>, tensor<2x2x2x2xf32>) outs(%34 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
// AFTER-NEXT:    %36 = tensor.collapse_shape %35 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x4x8x2xf32> into tensor<4x8x2xf32>
// AFTER-NEXT:    %37 = tensor.extract_slice %36[0, 0, 0] [4, 4, 2] [1, 1, 1] : tensor<4x8x2xf32> to tensor<4x4x2xf32>
// AFTER-NEXT:    %38 = tensor.insert_slice %37 into %19[0, 0, 2] [4, 4, 2] [1, 1, 1] : tensor<4x4x2xf32> into tensor<4x4x4xf32>
// AFTER-NEXT:    %39 = tensor.empty() : tensor<4x4x4xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%38:tensor<4x4x4xf32>) outs(%39:tensor<4x4x4xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<4x4x4xf32>
// CHECK-NEXT: }
func.func @few(%x: tensor<4x5x5xf32>, %w: tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32> {
  %y = fused.conv %x weight %w groups 2 {ncnn.form = "groups"} : (tensor<4x5x5xf32>, tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32>
  func.return %y : tensor<4x4x4xf32>
}

// Products of matrices for all groups at once.
// CHECK-LABEL: func.func @many(%x: tensor<4x3x3xf32>, %w: tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 2 {ncnn.form = "grouped"} : (tensor<4x3x3xf32>, tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<2x3x2x2x2xf32>
// AFTER-NEXT:    %1 = tensor.empty() : tensor<3x3x4xf32>
// AFTER-NEXT:    %2 = linalg.transpose ins(%x:tensor<4x3x3xf32>) outs(%1:tensor<3x3x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %3 = tensor.extract_slice %2[0, 0, 0] [2, 3, 4] [1, 1, 1] : tensor<3x3x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %4 = tensor.expand_shape %3 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [2, 3, 2, 2] : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
// AFTER-NEXT:    %5 = tensor.insert_slice %4 into %0[0, 0, 0, 0, 0] [2, 3, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x2xf32>
// AFTER-NEXT:    %6 = tensor.extract_slice %2[1, 0, 0] [2, 3, 4] [1, 1, 1] : tensor<3x3x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %7 = tensor.expand_shape %6 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [2, 3, 2, 2] : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
// AFTER-NEXT:    %8 = tensor.insert_slice %7 into %5[0, 0, 0, 1, 0] [2, 3, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x2xf32>
// AFTER-NEXT:    %9 = tensor.collapse_shape %8 [[0 : i64, 1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<2x3x2x2x2xf32> into tensor<6x2x4xf32>
// AFTER-NEXT:    %10 = tensor.expand_shape %w [[0 : i64, 1 : i64], [2 : i64], [3 : i64], [4 : i64]] output_shape [2, 3, 2, 2, 1] : tensor<6x2x2x1xf32> into tensor<2x3x2x2x1xf32>
// AFTER-NEXT:    %11 = tensor.empty() : tensor<2x2x1x2x3xf32>
// AFTER-NEXT:    %12 = linalg.transpose ins(%10:tensor<2x3x2x2x1xf32>) outs(%11:tensor<2x2x1x2x3xf32>) permutation = [0, 3, 4, 2, 1]
// AFTER-NEXT:    %13 = tensor.collapse_shape %12 [[0 : i64], [1 : i64, 2 : i64, 3 : i64], [4 : i64]] : tensor<2x2x1x2x3xf32> into tensor<2x4x3xf32>
// AFTER-NEXT:    %14 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %15 = tensor.empty() : tensor<6x2x3xf32>
// AFTER-NEXT:    %16 = linalg.fill ins(%14 : f32) outs(%15 : tensor<6x2x3xf32>) -> tensor<6x2x3xf32>
// AFTER-NEXT:    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9, %13 : tensor<6x2x4xf32>, tensor<2x4x3xf32>) outs(%16 : tensor<6x2x3xf32>) {
// AFTER-NEXT:    ^bb0(%18: f32, %19: f32, %20: f32):
// AFTER-NEXT:      %21 = arith.mulf %18, %19 : f32
// AFTER-NEXT:      %22 = arith.addf %20, %21 : f32
// AFTER-NEXT:      linalg.yield %22 : f32
// AFTER-NEXT:    } -> tensor<6x2x3xf32>
// AFTER-NEXT:    %23 = tensor.collapse_shape %17 [[0 : i64], [1 : i64, 2 : i64]] : tensor<6x2x3xf32> into tensor<6x6xf32>
// AFTER-NEXT:    %24 = tensor.expand_shape %23 [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 3, 6] : tensor<6x6xf32> into tensor<2x3x6xf32>
// AFTER-NEXT:    %25 = tensor.empty() : tensor<6x2x3xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%24:tensor<2x3x6xf32>) outs(%25:tensor<6x2x3xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<6x2x3xf32>
// CHECK-NEXT: }
func.func @many(%x: tensor<4x3x3xf32>, %w: tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32> {
  %y = fused.conv %x weight %w groups 2 {ncnn.form = "grouped"} : (tensor<4x3x3xf32>, tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32>
  func.return %y : tensor<6x2x3xf32>
}
