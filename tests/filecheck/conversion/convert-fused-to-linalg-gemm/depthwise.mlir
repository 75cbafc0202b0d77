// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// One loop nest multiplies and adds what each place of the kernel sees.
// CHECK-LABEL: func.func @depthwise(%x: tensor<4x4x6xf32>, %w: tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] groups 4 : (tensor<4x4x6xf32>, tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x2x3xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<4x6x4xf32>
// AFTER-NEXT:    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x4x6xf32>) outs(%0 : tensor<4x6x4xf32>) {
// AFTER-NEXT:    ^bb0(%2: f32, %3: f32):
// AFTER-NEXT:      linalg.yield %2 : f32
// AFTER-NEXT:    } -> tensor<4x6x4xf32>
// AFTER-NEXT:    %4 = tensor.extract_slice %1[0, 0, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %5 = tensor.extract_slice %1[0, 1, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %6 = tensor.extract_slice %1[1, 0, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %7 = tensor.extract_slice %1[1, 1, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %8 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x1x2x2xf32> into tensor<4x4xf32>
// AFTER-NEXT:    %9 = tensor.empty() : tensor<4x4xf32>
// AFTER-NEXT:    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<4x4xf32>) outs(%9 : tensor<4x4xf32>) {
// AFTER-NEXT:    ^bb0(%11: f32, %12: f32):
// AFTER-NEXT:      linalg.yield %11 : f32
// AFTER-NEXT:    } -> tensor<4x4xf32>
// AFTER-NEXT:    %13 = tensor.extract_slice %10[0, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
// AFTER-NEXT:    %14 = tensor.extract_slice %10[1, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
// AFTER-NEXT:    %15 = tensor.extract_slice %10[2, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
// AFTER-NEXT:    %16 = tensor.extract_slice %10[3, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
// AFTER-NEXT:    %17 = tensor.collapse_shape %13 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// AFTER-NEXT:    %18 = tensor.collapse_shape %14 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// AFTER-NEXT:    %19 = tensor.collapse_shape %15 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// AFTER-NEXT:    %20 = tensor.collapse_shape %16 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// AFTER-NEXT:    %21 = tensor.empty() : tensor<2x3x4xf32>
// AFTER-NEXT:    %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5, %6, %7, %17, %18, %19, %20 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%21 : tensor<2x3x4xf32>) {
// AFTER-NEXT:    ^bb0(%23: f32, %24: f32, %25: f32, %26: f32, %27: f32, %28: f32, %29: f32, %30: f32, %31: f32):
// AFTER-NEXT:      %32 = arith.mulf %23, %27 : f32
// AFTER-NEXT:      %33 = math.fma %24, %28, %32 : f32
// AFTER-NEXT:      %34 = math.fma %25, %29, %33 : f32
// AFTER-NEXT:      %35 = math.fma %26, %30, %34 : f32
// AFTER-NEXT:      linalg.yield %35 : f32
// AFTER-NEXT:    } -> tensor<2x3x4xf32>
// AFTER-NEXT:    %36 = tensor.empty() : tensor<4x2x3xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x3x4xf32>) outs(%36 : tensor<4x2x3xf32>) {
// AFTER-NEXT:    ^bb0(%37: f32, %38: f32):
// AFTER-NEXT:      linalg.yield %37 : f32
// AFTER-NEXT:    } -> tensor<4x2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<4x2x3xf32>
// CHECK-NEXT: }
func.func @depthwise(%x: tensor<4x4x6xf32>, %w: tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32> {
  %y = fused.conv %x weight %w strides [2, 2] groups 4 : (tensor<4x4x6xf32>, tensor<4x1x2x2xf32>) -> tensor<4x2x3xf32>
  func.return %y : tensor<4x2x3xf32>
}
