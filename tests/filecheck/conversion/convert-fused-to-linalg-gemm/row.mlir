// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// Over one axis: as over two, of blobs with one row.
// CHECK-LABEL: func.func @row(%x: tensor<2x5xf32>, %w: tensor<4x2x2xf32>) -> tensor<4x5xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w pads [1, 0] : (tensor<2x5xf32>, tensor<4x2x2xf32>) -> tensor<4x5xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x5xf32>
// AFTER-NEXT:    %0 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %1 = tensor.expand_shape %w [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [4, 2, 1, 2] : tensor<4x2x2xf32> into tensor<4x2x1x2xf32>
// AFTER-NEXT:    %2 = tensor.expand_shape %x [[0 : i64], [1 : i64, 2 : i64]] output_shape [2, 1, 5] : tensor<2x5xf32> into tensor<2x1x5xf32>
// AFTER-NEXT:    %3 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %4 = tensor.empty() : tensor<1x5x2xf32>
// AFTER-NEXT:    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x1x5xf32>) outs(%4 : tensor<1x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%6: f32, %7: f32):
// AFTER-NEXT:      linalg.yield %6 : f32
// AFTER-NEXT:    } -> tensor<1x5x2xf32>
// AFTER-NEXT:    %8 = tensor.pad %5 low[0, 1, 0] high[0, 0, 0] {
// AFTER-NEXT:    ^bb0(%9: index, %10: index, %11: index):
// AFTER-NEXT:      tensor.yield %3 : f32
// AFTER-NEXT:    } : tensor<1x5x2xf32> to tensor<1x6x2xf32>
// AFTER-NEXT:    %12 = tensor.empty() : tensor<1x5x2x2xf32>
// AFTER-NEXT:    %13 = tensor.extract_slice %8[0, 0, 0] [1, 5, 2] [1, 1, 1] : tensor<1x6x2xf32> to tensor<1x5x2xf32>
// AFTER-NEXT:    %14 = tensor.insert_slice %13 into %12[0, 0, 0, 0] [1, 5, 1, 2] [1, 1, 1, 1] : tensor<1x5x2xf32> into tensor<1x5x2x2xf32>
// AFTER-NEXT:    %15 = tensor.extract_slice %8[0, 1, 0] [1, 5, 2] [1, 1, 1] : tensor<1x6x2xf32> to tensor<1x5x2xf32>
// AFTER-NEXT:    %16 = tensor.insert_slice %15 into %14[0, 0, 1, 0] [1, 5, 1, 2] [1, 1, 1, 1] : tensor<1x5x2xf32> into tensor<1x5x2x2xf32>
// AFTER-NEXT:    %17 = tensor.collapse_shape %16 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
// AFTER-NEXT:    %18 = tensor.empty() : tensor<4x1x2x2xf32>
// AFTER-NEXT:    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<4x2x1x2xf32>) outs(%18 : tensor<4x1x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%20: f32, %21: f32):
// AFTER-NEXT:      linalg.yield %20 : f32
// AFTER-NEXT:    } -> tensor<4x1x2x2xf32>
// AFTER-NEXT:    %22 = tensor.collapse_shape %19 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x1x2x2xf32> into tensor<4x4xf32>
// AFTER-NEXT:    %23 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %24 = tensor.empty() : tensor<5x4xf32>
// AFTER-NEXT:    %25 = linalg.fill ins(%23 : f32) outs(%24 : tensor<5x4xf32>) -> tensor<5x4xf32>
// AFTER-NEXT:    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17, %22 : tensor<5x4xf32>, tensor<4x4xf32>) outs(%25 : tensor<5x4xf32>) {
// AFTER-NEXT:    ^bb0(%27: f32, %28: f32, %29: f32):
// AFTER-NEXT:      %30 = arith.mulf %27, %28 : f32
// AFTER-NEXT:      %31 = arith.addf %29, %30 : f32
// AFTER-NEXT:      linalg.yield %31 : f32
// AFTER-NEXT:    } -> tensor<5x4xf32>
// AFTER-NEXT:    %32 = tensor.expand_shape %26 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
// AFTER-NEXT:    %33 = tensor.empty() : tensor<4x1x5xf32>
// AFTER-NEXT:    %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<1x5x4xf32>) outs(%33 : tensor<4x1x5xf32>) {
// AFTER-NEXT:    ^bb0(%35: f32, %36: f32):
// AFTER-NEXT:      linalg.yield %35 : f32
// AFTER-NEXT:    } -> tensor<4x1x5xf32>
// AFTER-NEXT:    %y = tensor.collapse_shape %34 [[0 : i64], [1 : i64, 2 : i64]] : tensor<4x1x5xf32> into tensor<4x5xf32>
// AFTER-NEXT:    func.return %y : tensor<4x5xf32>
// CHECK-NEXT: }
func.func @row(%x: tensor<2x5xf32>, %w: tensor<4x2x2xf32>) -> tensor<4x5xf32> {
  %y = fused.conv %x weight %w pads [1, 0] : (tensor<2x5xf32>, tensor<4x2x2xf32>) -> tensor<4x5xf32>
  func.return %y : tensor<4x5xf32>
}
