// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// Short rows: what the windows see is laid out, and multiplied at once.
// CHECK-LABEL: func.func @columns(%x: tensor<64x15x15xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] : (tensor<64x15x15xf32>, tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<7x7x9x64xf32>
// AFTER-NEXT:    %1 = tensor.empty() : tensor<15x15x64xf32>
// AFTER-NEXT:    %2 = linalg.transpose ins(%x:tensor<64x15x15xf32>) outs(%1:tensor<15x15x64xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %3 = tensor.extract_slice %2[0, 0, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %4 = tensor.insert_slice %3 into %0[0, 0, 0, 0] [7, 7, 1, 64] [1, 1, 1, 1] : tensor<7x7x64xf32> into tensor<7x7x9x64xf32>
// AFTER-NEXT:    %5 = tensor.extract_slice %2[0, 1, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %6 = tensor.insert_slice %5 into %4[0, 0, 1, 0] [7, 7, 1, 64] [1, 1, 1, 1] : tensor<7x7x64xf32> into tensor<7x7x9x64xf32>
// AFTER-NEXT:    %7 = tensor.extract_slice %2[0, 2, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %8 = tensor.insert_slice %7 into %6[0, 0, 2, 0] [7, 7, 1, 64] [1, 1, 1, 1] : tensor<7x7x64xf32> into tensor<7x7x9x64xf32>
// AFTER-NEXT:    %9 = tensor.extract_slice %2[1, 0, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %10 = tensor.insert_slice %9 into %8[0, 0, 3, 0] [7, 7, 1, 64] [1, 1, 1, 1] : tensor<7x7x64xf32> into tensor<7x7x9x64xf32>
// AFTER-NEXT:    %11 = tensor.extract_slice %2[1, 1, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %12 = tensor.insert_slice %11 into %10[0, 0, 4, 0] [7, 7, 1, 64] [1, 1, 1, 1] : tensor<7x7x64xf32> into tensor<7x7x9x64xf32>
// AFTER-NEXT:    %13 = tensor.extract_slice %2[1, 2, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %14 = tensor.insert_slice %13 into %12[0, 0, 5, 0] [7, 7, 1, 64] [1, 1, 1, 1] : tensor<7x7x64xf32> into tensor<7x7x9x64xf32>
// AFTER-NEXT:    %15 = tensor.extract_slice %2[2, 0, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %16 = tensor.insert_slice %15 into %14[0, 0, 6, 0] [7, 7, 1, 64] [1, 1, 1, 1] : tensor<7x7x64xf32> into tensor<7x7x9x64xf32>
// AFTER-NEXT:    %17 = tensor.extract_slice %2[2, 1, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %18 = tensor.insert_slice %17 into %16[0, 0, 7, 0] [7, 7, 1, 64] [1, 1, 1, 1] : tensor<7x7x64xf32> into tensor<7x7x9x64xf32>
// AFTER-NEXT:    %19 = tensor.extract_slice %2[2, 2, 0] [7, 7, 64] [2, 2, 1] : tensor<15x15x64xf32> to tensor<7x7x64xf32>
// AFTER-NEXT:    %20 = tensor.insert_slice %19 into %18[0, 0, 8, 0] [7, 7, 1, 64] [1, 1, 1, 1] : tensor<7x7x64xf32> into tensor<7x7x9x64xf32>
// AFTER-NEXT:    %21 = tensor.collapse_shape %20 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<7x7x9x64xf32> into tensor<49x576xf32>
// AFTER-NEXT:    %22 = tensor.empty() : tensor<64x3x3x64xf32>
// AFTER-NEXT:    %23 = linalg.transpose ins(%w:tensor<64x64x3x3xf32>) outs(%22:tensor<64x3x3x64xf32>) permutation = [0, 2, 3, 1]
// AFTER-NEXT:    %24 = tensor.collapse_shape %23 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<64x3x3x64xf32> into tensor<64x576xf32>
// AFTER-NEXT:    %25 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %26 = tensor.empty() : tensor<49x64xf32>
// AFTER-NEXT:    %27 = linalg.fill ins(%25 : f32) outs(%26 : tensor<49x64xf32>) -> tensor<49x64xf32>
// AFTER-NEXT:    %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21, %24 : tensor<49x576xf32>, tensor<64x576xf32>) outs(%27 : tensor<49x64xf32>) {
// AFTER-NEXT:    ^bb0(%29: f32, %30: f32, %31: f32):
// AFTER-NEXT:      %32 = arith.mulf %29, %30 : f32
// AFTER-NEXT:      %33 = arith.addf %31, %32 : f32
// AFTER-NEXT:      linalg.yield %33 : f32
// AFTER-NEXT:    } -> tensor<49x64xf32>
// AFTER-NEXT:    %34 = tensor.expand_shape %28 [[0 : i64, 1 : i64], [2 : i64]] output_shape [7, 7, 64] : tensor<49x64xf32> into tensor<7x7x64xf32>
// AFTER-NEXT:    %35 = tensor.empty() : tensor<64x7x7xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%34:tensor<7x7x64xf32>) outs(%35:tensor<64x7x7xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<64x7x7xf32>
// CHECK-NEXT: }
func.func @columns(%x: tensor<64x15x15xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32> {
  %y = fused.conv %x weight %w strides [2, 2] : (tensor<64x15x15xf32>, tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32>
  func.return %y : tensor<64x7x7xf32>
}
