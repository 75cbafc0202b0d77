// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg %t.once | diff %t.once -

// The anchor is a named operation, the epilogue a loop nest behind it.
// CHECK-LABEL: func.func @conv(%x: tensor<3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<4x6x6xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w bias %b : (tensor<3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<4x6x6xf32> epilogue(%acc: f32) {
// BEFORE-NEXT:     %0 = math.tanh %acc : f32
// BEFORE-NEXT:     fused.yield %0 : f32
// BEFORE-NEXT:   }
// BEFORE-NEXT:   func.return %y : tensor<4x6x6xf32>
// AFTER-NEXT:    %0 = tensor.expand_shape %x [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
// AFTER-NEXT:    %1 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %2 = tensor.empty() : tensor<1x4x6x6xf32>
// AFTER-NEXT:    %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
// AFTER-NEXT:    %4 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%0, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%3 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
// AFTER-NEXT:    %5 = tensor.collapse_shape %4 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x4x6x6xf32> into tensor<4x6x6xf32>
// AFTER-NEXT:    %6 = tensor.empty() : tensor<4x6x6xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %b : tensor<4x6x6xf32>, tensor<4xf32>) outs(%6 : tensor<4x6x6xf32>) {
// AFTER-NEXT:    ^bb0(%7: f32, %8: f32, %9: f32):
// AFTER-NEXT:      %10 = arith.addf %7, %8 : f32
// AFTER-NEXT:      %11 = math.tanh %10 : f32
// AFTER-NEXT:      linalg.yield %11 : f32
// AFTER-NEXT:    } -> tensor<4x6x6xf32>
// AFTER-NEXT:    func.return %y : tensor<4x6x6xf32>
// CHECK-NEXT: }
func.func @conv(%x: tensor<3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<4x6x6xf32> {
  %y = fused.conv %x weight %w bias %b : (tensor<3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<4x6x6xf32> epilogue(%acc: f32) {
    %0 = math.tanh %acc : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4x6x6xf32>
}
