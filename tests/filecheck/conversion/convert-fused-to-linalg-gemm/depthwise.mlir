// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// One loop nest multiplies and adds what each place of the kernel sees.
// CHECK-LABEL: func.func @depthwise(%x: tensor<4x4x6xf32>, %w: tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] groups 4 : (tensor<4x4x6xf32>, tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32>
// AFTER-NEXT:    %0 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<4x1x2x2xf32> into tensor<4x2x2xf32>
// AFTER-NEXT:    %1 = tensor.empty() : tensor<2x2x4xf32>
// AFTER-NEXT:    %2 = linalg.transpose ins(%0:tensor<4x2x2xf32>) outs(%1:tensor<2x2x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %3 = tensor.empty() : tensor<4x6x4xf32>
// AFTER-NEXT:    %4 = linalg.transpose ins(%x:tensor<4x4x6xf32>) outs(%3:tensor<4x6x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %5 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %6 = tensor.empty() : tensor<2x3x4xf32>
// AFTER-NEXT:    %7 = linalg.fill ins(%5 : f32) outs(%6 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (((d0 * 2) + d3), ((d1 * 2) + d4), d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%4, %2 : tensor<4x6x4xf32>, tensor<2x2x4xf32>) outs(%7 : tensor<2x3x4xf32>) {
// AFTER-NEXT:    ^bb0(%9: f32, %10: f32, %11: f32):
// AFTER-NEXT:      %12 = arith.mulf %9, %10 : f32
// AFTER-NEXT:      %13 = arith.addf %11, %12 : f32
// AFTER-NEXT:      linalg.yield %13 : f32
// AFTER-NEXT:    } -> tensor<2x3x4xf32>
// AFTER-NEXT:    %14 = tensor.empty() : tensor<4x2x3xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%8:tensor<2x3x4xf32>) outs(%14:tensor<4x2x3xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<4x2x3xf32>
// CHECK-NEXT: }
func.func @depthwise(%x: tensor<4x4x6xf32>, %w: tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32> {
  %y = fused.conv %x weight %w strides [2, 2] groups 4 : (tensor<4x4x6xf32>, tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32>
  func.return %y : tensor<4x2x3xf32>
}

// A form of its own: one element-wise kernel over the slices that the elements of the window read.
// CHECK-LABEL: func.func @taps(%x: tensor<4x4x6xf32>, %w: tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] groups 4 {ncnn.form = "taps"} : (tensor<4x4x6xf32>, tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<4x6x4xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<4x4x6xf32>) outs(%0:tensor<4x6x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.extract_slice %1[0, 0, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %3 = tensor.extract_slice %1[0, 1, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %4 = tensor.extract_slice %1[1, 0, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %5 = tensor.extract_slice %1[1, 1, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %6 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x1x2x2xf32> into tensor<4x4xf32>
// AFTER-NEXT:    %7 = tensor.empty() : tensor<4x4xf32>
// AFTER-NEXT:    %8 = linalg.transpose ins(%6:tensor<4x4xf32>) outs(%7:tensor<4x4xf32>) permutation = [1, 0]
// AFTER-NEXT:    %9 = tensor.extract_slice %8[0, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
// AFTER-NEXT:    %10 = tensor.extract_slice %8[1, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
// AFTER-NEXT:    %11 = tensor.extract_slice %8[2, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
// AFTER-NEXT:    %12 = tensor.extract_slice %8[3, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
// AFTER-NEXT:    %13 = tensor.collapse_shape %9 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// AFTER-NEXT:    %14 = tensor.collapse_shape %10 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// AFTER-NEXT:    %15 = tensor.collapse_shape %11 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// AFTER-NEXT:    %16 = tensor.collapse_shape %12 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// AFTER-NEXT:    %17 = tensor.empty() : tensor<2x3x4xf32>
// AFTER-NEXT:    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %3, %4, %5, %13, %14, %15, %16 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%17 : tensor<2x3x4xf32>) {
// AFTER-NEXT:    ^bb0(%19: f32, %20: f32, %21: f32, %22: f32, %23: f32, %24: f32, %25: f32, %26: f32, %27: f32):
// AFTER-NEXT:      %28 = arith.mulf %19, %23 : f32
// AFTER-NEXT:      %29 = math.fma %20, %24, %28 : f32
// AFTER-NEXT:      %30 = math.fma %21, %25, %29 : f32
// AFTER-NEXT:      %31 = math.fma %22, %26, %30 : f32
// AFTER-NEXT:      linalg.yield %31 : f32
// AFTER-NEXT:    } -> tensor<2x3x4xf32>
// AFTER-NEXT:    %32 = tensor.empty() : tensor<4x2x3xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%18:tensor<2x3x4xf32>) outs(%32:tensor<4x2x3xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<4x2x3xf32>
// CHECK-NEXT: }
func.func @taps(%x: tensor<4x4x6xf32>, %w: tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32> {
  %y = fused.conv %x weight %w strides [2, 2] groups 4 {ncnn.form = "taps"} : (tensor<4x4x6xf32>, tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32>
  func.return %y : tensor<4x2x3xf32>
}
