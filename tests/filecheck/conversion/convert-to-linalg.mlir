// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-to-linalg=conv=gemm %t.once | diff %t.once -

// The parts of a Slice are parts of the channels-last copy that the convolution writes. The
// element-wise operation reads them; only the input and the result are transposed.
// CHECK-LABEL: func.func @slice(%x: tensor<4x3x5xf32>, %w: tensor<6x4x1x1xf32>) -> tensor<3x3x5xf32> {
// BEFORE-NEXT:    %a = fused.conv %x weight %w : (tensor<4x3x5xf32>, tensor<6x4x1x1xf32>) -> tensor<6x3x5xf32>
// BEFORE-NEXT:    %b, %c = ncnn.slice %a {slices = [3, 3]} : (tensor<6x3x5xf32>) -> (tensor<3x3x5xf32>, tensor<3x3x5xf32>)
// BEFORE-NEXT:    %y = fused.elementwise %b residuals(%c) : (tensor<3x3x5xf32>, tensor<3x3x5xf32>) -> tensor<3x3x5xf32> epilogue(%acc: f32, %r: f32) {
// BEFORE-NEXT:      %0 = arith.mulf %acc, %r : f32
// BEFORE-NEXT:      fused.yield %0 : f32
// BEFORE-NEXT:    }
// BEFORE-NEXT:    func.return %y : tensor<3x3x5xf32>
// AFTER-NEXT:     %0 = tensor.empty() : tensor<3x5x4xf32>
// AFTER-NEXT:     %1 = linalg.transpose ins(%x:tensor<4x3x5xf32>) outs(%0:tensor<3x5x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:     %2 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<6x4x1x1xf32> into tensor<6x4xf32>
// AFTER-NEXT:     %3 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:     %4 = tensor.empty() : tensor<3x5x6xf32>
// AFTER-NEXT:     %5 = linalg.fill ins(%3 : f32) outs(%4 : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
// AFTER-NEXT:     %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %2 : tensor<3x5x4xf32>, tensor<6x4xf32>) outs(%5 : tensor<3x5x6xf32>) {
// AFTER-NEXT:     ^bb0(%7: f32, %8: f32, %9: f32):
// AFTER-NEXT:       %10 = arith.mulf %7, %8 : f32
// AFTER-NEXT:       %11 = arith.addf %9, %10 : f32
// AFTER-NEXT:       linalg.yield %11 : f32
// AFTER-NEXT:     } -> tensor<3x5x6xf32>
// AFTER-NEXT:     %12 = tensor.extract_slice %6[0, 0, 0] [3, 5, 3] [1, 1, 1] : tensor<3x5x6xf32> to tensor<3x5x3xf32>
// AFTER-NEXT:     %13 = tensor.extract_slice %6[0, 0, 3] [3, 5, 3] [1, 1, 1] : tensor<3x5x6xf32> to tensor<3x5x3xf32>
// AFTER-NEXT:     %14 = tensor.empty() : tensor<3x5x3xf32>
// AFTER-NEXT:     %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %13 : tensor<3x5x3xf32>, tensor<3x5x3xf32>) outs(%14 : tensor<3x5x3xf32>) {
// AFTER-NEXT:     ^bb0(%16: f32, %17: f32, %18: f32):
// AFTER-NEXT:       %19 = arith.mulf %16, %17 : f32
// AFTER-NEXT:       linalg.yield %19 : f32
// AFTER-NEXT:     } -> tensor<3x5x3xf32>
// AFTER-NEXT:     %20 = tensor.empty() : tensor<3x3x5xf32>
// AFTER-NEXT:     %y = linalg.transpose ins(%15:tensor<3x5x3xf32>) outs(%20:tensor<3x3x5xf32>) permutation = [2, 0, 1]
// AFTER-NEXT:     func.return %y : tensor<3x3x5xf32>
// CHECK-NEXT: }
func.func @slice(%x: tensor<4x3x5xf32>, %w: tensor<6x4x1x1xf32>) -> tensor<3x3x5xf32> {
  %a = fused.conv %x weight %w : (tensor<4x3x5xf32>, tensor<6x4x1x1xf32>) -> tensor<6x3x5xf32>
  %b, %c = ncnn.slice %a {slices = [3, 3]} : (tensor<6x3x5xf32>) -> (tensor<3x3x5xf32>, tensor<3x3x5xf32>)
  %y = fused.elementwise %b residuals(%c) : (tensor<3x3x5xf32>, tensor<3x3x5xf32>) -> tensor<3x3x5xf32> epilogue(%acc: f32, %r: f32) {
    %0 = arith.mulf %acc, %r : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<3x3x5xf32>
}
