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
// BEFORE-NEXT:   func.return %y : tensor<2x3x5xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<3x5x4xf32>
// AFTER-NEXT:    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x3x5xf32>) outs(%0 : tensor<3x5x4xf32>) {
// AFTER-NEXT:    ^bb0(%2: f32, %3: f32):
// AFTER-NEXT:      linalg.yield %2 : f32
// AFTER-NEXT:    } -> tensor<3x5x4xf32>
// AFTER-NEXT:    %4 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<2x4x1x1xf32> into tensor<2x4xf32>
// AFTER-NEXT:    %5 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %6 = tensor.empty() : tensor<3x5x2xf32>
// AFTER-NEXT:    %7 = linalg.fill ins(%5 : f32) outs(%6 : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
// AFTER-NEXT:    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %4 : tensor<3x5x4xf32>, tensor<2x4xf32>) outs(%7 : tensor<3x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%9: f32, %10: f32, %11: f32):
// AFTER-NEXT:      %12 = arith.mulf %9, %10 : f32
// AFTER-NEXT:      %13 = arith.addf %11, %12 : f32
// AFTER-NEXT:      linalg.yield %13 : f32
// AFTER-NEXT:    } -> tensor<3x5x2xf32>
// AFTER-NEXT:    %14 = tensor.empty() : tensor<3x5x2xf32>
// AFTER-NEXT:    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<3x5x2xf32>) outs(%14 : tensor<3x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%16: f32, %17: f32):
// AFTER-NEXT:      %18 = math.tanh %16 : f32
// AFTER-NEXT:      linalg.yield %18 : f32
// AFTER-NEXT:    } -> tensor<3x5x2xf32>
// AFTER-NEXT:    %19 = tensor.empty() : tensor<2x3x5xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<3x5x2xf32>) outs(%19 : tensor<2x3x5xf32>) {
// AFTER-NEXT:    ^bb0(%20: f32, %21: f32):
// AFTER-NEXT:      linalg.yield %20 : f32
// AFTER-NEXT:    } -> tensor<2x3x5xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x5xf32>
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
// BEFORE-NEXT:   func.return %z : tensor<2x3x5xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<3x5x4xf32>
// AFTER-NEXT:    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x3x5xf32>) outs(%0 : tensor<3x5x4xf32>) {
// AFTER-NEXT:    ^bb0(%2: f32, %3: f32):
// AFTER-NEXT:      linalg.yield %2 : f32
// AFTER-NEXT:    } -> tensor<3x5x4xf32>
// AFTER-NEXT:    %4 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<2x4x1x1xf32> into tensor<2x4xf32>
// AFTER-NEXT:    %5 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %6 = tensor.empty() : tensor<3x5x2xf32>
// AFTER-NEXT:    %7 = linalg.fill ins(%5 : f32) outs(%6 : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
// AFTER-NEXT:    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %4 : tensor<3x5x4xf32>, tensor<2x4xf32>) outs(%7 : tensor<3x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%9: f32, %10: f32, %11: f32):
// AFTER-NEXT:      %12 = arith.mulf %9, %10 : f32
// AFTER-NEXT:      %13 = arith.addf %11, %12 : f32
// AFTER-NEXT:      linalg.yield %13 : f32
// AFTER-NEXT:    } -> tensor<3x5x2xf32>
// AFTER-NEXT:    %14 = tensor.collapse_shape %v [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<2x2x1x1xf32> into tensor<2x2xf32>
// AFTER-NEXT:    %15 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %16 = tensor.empty() : tensor<3x5x2xf32>
// AFTER-NEXT:    %17 = linalg.fill ins(%15 : f32) outs(%16 : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
// AFTER-NEXT:    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8, %14 : tensor<3x5x2xf32>, tensor<2x2xf32>) outs(%17 : tensor<3x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%19: f32, %20: f32, %21: f32):
// AFTER-NEXT:      %22 = arith.mulf %19, %20 : f32
// AFTER-NEXT:      %23 = arith.addf %21, %22 : f32
// AFTER-NEXT:      linalg.yield %23 : f32
// AFTER-NEXT:    } -> tensor<3x5x2xf32>
// AFTER-NEXT:    %24 = tensor.empty() : tensor<2x3x5xf32>
// AFTER-NEXT:    %z = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<3x5x2xf32>) outs(%24 : tensor<2x3x5xf32>) {
// AFTER-NEXT:    ^bb0(%25: f32, %26: f32):
// AFTER-NEXT:      linalg.yield %25 : f32
// AFTER-NEXT:    } -> tensor<2x3x5xf32>
// AFTER-NEXT:    func.return %z : tensor<2x3x5xf32>
// CHECK-NEXT: }
func.func @chain(%x: tensor<4x3x5xf32>, %w: tensor<2x4x1x1xf32>, %v: tensor<2x2x1x1xf32>) -> tensor<2x3x5xf32> {
  %y = fused.conv %x weight %w : (tensor<4x3x5xf32>, tensor<2x4x1x1xf32>) -> tensor<2x3x5xf32>
  %z = fused.conv %y weight %v : (tensor<2x3x5xf32>, tensor<2x2x1x1xf32>) -> tensor<2x3x5xf32>
  func.return %z : tensor<2x3x5xf32>
}
