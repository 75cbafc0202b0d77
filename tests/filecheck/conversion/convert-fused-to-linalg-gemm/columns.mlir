// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -

// Short rows: what the windows see is laid out, and multiplied at once.
// CHECK-LABEL: func.func @columns(%x: tensor<64x15x15xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] : (tensor<64x15x15xf32>, tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<15x15x64xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<64x15x15xf32>) outs(%0:tensor<15x15x64xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.empty() : tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %3 = tensor.extract_slice %1[0, 0, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %4 = tensor.expand_shape %3 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 7, 1, 64] : tensor<7x7x64xf32> into tensor<7x7x1x64xf32>
// AFTER-NEXT:    %5 = tensor.insert_slice %4 into %2[0, 0, 0, 0, 0] [7, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<7x7x1x64xf32> into tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %6 = tensor.extract_slice %1[0, 1, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %7 = tensor.expand_shape %6 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 7, 1, 64] : tensor<7x7x64xf32> into tensor<7x7x1x64xf32>
// AFTER-NEXT:    %8 = tensor.insert_slice %7 into %5[0, 0, 0, 1, 0] [7, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<7x7x1x64xf32> into tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %9 = tensor.extract_slice %1[0, 2, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %10 = tensor.expand_shape %9 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 7, 1, 64] : tensor<7x7x64xf32> into tensor<7x7x1x64xf32>
// AFTER-NEXT:    %11 = tensor.insert_slice %10 into %8[0, 0, 0, 2, 0] [7, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<7x7x1x64xf32> into tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %12 = tensor.extract_slice %1[1, 0, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %13 = tensor.expand_shape %12 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 7, 1, 64] : tensor<7x7x64xf32> into tensor<7x7x1x64xf32>
// AFTER-NEXT:    %14 = tensor.insert_slice %13 into %11[0, 0, 0, 3, 0] [7, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<7x7x1x64xf32> into tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %15 = tensor.extract_slice %1[1, 1, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %16 = tensor.expand_shape %15 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 7, 1, 64] : tensor<7x7x64xf32> into tensor<7x7x1x64xf32>
// AFTER-NEXT:    %17 = tensor.insert_slice %16 into %14[0, 0, 0, 4, 0] [7, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<7x7x1x64xf32> into tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %18 = tensor.extract_slice %1[1, 2, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %19 = tensor.expand_shape %18 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 7, 1, 64] : tensor<7x7x64xf32> into tensor<7x7x1x64xf32>
// AFTER-NEXT:    %20 = tensor.insert_slice %19 into %17[0, 0, 0, 5, 0] [7, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<7x7x1x64xf32> into tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %21 = tensor.extract_slice %1[2, 0, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %22 = tensor.expand_shape %21 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 7, 1, 64] : tensor<7x7x64xf32> into tensor<7x7x1x64xf32>
// AFTER-NEXT:    %23 = tensor.insert_slice %22 into %20[0, 0, 0, 6, 0] [7, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<7x7x1x64xf32> into tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %24 = tensor.extract_slice %1[2, 1, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %25 = tensor.expand_shape %24 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 7, 1, 64] : tensor<7x7x64xf32> into tensor<7x7x1x64xf32>
// AFTER-NEXT:    %26 = tensor.insert_slice %25 into %23[0, 0, 0, 7, 0] [7, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<7x7x1x64xf32> into tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %27 = tensor.extract_slice %1[2, 2, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %28 = tensor.expand_shape %27 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 7, 1, 64] : tensor<7x7x64xf32> into tensor<7x7x1x64xf32>
// AFTER-NEXT:    %29 = tensor.insert_slice %28 into %26[0, 0, 0, 8, 0] [7, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<7x7x1x64xf32> into tensor<7x7x1x9x64xf32>
// AFTER-NEXT:    %30 = tensor.collapse_shape %29 [[0 : i64, 1 : i64], [2 : i64, 3 : i64, 4 : i64]] : tensor<7x7x1x9x64xf32> into tensor<49x576xf32>
// AFTER-NEXT:    %31 = tensor.empty() : tensor<64x3x3x64xf32>
// AFTER-NEXT:    %32 = linalg.transpose ins(%w:tensor<64x64x3x3xf32>) outs(%31:tensor<64x3x3x64xf32>) permutation = [0, 2, 3, 1]
// AFTER-NEXT:    %33 = tensor.collapse_shape %32 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<64x3x3x64xf32> into tensor<64x576xf32>
// AFTER-NEXT:    %34 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %35 = tensor.empty() : tensor<49x64xf32>
// AFTER-NEXT:    %36 = linalg.fill ins(%34 : f32) outs(%35 : tensor<49x64xf32>) -> tensor<49x64xf32>
// AFTER-NEXT:    %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%30, %33 : tensor<49x576xf32>, tensor<64x576xf32>) outs(%36 : tensor<49x64xf32>) {
// AFTER-NEXT:    ^bb0(%38: f32, %39: f32, %40: f32):
// AFTER-NEXT:      %41 = arith.mulf %38, %39 : f32
// AFTER-NEXT:      %42 = arith.addf %40, %41 : f32
// AFTER-NEXT:      linalg.yield %42 : f32
// AFTER-NEXT:    } -> tensor<49x64xf32>
// AFTER-NEXT:    %43 = tensor.expand_shape %37 [[0 : i64, 1 : i64], [2 : i64]] output_shape [7, 7, 64] : tensor<49x64xf32> into tensor<7x7x64xf32>
// AFTER-NEXT:    %44 = tensor.empty() : tensor<64x7x7xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%43:tensor<7x7x64xf32>) outs(%44:tensor<64x7x7xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<64x7x7xf32>
// CHECK-NEXT:  }
func.func @columns(%x: tensor<64x15x15xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32> {
  %y = fused.conv %x weight %w strides [2, 2] : (tensor<64x15x15xf32>, tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32>
  func.return %y : tensor<64x7x7xf32>
}
