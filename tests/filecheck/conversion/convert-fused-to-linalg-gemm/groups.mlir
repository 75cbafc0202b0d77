// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// Few groups with many channels: each is a convolution of its own.
// CHECK-LABEL: func.func @few(%x: tensor<4x5x5xf32>, %w: tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 2 {ncnn.form = "groups"} : (tensor<4x5x5xf32>, tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x4x4xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<4x4x4xf32>
// AFTER-NEXT:    %1 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %2 = tensor.extract_slice %x[0, 0, 0] [2, 5, 5] [1, 1, 1] : tensor<4x5x5xf32> to tensor<2x5x5xf32>
// AFTER-NEXT:    %3 = tensor.empty() : tensor<5x5x2xf32>
// AFTER-NEXT:    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x5x5xf32>) outs(%3 : tensor<5x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%5: f32, %6: f32):
// AFTER-NEXT:      linalg.yield %5 : f32
// AFTER-NEXT:    } -> tensor<5x5x2xf32>
// AFTER-NEXT:    %7 = tensor.pad %4 low[0, 0, 0] high[0, 4, 0] {
// AFTER-NEXT:    ^bb0(%8: index, %9: index, %10: index):
// AFTER-NEXT:      tensor.yield %1 : f32
// AFTER-NEXT:    } : tensor<5x5x2xf32> to tensor<5x9x2xf32>
// AFTER-NEXT:    %11 = tensor.expand_shape %7 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 5, 9, 2] : tensor<5x9x2xf32> into tensor<1x5x9x2xf32>
// AFTER-NEXT:    %12 = tensor.extract_slice %w[0, 0, 0, 0] [2, 2, 2, 2] [1, 1, 1, 1] : tensor<4x2x2x2xf32> to tensor<2x2x2x2xf32>
// AFTER-NEXT:    %13 = tensor.empty() : tensor<2x2x2x2xf32>
// AFTER-NEXT:    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x2x2x2xf32>) outs(%13 : tensor<2x2x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%15: f32, %16: f32):
// AFTER-NEXT:      linalg.yield %15 : f32
// AFTER-NEXT:    } -> tensor<2x2x2x2xf32>
// AFTER-NEXT:    %17 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %18 = tensor.empty() : tensor<1x4x8x2xf32>
// AFTER-NEXT:    %19 = linalg.fill ins(%17 : f32) outs(%18 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
// AFTER-NEXT:    %20 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%11, %14 : tensor<1x5x9x2xf32>, tensor<2x2x2x2xf32>) outs(%19 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
// AFTER-NEXT:    %21 = tensor.collapse_shape %20 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x4x8x2xf32> into tensor<4x8x2xf32>
// AFTER-NEXT:    %22 = tensor.extract_slice %21[0, 0, 0] [4, 4, 2] [1, 1, 1] : tensor<4x8x2xf32> to tensor<4x4x2xf32>
// AFTER-NEXT:    %23 = tensor.insert_slice %22 into %0[0, 0, 0] [4, 4, 2] [1, 1, 1] : tensor<4x4x2xf32> into tensor<4x4x4xf32>
// AFTER-NEXT:    %24 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %25 = tensor.extract_slice %x[2, 0, 0] [2, 5, 5] [1, 1, 1] : tensor<4x5x5xf32> to tensor<2x5x5xf32>
// AFTER-NEXT:    %26 = tensor.empty() : tensor<5x5x2xf32>
// AFTER-NEXT:    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x5x5xf32>) outs(%26 : tensor<5x5x2xf32>) {
// AFTER-NEXT:    ^bb0(%28: f32, %29: f32):
// AFTER-NEXT:      linalg.yield %28 : f32
// AFTER-NEXT:    } -> tensor<5x5x2xf32>
// AFTER-NEXT:    %30 = tensor.pad %27 low[0, 0, 0] high[0, 4, 0] {
// AFTER-NEXT:    ^bb0(%31: index, %32: index, %33: index):
// AFTER-NEXT:      tensor.yield %24 : f32
// AFTER-NEXT:    } : tensor<5x5x2xf32> to tensor<5x9x2xf32>
// AFTER-NEXT:    %34 = tensor.expand_shape %30 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 5, 9, 2] : tensor<5x9x2xf32> into tensor<1x5x9x2xf32>
// AFTER-NEXT:    %35 = tensor.extract_slice %w[2, 0, 0, 0] [2, 2, 2, 2] [1, 1, 1, 1] : tensor<4x2x2x2xf32> to tensor<2x2x2x2xf32>
// AFTER-NEXT:    %36 = tensor.empty() : tensor<2x2x2x2xf32>
// AFTER-NEXT:    %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<2x2x2x2xf32>) outs(%36 : tensor<2x2x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%38: f32, %39: f32):
// AFTER-NEXT:      linalg.yield %38 : f32
// AFTER-NEXT:    } -> tensor<2x2x2x2xf32>
// AFTER-NEXT:    %40 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %41 = tensor.empty() : tensor<1x4x8x2xf32>
// AFTER-NEXT:    %42 = linalg.fill ins(%40 : f32) outs(%41 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
// AFTER-NEXT:    %43 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%34, %37 : tensor<1x5x9x2xf32>, tensor<2x2x2x2xf32>) outs(%42 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
// AFTER-NEXT:    %44 = tensor.collapse_shape %43 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x4x8x2xf32> into tensor<4x8x2xf32>
// AFTER-NEXT:    %45 = tensor.extract_slice %44[0, 0, 0] [4, 4, 2] [1, 1, 1] : tensor<4x8x2xf32> to tensor<4x4x2xf32>
// AFTER-NEXT:    %46 = tensor.insert_slice %45 into %23[0, 0, 2] [4, 4, 2] [1, 1, 1] : tensor<4x4x2xf32> into tensor<4x4x4xf32>
// AFTER-NEXT:    %47 = tensor.empty() : tensor<4x4x4xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<4x4x4xf32>) outs(%47 : tensor<4x4x4xf32>) {
// AFTER-NEXT:    ^bb0(%48: f32, %49: f32):
// AFTER-NEXT:      linalg.yield %48 : f32
// AFTER-NEXT:    } -> tensor<4x4x4xf32>
// AFTER-NEXT:    func.return %y : tensor<4x4x4xf32>
// CHECK-NEXT: }
func.func @few(%x: tensor<4x5x5xf32>, %w: tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32> {
  %y = fused.conv %x weight %w groups 2 {ncnn.form = "groups"} : (tensor<4x5x5xf32>, tensor<4x2x2x2xf32>) -> tensor<4x4x4xf32>
  func.return %y : tensor<4x4x4xf32>
}

// Products of matrices for all groups at once.
// CHECK-LABEL: func.func @many(%x: tensor<4x3x3xf32>, %w: tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 2 {ncnn.form = "grouped"} : (tensor<4x3x3xf32>, tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<6x2x3xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<2x3x2x2x2xf32>
// AFTER-NEXT:    %1 = tensor.empty() : tensor<3x3x4xf32>
// AFTER-NEXT:    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x3x3xf32>) outs(%1 : tensor<3x3x4xf32>) {
// AFTER-NEXT:    ^bb0(%3: f32, %4: f32):
// AFTER-NEXT:      linalg.yield %3 : f32
// AFTER-NEXT:    } -> tensor<3x3x4xf32>
// AFTER-NEXT:    %5 = tensor.extract_slice %2[0, 0, 0] [2, 3, 4] [1, 1, 1] : tensor<3x3x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %6 = tensor.expand_shape %5 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [2, 3, 2, 2] : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
// AFTER-NEXT:    %7 = tensor.insert_slice %6 into %0[0, 0, 0, 0, 0] [2, 3, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x2xf32>
// AFTER-NEXT:    %8 = tensor.extract_slice %2[1, 0, 0] [2, 3, 4] [1, 1, 1] : tensor<3x3x4xf32> to tensor<2x3x4xf32>
// AFTER-NEXT:    %9 = tensor.expand_shape %8 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [2, 3, 2, 2] : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
// AFTER-NEXT:    %10 = tensor.insert_slice %9 into %7[0, 0, 0, 1, 0] [2, 3, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x2xf32>
// AFTER-NEXT:    %11 = tensor.collapse_shape %10 [[0 : i64, 1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<2x3x2x2x2xf32> into tensor<6x2x4xf32>
// AFTER-NEXT:    %12 = tensor.expand_shape %w [[0 : i64, 1 : i64], [2 : i64], [3 : i64], [4 : i64]] output_shape [2, 3, 2, 2, 1] : tensor<6x2x2x1xf32> into tensor<2x3x2x2x1xf32>
// AFTER-NEXT:    %13 = tensor.empty() : tensor<2x2x1x2x3xf32>
// AFTER-NEXT:    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3, d1, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x3x2x2x1xf32>) outs(%13 : tensor<2x2x1x2x3xf32>) {
// AFTER-NEXT:    ^bb0(%15: f32, %16: f32):
// AFTER-NEXT:      linalg.yield %15 : f32
// AFTER-NEXT:    } -> tensor<2x2x1x2x3xf32>
// AFTER-NEXT:    %17 = tensor.collapse_shape %14 [[0 : i64], [1 : i64, 2 : i64, 3 : i64], [4 : i64]] : tensor<2x2x1x2x3xf32> into tensor<2x4x3xf32>
// AFTER-NEXT:    %18 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %19 = tensor.empty() : tensor<6x2x3xf32>
// AFTER-NEXT:    %20 = linalg.fill ins(%18 : f32) outs(%19 : tensor<6x2x3xf32>) -> tensor<6x2x3xf32>
// AFTER-NEXT:    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11, %17 : tensor<6x2x4xf32>, tensor<2x4x3xf32>) outs(%20 : tensor<6x2x3xf32>) {
// AFTER-NEXT:    ^bb0(%22: f32, %23: f32, %24: f32):
// AFTER-NEXT:      %25 = arith.mulf %22, %23 : f32
// AFTER-NEXT:      %26 = arith.addf %24, %25 : f32
// AFTER-NEXT:      linalg.yield %26 : f32
// AFTER-NEXT:    } -> tensor<6x2x3xf32>
// AFTER-NEXT:    %27 = tensor.collapse_shape %21 [[0 : i64], [1 : i64, 2 : i64]] : tensor<6x2x3xf32> into tensor<6x6xf32>
// AFTER-NEXT:    %28 = tensor.expand_shape %27 [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 3, 6] : tensor<6x6xf32> into tensor<2x3x6xf32>
// AFTER-NEXT:    %29 = tensor.empty() : tensor<6x2x3xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x3x6xf32>) outs(%29 : tensor<6x2x3xf32>) {
// AFTER-NEXT:    ^bb0(%30: f32, %31: f32):
// AFTER-NEXT:      linalg.yield %30 : f32
// AFTER-NEXT:    } -> tensor<6x2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<6x2x3xf32>
// CHECK-NEXT: }
func.func @many(%x: tensor<4x3x3xf32>, %w: tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32> {
  %y = fused.conv %x weight %w groups 2 {ncnn.form = "grouped"} : (tensor<4x3x3xf32>, tensor<6x2x2x1xf32>) -> tensor<6x2x3xf32>
  func.return %y : tensor<6x2x3xf32>
}
