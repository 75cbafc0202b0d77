// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// The elements of a window, one slice each.
// CHECK-LABEL: func.func @pool(%x: tensor<4x4x6xf32>) -> tensor<4x2x3xf32> {
// BEFORE-NEXT:   %y = fused.pool max %x kernel [2, 2] strides [2, 2] : (tensor<4x4x6xf32>) -> tensor<4x2x3xf32>
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
// AFTER-NEXT:    %8 = tensor.empty() : tensor<2x3x4xf32>
// AFTER-NEXT:    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5, %6, %7 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%8 : tensor<2x3x4xf32>) {
// AFTER-NEXT:    ^bb0(%10: f32, %11: f32, %12: f32, %13: f32, %14: f32):
// AFTER-NEXT:      %15 = arith.maximumf %10, %11 : f32
// AFTER-NEXT:      %16 = arith.maximumf %15, %12 : f32
// AFTER-NEXT:      %17 = arith.maximumf %16, %13 : f32
// AFTER-NEXT:      linalg.yield %17 : f32
// AFTER-NEXT:    } -> tensor<2x3x4xf32>
// AFTER-NEXT:    %18 = tensor.empty() : tensor<4x2x3xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x3x4xf32>) outs(%18 : tensor<4x2x3xf32>) {
// AFTER-NEXT:    ^bb0(%19: f32, %20: f32):
// AFTER-NEXT:      linalg.yield %19 : f32
// AFTER-NEXT:    } -> tensor<4x2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<4x2x3xf32>
// CHECK-NEXT: }
func.func @pool(%x: tensor<4x4x6xf32>) -> tensor<4x2x3xf32> {
  %y = fused.pool max %x kernel [2, 2] strides [2, 2] : (tensor<4x4x6xf32>) -> tensor<4x2x3xf32>
  func.return %y : tensor<4x2x3xf32>
}
