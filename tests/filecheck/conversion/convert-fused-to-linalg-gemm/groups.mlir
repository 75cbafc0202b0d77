// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -

// Products of matrices for all groups at once.
// CHECK-LABEL: func.func @few(%x: tensor<4x5x5xf32>, %w: tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 2 {ncnn.form = "columns"} : (tensor<4x5x5xf32>, tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<5x5x4xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<4x5x5xf32>) outs(%0:tensor<5x5x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.expand_shape %1 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [5, 5, 2, 2] : tensor<5x5x4xf32> into tensor<5x5x2x2xf32>
// AFTER-NEXT:    %3 = tensor.empty() : tensor<5x4x2x2x2xf32>
// AFTER-NEXT:    %4 = tensor.extract_slice %2[0, 0, 0, 0] [5, 4, 2, 2] [1, 1, 1, 1] : tensor<5x5x2x2xf32> to tensor<5x4x2x2xf32>
// AFTER-NEXT:    %5 = tensor.insert_slice %4 into %3[0, 0, 0, 0, 0] [5, 4, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<5x4x2x2xf32> into tensor<5x4x2x2x2xf32>
// AFTER-NEXT:    %6 = tensor.extract_slice %2[0, 1, 0, 0] [5, 4, 2, 2] [1, 1, 1, 1] : tensor<5x5x2x2xf32> to tensor<5x4x2x2xf32>
// AFTER-NEXT:    %7 = tensor.insert_slice %6 into %5[0, 0, 0, 1, 0] [5, 4, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<5x4x2x2xf32> into tensor<5x4x2x2x2xf32>
// AFTER-NEXT:    %8 = tensor.collapse_shape %7 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<5x4x2x2x2xf32> into tensor<5x4x2x4xf32>
// AFTER-NEXT:    %9 = tensor.empty() : tensor<4x4x2x2x4xf32>
// AFTER-NEXT:    %10 = tensor.extract_slice %8[0, 0, 0, 0] [4, 4, 2, 4] [1, 1, 1, 1] : tensor<5x4x2x4xf32> to tensor<4x4x2x4xf32>
// AFTER-NEXT:    %11 = tensor.insert_slice %10 into %9[0, 0, 0, 0, 0] [4, 4, 2, 1, 4] [1, 1, 1, 1, 1] : tensor<4x4x2x4xf32> into tensor<4x4x2x2x4xf32>
// AFTER-NEXT:    %12 = tensor.extract_slice %8[1, 0, 0, 0] [4, 4, 2, 4] [1, 1, 1, 1] : tensor<5x4x2x4xf32> to tensor<4x4x2x4xf32>
// AFTER-NEXT:    %13 = tensor.insert_slice %12 into %11[0, 0, 0, 1, 0] [4, 4, 2, 1, 4] [1, 1, 1, 1, 1] : tensor<4x4x2x4xf32> into tensor<4x4x2x2x4xf32>
// AFTER-NEXT:    %14 = tensor.collapse_shape %13 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<4x4x2x2x4xf32> into tensor<4x4x2x8xf32>
// AFTER-NEXT:    %15 = tensor.collapse_shape %14 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<4x4x2x8xf32> into tensor<16x16xf32>
// AFTER-NEXT:    %16 = tensor.empty() : tensor<4x2x2x2xf32>
// AFTER-NEXT:    %17 = linalg.transpose ins(%w:tensor<4x2x2x2xf32>) outs(%16:tensor<4x2x2x2xf32>) permutation = [0, 2, 3, 1]
// AFTER-NEXT:    %18 = tensor.collapse_shape %17 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x2x2x2xf32> into tensor<4x8xf32>
// AFTER-NEXT:    %19 = tensor.expand_shape %18 [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
// AFTER-NEXT:    %20 = tensor.expand_shape %15 [[0 : i64], [1 : i64, 2 : i64]] output_shape [16, 2, 8] : tensor<16x16xf32> into tensor<16x2x8xf32>
// AFTER-NEXT:    %21 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %22 = tensor.empty() : tensor<16x2x2xf32>
// AFTER-NEXT:    %23 = linalg.fill ins(%21 : f32) outs(%22 : tensor<16x2x2xf32>) -> tensor<16x2x2xf32>
// AFTER-NEXT:    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20, %19 : tensor<16x2x8xf32>, tensor<2x2x8xf32>) outs(%23 : tensor<16x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%25: f32, %26: f32, %27: f32):
// AFTER-NEXT:      %28 = arith.mulf %25, %26 : f32
// AFTER-NEXT:      %29 = arith.addf %27, %28 : f32
// AFTER-NEXT:      linalg.yield %29 : f32
// AFTER-NEXT:    } -> tensor<16x2x2xf32>
// AFTER-NEXT:    %30 = tensor.collapse_shape %24 [[0 : i64], [1 : i64, 2 : i64]] : tensor<16x2x2xf32> into tensor<16x4xf32>
// AFTER-NEXT:    %31 = tensor.expand_shape %30 [[0 : i64, 1 : i64], [2 : i64]] output_shape [4, 4, 4] : tensor<16x4xf32> into tensor<4x4x4xf32>
// AFTER-NEXT:    %32 = tensor.empty() : tensor<4x4x4xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%31:tensor<4x4x4xf32>) outs(%32:tensor<4x4x4xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<4x4x4xf32>
// CHECK-NEXT:  }
func.func @few(%x: tensor<4x5x5xf32>, %w: tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32> {
  %y = fused.conv %x weight %w groups 2 {ncnn.form = "columns"} : (tensor<4x5x5xf32>, tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32>
  func.return %y : tensor<4x4x4xf32>
}

// One output channel more for each group than inputs.
// CHECK-LABEL: func.func @many(%x: tensor<4x3x3xf32>, %w: tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 2 : (tensor<4x3x3xf32>, tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<3x3x4xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<4x3x3xf32>) outs(%0:tensor<3x3x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.expand_shape %1 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [3, 3, 2, 2] : tensor<3x3x4xf32> into tensor<3x3x2x2xf32>
// AFTER-NEXT:    %3 = tensor.empty() : tensor<3x3x2x1x2xf32>
// AFTER-NEXT:    %4 = tensor.extract_slice %2[0, 0, 0, 0] [3, 3, 2, 2] [1, 1, 1, 1] : tensor<3x3x2x2xf32> to tensor<3x3x2x2xf32>
// AFTER-NEXT:    %5 = tensor.insert_slice %4 into %3[0, 0, 0, 0, 0] [3, 3, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<3x3x2x2xf32> into tensor<3x3x2x1x2xf32>
// AFTER-NEXT:    %6 = tensor.collapse_shape %5 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<3x3x2x1x2xf32> into tensor<3x3x2x2xf32>
// AFTER-NEXT:    %7 = tensor.empty() : tensor<2x3x2x2x2xf32>
// AFTER-NEXT:    %8 = tensor.extract_slice %6[0, 0, 0, 0] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<3x3x2x2xf32> to tensor<2x3x2x2xf32>
// AFTER-NEXT:    %9 = tensor.insert_slice %8 into %7[0, 0, 0, 0, 0] [2, 3, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x2xf32>
// AFTER-NEXT:    %10 = tensor.extract_slice %6[1, 0, 0, 0] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<3x3x2x2xf32> to tensor<2x3x2x2xf32>
// AFTER-NEXT:    %11 = tensor.insert_slice %10 into %9[0, 0, 0, 1, 0] [2, 3, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x2xf32>
// AFTER-NEXT:    %12 = tensor.collapse_shape %11 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<2x3x2x2x2xf32> into tensor<2x3x2x4xf32>
// AFTER-NEXT:    %13 = tensor.collapse_shape %12 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<2x3x2x4xf32> into tensor<6x8xf32>
// AFTER-NEXT:    %14 = tensor.empty() : tensor<6x2x1x2xf32>
// AFTER-NEXT:    %15 = linalg.transpose ins(%w:tensor<6x2x2x1xf32>) outs(%14:tensor<6x2x1x2xf32>) permutation = [0, 2, 3, 1]
// AFTER-NEXT:    %16 = tensor.collapse_shape %15 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<6x2x1x2xf32> into tensor<6x4xf32>
// AFTER-NEXT:    %17 = tensor.expand_shape %16 [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
// AFTER-NEXT:    %18 = tensor.expand_shape %13 [[0 : i64], [1 : i64, 2 : i64]] output_shape [6, 2, 4] : tensor<6x8xf32> into tensor<6x2x4xf32>
// AFTER-NEXT:    %19 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %20 = tensor.empty() : tensor<6x2x3xf32>
// AFTER-NEXT:    %21 = linalg.fill ins(%19 : f32) outs(%20 : tensor<6x2x3xf32>) -> tensor<6x2x3xf32>
// AFTER-NEXT:    %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18, %17 : tensor<6x2x4xf32>, tensor<2x3x4xf32>) outs(%21 : tensor<6x2x3xf32>) {
// AFTER-NEXT:    ^bb0(%23: f32, %24: f32, %25: f32):
// AFTER-NEXT:      %26 = arith.mulf %23, %24 : f32
// AFTER-NEXT:      %27 = arith.addf %25, %26 : f32
// AFTER-NEXT:      linalg.yield %27 : f32
// AFTER-NEXT:    } -> tensor<6x2x3xf32>
// AFTER-NEXT:    %28 = tensor.collapse_shape %22 [[0 : i64], [1 : i64, 2 : i64]] : tensor<6x2x3xf32> into tensor<6x6xf32>
// AFTER-NEXT:    %29 = tensor.expand_shape %28 [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 3, 6] : tensor<6x6xf32> into tensor<2x3x6xf32>
// AFTER-NEXT:    %30 = tensor.empty() : tensor<6x2x3xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%29:tensor<2x3x6xf32>) outs(%30:tensor<6x2x3xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<6x2x3xf32>
// CHECK-NEXT:  }
func.func @many(%x: tensor<4x3x3xf32>, %w: tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32> {
  %y = fused.conv %x weight %w groups 2 : (tensor<4x3x3xf32>, tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32>
  func.return %y : tensor<6x2x3xf32>
}
