// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -

// Short rows: what the windows see is laid out, and multiplied at once.
// CHECK-LABEL: func.func @columns(%x: tensor<64x15x15xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] : (tensor<64x15x15xf32>, tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<15x15x64xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<64x15x15xf32>) outs(%0:tensor<15x15x64xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.expand_shape %1 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [15, 15, 1, 64] : tensor<15x15x64xf32> into tensor<15x15x1x64xf32>
// AFTER-NEXT:    %3 = tensor.empty() : tensor<15x7x1x3x64xf32>
// AFTER-NEXT:    %4 = tensor.extract_slice %2[0, 0, 0, 0] [15, 7, 1, 64] [1, 2, 1, 1] : tensor<15x15x1x64xf32> to tensor<15x7x1x64xf32>
// AFTER-NEXT:    %5 = tensor.insert_slice %4 into %3[0, 0, 0, 0, 0] [15, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<15x7x1x64xf32> into tensor<15x7x1x3x64xf32>
// AFTER-NEXT:    %6 = tensor.extract_slice %2[0, 1, 0, 0] [15, 7, 1, 64] [1, 2, 1, 1] : tensor<15x15x1x64xf32> to tensor<15x7x1x64xf32>
// AFTER-NEXT:    %7 = tensor.insert_slice %6 into %5[0, 0, 0, 1, 0] [15, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<15x7x1x64xf32> into tensor<15x7x1x3x64xf32>
// AFTER-NEXT:    %8 = tensor.extract_slice %2[0, 2, 0, 0] [15, 7, 1, 64] [1, 2, 1, 1] : tensor<15x15x1x64xf32> to tensor<15x7x1x64xf32>
// AFTER-NEXT:    %9 = tensor.insert_slice %8 into %7[0, 0, 0, 2, 0] [15, 7, 1, 1, 64] [1, 1, 1, 1, 1] : tensor<15x7x1x64xf32> into tensor<15x7x1x3x64xf32>
// AFTER-NEXT:    %10 = tensor.collapse_shape %9 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<15x7x1x3x64xf32> into tensor<15x7x1x192xf32>
// AFTER-NEXT:    %11 = tensor.empty() : tensor<7x7x1x3x192xf32>
// AFTER-NEXT:    %12 = tensor.extract_slice %10[0, 0, 0, 0] [7, 7, 1, 192] [2, 1, 1, 1] : tensor<15x7x1x192xf32> to tensor<7x7x1x192xf32>
// AFTER-NEXT:    %13 = tensor.insert_slice %12 into %11[0, 0, 0, 0, 0] [7, 7, 1, 1, 192] [1, 1, 1, 1, 1] : tensor<7x7x1x192xf32> into tensor<7x7x1x3x192xf32>
// AFTER-NEXT:    %14 = tensor.extract_slice %10[1, 0, 0, 0] [7, 7, 1, 192] [2, 1, 1, 1] : tensor<15x7x1x192xf32> to tensor<7x7x1x192xf32>
// AFTER-NEXT:    %15 = tensor.insert_slice %14 into %13[0, 0, 0, 1, 0] [7, 7, 1, 1, 192] [1, 1, 1, 1, 1] : tensor<7x7x1x192xf32> into tensor<7x7x1x3x192xf32>
// AFTER-NEXT:    %16 = tensor.extract_slice %10[2, 0, 0, 0] [7, 7, 1, 192] [2, 1, 1, 1] : tensor<15x7x1x192xf32> to tensor<7x7x1x192xf32>
// AFTER-NEXT:    %17 = tensor.insert_slice %16 into %15[0, 0, 0, 2, 0] [7, 7, 1, 1, 192] [1, 1, 1, 1, 1] : tensor<7x7x1x192xf32> into tensor<7x7x1x3x192xf32>
// AFTER-NEXT:    %18 = tensor.collapse_shape %17 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<7x7x1x3x192xf32> into tensor<7x7x1x576xf32>
// AFTER-NEXT:    %19 = tensor.collapse_shape %18 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<7x7x1x576xf32> into tensor<49x576xf32>
// AFTER-NEXT:    %20 = tensor.empty() : tensor<64x3x3x64xf32>
// AFTER-NEXT:    %21 = linalg.transpose ins(%w:tensor<64x64x3x3xf32>) outs(%20:tensor<64x3x3x64xf32>) permutation = [0, 2, 3, 1]
// AFTER-NEXT:    %22 = tensor.collapse_shape %21 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<64x3x3x64xf32> into tensor<64x576xf32>
// AFTER-NEXT:    %23 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %24 = tensor.empty() : tensor<49x64xf32>
// AFTER-NEXT:    %25 = linalg.fill ins(%23 : f32) outs(%24 : tensor<49x64xf32>) -> tensor<49x64xf32>
// AFTER-NEXT:    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19, %22 : tensor<49x576xf32>, tensor<64x576xf32>) outs(%25 : tensor<49x64xf32>) {
// AFTER-NEXT:    ^bb0(%27: f32, %28: f32, %29: f32):
// AFTER-NEXT:      %30 = arith.mulf %27, %28 : f32
// AFTER-NEXT:      %31 = arith.addf %29, %30 : f32
// AFTER-NEXT:      linalg.yield %31 : f32
// AFTER-NEXT:    } -> tensor<49x64xf32>
// AFTER-NEXT:    %32 = tensor.expand_shape %26 [[0 : i64, 1 : i64], [2 : i64]] output_shape [7, 7, 64] : tensor<49x64xf32> into tensor<7x7x64xf32>
// AFTER-NEXT:    %33 = tensor.empty() : tensor<64x7x7xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%32:tensor<7x7x64xf32>) outs(%33:tensor<64x7x7xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<64x7x7xf32>
// CHECK-NEXT:  }
func.func @columns(%x: tensor<64x15x15xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32> {
  %y = fused.conv %x weight %w strides [2, 2] : (tensor<64x15x15xf32>, tensor<64x64x3x3xf32>) -> tensor<64x7x7xf32>
  func.return %y : tensor<64x7x7xf32>
}
