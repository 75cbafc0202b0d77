// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// The elements of a window, one slice each.
// CHECK-LABEL: func.func @pool(%x: tensor<4x4x6xf32>) -> tensor<4x2x3xf32> {
// BEFORE-NEXT:   %y = fused.pool max %x kernel [2, 2] strides [2, 2] : (tensor<4x4x6xf32>) -> tensor<4x2x3xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<4x6x4xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<4x4x6xf32>) outs(%0:tensor<4x6x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.extract_slice %1[0, 0, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %3 = tensor.extract_slice %1[0, 1, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %4 = tensor.extract_slice %1[1, 0, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %5 = tensor.extract_slice %1[1, 1, 0] [2, 3, 4] [2, 2, 1] : tensor<4x6x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %6 = tensor.empty() : tensor<2x3x4xf32>
// AFTER-NEXT:    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %3, %4, %5 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%6 : tensor<2x3x4xf32>) {
// AFTER-NEXT:    ^bb0(%8: f32, %9: f32, %10: f32, %11: f32, %12: f32):
// AFTER-NEXT:      %13 = arith.maximumf %8, %9 : f32
// AFTER-NEXT:      %14 = arith.maximumf %13, %10 : f32
// AFTER-NEXT:      %15 = arith.maximumf %14, %11 : f32
// AFTER-NEXT:      linalg.yield %15 : f32
// AFTER-NEXT:    } -> tensor<2x3x4xf32>
// AFTER-NEXT:    %16 = tensor.empty() : tensor<4x2x3xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%7:tensor<2x3x4xf32>) outs(%16:tensor<4x2x3xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<4x2x3xf32>
// CHECK-NEXT: }
func.func @pool(%x: tensor<4x4x6xf32>) -> tensor<4x2x3xf32> {
  %y = fused.pool max %x kernel [2, 2] strides [2, 2] : (tensor<4x4x6xf32>) -> tensor<4x2x3xf32>
  func.return %y : tensor<4x2x3xf32>
}
