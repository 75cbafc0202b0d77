// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -

// Over one axis: as over two, of blobs with one row.
// CHECK-LABEL: func.func @row(%x: tensor<2x5xf32>, %w: tensor<4x2x2xf32>) -> tensor<4x5xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w pads [1, 0] : (tensor<2x5xf32>, tensor<4x2x2xf32>) -> tensor<4x5xf32>
// AFTER-NEXT:    %0 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %1 = tensor.expand_shape %w [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [4, 2, 1, 2] : tensor<4x2x2xf32> into tensor<4x2x1x2xf32>
// AFTER-NEXT:    %2 = tensor.expand_shape %x [[0 : i64], [1 : i64, 2 : i64]] output_shape [2, 1, 5] : tensor<2x5xf32> into tensor<2x1x5xf32>
// AFTER-NEXT:    %3 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %4 = tensor.empty() : tensor<1x5x2xf32>
// AFTER-NEXT:    %5 = linalg.transpose ins(%2:tensor<2x1x5xf32>) outs(%4:tensor<1x5x2xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %6 = tensor.pad %5 low[0, 1, 0] high[0, 0, 0] {
// AFTER-NEXT:    ^bb0(%7: index, %8: index, %9: index):
// AFTER-NEXT:      tensor.yield %3 : f32
// AFTER-NEXT:    } : tensor<1x5x2xf32> to tensor<1x6x2xf32>
// AFTER-NEXT:    %10 = tensor.collapse_shape %6 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x6x2xf32> into tensor<1x12xf32>
// AFTER-NEXT:    %11 = tensor.empty() : tensor<1x5x1x4xf32>
// AFTER-NEXT:    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ((d0 + d2), ((d1 * 2) + d3))>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x12xf32>) outs(%11 : tensor<1x5x1x4xf32>) {
// AFTER-NEXT:    ^bb0(%13: f32, %14: f32):
// AFTER-NEXT:      %15 = math.copysign %13, %13 : f32
// AFTER-NEXT:      linalg.yield %15 : f32
// AFTER-NEXT:    } -> tensor<1x5x1x4xf32>
// AFTER-NEXT:    %16 = tensor.collapse_shape %12 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x1x4xf32> into tensor<5x4xf32>
// AFTER-NEXT:    %17 = tensor.empty() : tensor<4x1x2x2xf32>
// AFTER-NEXT:    %18 = linalg.transpose ins(%1:tensor<4x2x1x2xf32>) outs(%17:tensor<4x1x2x2xf32>) permutation = [0, 2, 3, 1]
// AFTER-NEXT:    %19 = tensor.collapse_shape %18 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x1x2x2xf32> into tensor<4x4xf32>
// AFTER-NEXT:    %20 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %21 = tensor.empty() : tensor<5x4xf32>
// AFTER-NEXT:    %22 = linalg.fill ins(%20 : f32) outs(%21 : tensor<5x4xf32>) -> tensor<5x4xf32>
// AFTER-NEXT:    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16, %19 : tensor<5x4xf32>, tensor<4x4xf32>) outs(%22 : tensor<5x4xf32>) {
// AFTER-NEXT:    ^bb0(%24: f32, %25: f32, %26: f32):
// AFTER-NEXT:      %27 = arith.mulf %24, %25 : f32
// AFTER-NEXT:      %28 = arith.addf %26, %27 : f32
// AFTER-NEXT:      linalg.yield %28 : f32
// AFTER-NEXT:    } -> tensor<5x4xf32>
// AFTER-NEXT:    %29 = tensor.expand_shape %23 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
// AFTER-NEXT:    %30 = tensor.empty() : tensor<4x1x5xf32>
// AFTER-NEXT:    %31 = linalg.transpose ins(%29:tensor<1x5x4xf32>) outs(%30:tensor<4x1x5xf32>) permutation = [2, 0, 1]
// AFTER-NEXT:    %y = tensor.collapse_shape %31 [[0 : i64], [1 : i64, 2 : i64]] : tensor<4x1x5xf32> into tensor<4x5xf32>
// CHECK-NEXT:    func.return %y : tensor<4x5xf32>
// CHECK-NEXT:  }
func.func @row(%x: tensor<2x5xf32>, %w: tensor<4x2x2xf32>) -> tensor<4x5xf32> {
  %y = fused.conv %x weight %w pads [1, 0] : (tensor<2x5xf32>, tensor<4x2x2xf32>) -> tensor<4x5xf32>
  func.return %y : tensor<4x5xf32>
}
