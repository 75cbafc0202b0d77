// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg="conv=gemm processor=avx2" %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER

// Rows of an odd number of pixels have no fast loop nest over windows without masks.
// CHECK-LABEL: func.func @odd(%x: tensor<2x2x4xf32>, %w: tensor<2x1x2x2xf32>) -> tensor<2x1x3xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 2 : (tensor<2x2x4xf32>, tensor<2x1x2x2xf32>) -> tensor<2x1x3xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<2x4x2xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<2x2x4xf32>) outs(%0:tensor<2x4x2xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.extract_slice %1[0, 0, 0] [1, 3, 2] [1, 1, 1] : tensor<2x4x2xf32> to tensor<1x3x2xf32>
// AFTER-NEXT:    %3 = tensor.extract_slice %1[0, 1, 0] [1, 3, 2] [1, 1, 1] : tensor<2x4x2xf32> to tensor<1x3x2xf32>
// AFTER-NEXT:    %4 = tensor.extract_slice %1[1, 0, 0] [1, 3, 2] [1, 1, 1] : tensor<2x4x2xf32> to tensor<1x3x2xf32>
// AFTER-NEXT:    %5 = tensor.extract_slice %1[1, 1, 0] [1, 3, 2] [1, 1, 1] : tensor<2x4x2xf32> to tensor<1x3x2xf32>
// AFTER-NEXT:    %6 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<2x1x2x2xf32> into tensor<2x4xf32>
// AFTER-NEXT:    %7 = tensor.empty() : tensor<4x2xf32>
// AFTER-NEXT:    %8 = linalg.transpose ins(%6:tensor<2x4xf32>) outs(%7:tensor<4x2xf32>) permutation = [1, 0]
// AFTER-NEXT:    %9 = tensor.extract_slice %8[0, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
// AFTER-NEXT:    %10 = tensor.extract_slice %8[1, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
// AFTER-NEXT:    %11 = tensor.extract_slice %8[2, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
// AFTER-NEXT:    %12 = tensor.extract_slice %8[3, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
// AFTER-NEXT:    %13 = tensor.collapse_shape %9 [[0 : i64, 1 : i64]] : tensor<1x2xf32> into tensor<2xf32>
// AFTER-NEXT:    %14 = tensor.collapse_shape %10 [[0 : i64, 1 : i64]] : tensor<1x2xf32> into tensor<2xf32>
// AFTER-NEXT:    %15 = tensor.collapse_shape %11 [[0 : i64, 1 : i64]] : tensor<1x2xf32> into tensor<2xf32>
// AFTER-NEXT:    %16 = tensor.collapse_shape %12 [[0 : i64, 1 : i64]] : tensor<1x2xf32> into tensor<2xf32>
// AFTER-NEXT:    %17 = tensor.empty() : tensor<1x3x2xf32>
// AFTER-NEXT:    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %3, %4, %5, %13, %14, %15, %16 : tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%17 : tensor<1x3x2xf32>) {
// AFTER-NEXT:    ^bb0(%19: f32, %20: f32, %21: f32, %22: f32, %23: f32, %24: f32, %25: f32, %26: f32, %27: f32):
// AFTER-NEXT:      %28 = arith.mulf %19, %23 : f32
// AFTER-NEXT:      %29 = math.fma %20, %24, %28 : f32
// AFTER-NEXT:      %30 = math.fma %21, %25, %29 : f32
// AFTER-NEXT:      %31 = math.fma %22, %26, %30 : f32
// AFTER-NEXT:      linalg.yield %31 : f32
// AFTER-NEXT:    } -> tensor<1x3x2xf32>
// AFTER-NEXT:    %32 = tensor.empty() : tensor<2x1x3xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%18:tensor<1x3x2xf32>) outs(%32:tensor<2x1x3xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<2x1x3xf32>
// CHECK-NEXT:  }
func.func @odd(%x: tensor<2x2x4xf32>, %w: tensor<2x1x2x2xf32>) -> tensor<2x1x3xf32> {
  %y = fused.conv %x weight %w groups 2 : (tensor<2x2x4xf32>, tensor<2x1x2x2xf32>) -> tensor<2x1x3xf32>
  func.return %y : tensor<2x1x3xf32>
}
