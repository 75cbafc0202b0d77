// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// A window of one place is a sum over channels, with those of both sides innermost; its epilogue is computed so, too.
// CHECK-LABEL: func.func @pointwise(%x: tensor<4x3x5xf32>, %w: tensor<2x4x1x1xf32>) -> tensor<2x3x5xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w : (tensor<4x3x5xf32>, tensor<2x4x1x1xf32>) -> tensor<2x3x5xf32> epilogue(%acc: f32) {
// BEFORE-NEXT:     %0 = math.tanh %acc : f32
// BEFORE-NEXT:     fused.yield %0 : f32
// BEFORE-NEXT:   }
// AFTER-NEXT:    %0 = tensor.empty() : tensor<3x5x4xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<4x3x5xf32>) outs(%0:tensor<3x5x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<2x4x1x1xf32> into tensor<2x4xf32>
// AFTER-NEXT:    %3 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %4 = tensor.empty() : tensor<3x5x2xf32>
// AFTER-NEXT:    %5 = linalg.fill ins(%3 : f32) outs(%4 : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
// AFTER-NEXT:    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %2 : tensor<3x5x4xf32>, tensor<2x4xf32>) outs(%5 : tensor<3x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%7: f32, %8: f32, %9: f32):
// AFTER-NEXT:      %10 = arith.mulf %7, %8 : f32
// AFTER-NEXT:      %11 = arith.addf %9, %10 : f32
// AFTER-NEXT:      linalg.yield %11 : f32
// AFTER-NEXT:    } -> tensor<3x5x2xf32>
// AFTER-NEXT:    %12 = tensor.empty() : tensor<3x5x2xf32>
// AFTER-NEXT:    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<3x5x2xf32>) outs(%12 : tensor<3x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%14: f32, %15: f32):
// AFTER-NEXT:      %16 = math.tanh %14 : f32
// AFTER-NEXT:      linalg.yield %16 : f32
// AFTER-NEXT:    } -> tensor<3x5x2xf32>
// AFTER-NEXT:    %17 = tensor.empty() : tensor<2x3x5xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%13:tensor<3x5x2xf32>) outs(%17:tensor<2x3x5xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<2x3x5xf32>
// CHECK-NEXT: }
func.func @pointwise(%x: tensor<4x3x5xf32>, %w: tensor<2x4x1x1xf32>) -> tensor<2x3x5xf32> {
  %y = fused.conv %x weight %w : (tensor<4x3x5xf32>, tensor<2x4x1x1xf32>) -> tensor<2x3x5xf32> epilogue(%acc: f32) {
    %0 = math.tanh %acc : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<2x3x5xf32>
}

// Between two convolutions no axes are permuted.
// CHECK-LABEL: func.func @chain(%x: tensor<4x3x5xf32>, %w: tensor<2x4x1x1xf32>, %v: tensor<2x2x1x1xf32>) -> tensor<2x3x5xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w : (tensor<4x3x5xf32>, tensor<2x4x1x1xf32>) -> tensor<2x3x5xf32>
// BEFORE-NEXT:   %z = fused.conv %y weight %v : (tensor<2x3x5xf32>, tensor<2x2x1x1xf32>) -> tensor<2x3x5xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<3x5x4xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<4x3x5xf32>) outs(%0:tensor<3x5x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<2x4x1x1xf32> into tensor<2x4xf32>
// AFTER-NEXT:    %3 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %4 = tensor.empty() : tensor<3x5x2xf32>
// AFTER-NEXT:    %5 = linalg.fill ins(%3 : f32) outs(%4 : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
// AFTER-NEXT:    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %2 : tensor<3x5x4xf32>, tensor<2x4xf32>) outs(%5 : tensor<3x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%7: f32, %8: f32, %9: f32):
// AFTER-NEXT:      %10 = arith.mulf %7, %8 : f32
// AFTER-NEXT:      %11 = arith.addf %9, %10 : f32
// AFTER-NEXT:      linalg.yield %11 : f32
// AFTER-NEXT:    } -> tensor<3x5x2xf32>
// AFTER-NEXT:    %12 = tensor.collapse_shape %v [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<2x2x1x1xf32> into tensor<2x2xf32>
// AFTER-NEXT:    %13 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %14 = tensor.empty() : tensor<3x5x2xf32>
// AFTER-NEXT:    %15 = linalg.fill ins(%13 : f32) outs(%14 : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
// AFTER-NEXT:    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6, %12 : tensor<3x5x2xf32>, tensor<2x2xf32>) outs(%15 : tensor<3x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%17: f32, %18: f32, %19: f32):
// AFTER-NEXT:      %20 = arith.mulf %17, %18 : f32
// AFTER-NEXT:      %21 = arith.addf %19, %20 : f32
// AFTER-NEXT:      linalg.yield %21 : f32
// AFTER-NEXT:    } -> tensor<3x5x2xf32>
// AFTER-NEXT:    %22 = tensor.empty() : tensor<2x3x5xf32>
// AFTER-NEXT:    %z = linalg.transpose ins(%16:tensor<3x5x2xf32>) outs(%22:tensor<2x3x5xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %z : tensor<2x3x5xf32>
// CHECK-NEXT: }
func.func @chain(%x: tensor<4x3x5xf32>, %w: tensor<2x4x1x1xf32>, %v: tensor<2x2x1x1xf32>) -> tensor<2x3x5xf32> {
  %y = fused.conv %x weight %w : (tensor<4x3x5xf32>, tensor<2x4x1x1xf32>) -> tensor<2x3x5xf32>
  %z = fused.conv %y weight %v : (tensor<2x3x5xf32>, tensor<2x2x1x1xf32>) -> tensor<2x3x5xf32>
  func.return %z : tensor<2x3x5xf32>
}
