// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -

// A transposed convolution of stride 2: one convolution whose outputs are the phases, and their pixels.
// CHECK-LABEL: func.func @phases(%x: tensor<3x4x5xf32>, %w: tensor<2x3x2x2xf32>) -> tensor<2x8x10xf32> {
// BEFORE-NEXT:   %y = fused.conv_transpose %x weight %w strides [2, 2] : (tensor<3x4x5xf32>, tensor<2x3x2x2xf32>) -> tensor<2x8x10xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<2x2x2x3x1x1xf32>
// AFTER-NEXT:    %1 = tensor.empty() : tensor<2x2x2x3xf32>
// AFTER-NEXT:    %2 = linalg.transpose ins(%w:tensor<2x3x2x2xf32>) outs(%1:tensor<2x2x2x3xf32>) permutation = [2, 3, 0, 1]
// AFTER-NEXT:    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x2x2x3xf32>) outs(%0 : tensor<2x2x2x3x1x1xf32>) {
// AFTER-NEXT:    ^bb0(%4: f32, %5: f32):
// AFTER-NEXT:      linalg.yield %4 : f32
// AFTER-NEXT:    } -> tensor<2x2x2x3x1x1xf32>
// AFTER-NEXT:    %6 = tensor.collapse_shape %3 [[0 : i64, 1 : i64, 2 : i64], [3 : i64], [4 : i64], [5 : i64]] : tensor<2x2x2x3x1x1xf32> into tensor<8x3x1x1xf32>
// AFTER-NEXT:    %7 = tensor.empty() : tensor<4x5x3xf32>
// AFTER-NEXT:    %8 = linalg.transpose ins(%x:tensor<3x4x5xf32>) outs(%7:tensor<4x5x3xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %9 = tensor.collapse_shape %6 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<8x3x1x1xf32> into tensor<8x3xf32>
// AFTER-NEXT:    %10 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %11 = tensor.empty() : tensor<4x5x8xf32>
// AFTER-NEXT:    %12 = linalg.fill ins(%10 : f32) outs(%11 : tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
// AFTER-NEXT:    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8, %9 : tensor<4x5x3xf32>, tensor<8x3xf32>) outs(%12 : tensor<4x5x8xf32>) {
// AFTER-NEXT:    ^bb0(%14: f32, %15: f32, %16: f32):
// AFTER-NEXT:      %17 = arith.mulf %14, %15 : f32
// AFTER-NEXT:      %18 = arith.addf %16, %17 : f32
// AFTER-NEXT:      linalg.yield %18 : f32
// AFTER-NEXT:    } -> tensor<4x5x8xf32>
// AFTER-NEXT:    %19 = tensor.expand_shape %13 [[0 : i64], [1 : i64], [2 : i64, 3 : i64, 4 : i64]] output_shape [4, 5, 2, 2, 2] : tensor<4x5x8xf32> into tensor<4x5x2x2x2xf32>
// AFTER-NEXT:    %20 = tensor.empty() : tensor<4x2x5x2x2xf32>
// AFTER-NEXT:    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<4x5x2x2x2xf32>) outs(%20 : tensor<4x2x5x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%22: f32, %23: f32):
// AFTER-NEXT:      linalg.yield %22 : f32
// AFTER-NEXT:    } -> tensor<4x2x5x2x2xf32>
// AFTER-NEXT:    %24 = tensor.collapse_shape %21 [[0 : i64, 1 : i64], [2 : i64, 3 : i64], [4 : i64]] : tensor<4x2x5x2x2xf32> into tensor<8x10x2xf32>
// AFTER-NEXT:    %25 = tensor.empty() : tensor<2x8x10xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%24:tensor<8x10x2xf32>) outs(%25:tensor<2x8x10xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<2x8x10xf32>
// CHECK-NEXT:  }
func.func @phases(%x: tensor<3x4x5xf32>, %w: tensor<2x3x2x2xf32>) -> tensor<2x8x10xf32> {
  %y = fused.conv_transpose %x weight %w strides [2, 2] : (tensor<3x4x5xf32>, tensor<2x3x2x2xf32>) -> tensor<2x8x10xf32>
  func.return %y : tensor<2x8x10xf32>
}

// Depthwise: products with the slices of the input that a phase reads.
// CHECK-LABEL: func.func @depthwise(%x: tensor<4x3x4xf32>, %w: tensor<4x1x2x2xf32>) -> tensor<4x4x6xf32> {
// BEFORE-NEXT:   %y = fused.conv_transpose %x weight %w strides [2, 2] pads [1, 1, 1, 1] groups 4 : (tensor<4x3x4xf32>, tensor<4x1x2x2xf32>) -> tensor<4x4x6xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<4x3x2x4x2xf32>
// AFTER-NEXT:    %1 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<4x1x2x2xf32> into tensor<4x2x2xf32>
// AFTER-NEXT:    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x, %1 : tensor<4x3x4xf32>, tensor<4x2x2xf32>) outs(%0 : tensor<4x3x2x4x2xf32>) {
// AFTER-NEXT:    ^bb0(%3: f32, %4: f32, %5: f32):
// AFTER-NEXT:      %6 = arith.mulf %3, %4 : f32
// AFTER-NEXT:      linalg.yield %6 : f32
// AFTER-NEXT:    } -> tensor<4x3x2x4x2xf32>
// AFTER-NEXT:    %7 = tensor.collapse_shape %2 [[0 : i64], [1 : i64, 2 : i64], [3 : i64, 4 : i64]] : tensor<4x3x2x4x2xf32> into tensor<4x6x8xf32>
// AFTER-NEXT:    %y = tensor.extract_slice %7[0, 1, 1] [4, 4, 6] [1, 1, 1] : tensor<4x6x8xf32> to tensor<4x4x6xf32>
// CHECK-NEXT:    func.return %y : tensor<4x4x6xf32>
// CHECK-NEXT:  }
func.func @depthwise(%x: tensor<4x3x4xf32>, %w: tensor<4x1x2x2xf32>) -> tensor<4x4x6xf32> {
  %y = fused.conv_transpose %x weight %w strides [2, 2] pads [1, 1, 1, 1] groups 4 : (tensor<4x3x4xf32>, tensor<4x1x2x2xf32>) -> tensor<4x4x6xf32>
  func.return %y : tensor<4x4x6xf32>
}

// Without strides: the convolution by the flipped kernel.
// CHECK-LABEL: func.func @stride_of_one(%x: tensor<3x4x5xf32>, %w: tensor<2x3x2x2xf32>) -> tensor<2x5x6xf32> {
// BEFORE-NEXT:   %y = fused.conv_transpose %x weight %w : (tensor<3x4x5xf32>, tensor<2x3x2x2xf32>) -> tensor<2x5x6xf32>
// AFTER-NEXT:    %0 = arith.constant dense<[1, 0]> : tensor<2xi32>
// AFTER-NEXT:    %1 = arith.constant dense<[1, 0]> : tensor<2xi32>
// AFTER-NEXT:    %2 = tensor.empty() : tensor<2x3x2x2xf32>
// AFTER-NEXT:    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2xi32>) outs(%2 : tensor<2x3x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%4: i32, %5: f32):
// AFTER-NEXT:      %6 = arith.index_cast %4 : i32 to index
// AFTER-NEXT:      %7 = linalg.index 0 : index
// AFTER-NEXT:      %8 = linalg.index 1 : index
// AFTER-NEXT:      %9 = linalg.index 3 : index
// AFTER-NEXT:      %10 = tensor.extract %w[%7, %8, %6, %9] : tensor<2x3x2x2xf32>
// AFTER-NEXT:      linalg.yield %10 : f32
// AFTER-NEXT:    } -> tensor<2x3x2x2xf32>
// AFTER-NEXT:    %11 = tensor.empty() : tensor<2x3x2x2xf32>
// AFTER-NEXT:    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2xi32>) outs(%11 : tensor<2x3x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%13: i32, %14: f32):
// AFTER-NEXT:      %15 = arith.index_cast %13 : i32 to index
// AFTER-NEXT:      %16 = linalg.index 0 : index
// AFTER-NEXT:      %17 = linalg.index 1 : index
// AFTER-NEXT:      %18 = linalg.index 2 : index
// AFTER-NEXT:      %19 = tensor.extract %3[%16, %17, %18, %15] : tensor<2x3x2x2xf32>
// AFTER-NEXT:      linalg.yield %19 : f32
// AFTER-NEXT:    } -> tensor<2x3x2x2xf32>
// AFTER-NEXT:    %20 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %21 = tensor.empty() : tensor<4x5x3xf32>
// AFTER-NEXT:    %22 = linalg.transpose ins(%x:tensor<3x4x5xf32>) outs(%21:tensor<4x5x3xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %23 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %24 = tensor.pad %22 low[1, 1, 0] high[1, 3, 0] {
// AFTER-NEXT:    ^bb0(%25: index, %26: index, %27: index):
// AFTER-NEXT:      tensor.yield %23 : f32
// AFTER-NEXT:    } : tensor<4x5x3xf32> to tensor<6x9x3xf32>
// AFTER-NEXT:    %28 = tensor.empty() : tensor<2x2x3x2xf32>
// AFTER-NEXT:    %29 = linalg.transpose ins(%12:tensor<2x3x2x2xf32>) outs(%28:tensor<2x2x3x2xf32>) permutation = [2, 3, 1, 0]
// AFTER-NEXT:    %30 = tensor.expand_shape %24 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 6, 9, 3] : tensor<6x9x3xf32> into tensor<1x6x9x3xf32>
// AFTER-NEXT:    %31 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %32 = tensor.empty() : tensor<1x5x8x2xf32>
// AFTER-NEXT:    %33 = linalg.fill ins(%31 : f32) outs(%32 : tensor<1x5x8x2xf32>) -> tensor<1x5x8x2xf32>
// AFTER-NEXT:    %34 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%30, %29 : tensor<1x6x9x3xf32>, tensor<2x2x3x2xf32>) outs(%33 : tensor<1x5x8x2xf32>) -> tensor<1x5x8x2xf32>
// AFTER-NEXT:    %35 = tensor.collapse_shape %34 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x5x8x2xf32> into tensor<5x8x2xf32>
// AFTER-NEXT:    %36 = tensor.extract_slice %35[0, 0, 0] [5, 6, 2] [1, 1, 1] : tensor<5x8x2xf32> to tensor<5x6x2xf32>
// AFTER-NEXT:    %37 = tensor.empty() : tensor<2x5x6xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%36:tensor<5x6x2xf32>) outs(%37:tensor<2x5x6xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<2x5x6xf32>
// CHECK-NEXT:  }
func.func @stride_of_one(%x: tensor<3x4x5xf32>, %w: tensor<2x3x2x2xf32>) -> tensor<2x5x6xf32> {
  %y = fused.conv_transpose %x weight %w : (tensor<3x4x5xf32>, tensor<2x3x2x2xf32>) -> tensor<2x5x6xf32>
  func.return %y : tensor<2x5x6xf32>
}

// Dilated: the convolution of the input with zeros between its elements.
// CHECK-LABEL: func.func @dilated(%x: tensor<3x4x5xf32>, %w: tensor<2x3x2x2xf32>) -> tensor<2x9x11xf32> {
// BEFORE-NEXT:   %y = fused.conv_transpose %x weight %w strides [2, 2] dilations [2, 2] : (tensor<3x4x5xf32>, tensor<2x3x2x2xf32>) -> tensor<2x9x11xf32>
// AFTER-NEXT:    %0 = arith.constant dense<[1, 0]> : tensor<2xi32>
// AFTER-NEXT:    %1 = arith.constant dense<[1, 0]> : tensor<2xi32>
// AFTER-NEXT:    %2 = tensor.empty() : tensor<2x3x2x2xf32>
// AFTER-NEXT:    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2xi32>) outs(%2 : tensor<2x3x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%4: i32, %5: f32):
// AFTER-NEXT:      %6 = arith.index_cast %4 : i32 to index
// AFTER-NEXT:      %7 = linalg.index 0 : index
// AFTER-NEXT:      %8 = linalg.index 1 : index
// AFTER-NEXT:      %9 = linalg.index 3 : index
// AFTER-NEXT:      %10 = tensor.extract %w[%7, %8, %6, %9] : tensor<2x3x2x2xf32>
// AFTER-NEXT:      linalg.yield %10 : f32
// AFTER-NEXT:    } -> tensor<2x3x2x2xf32>
// AFTER-NEXT:    %11 = tensor.empty() : tensor<2x3x2x2xf32>
// AFTER-NEXT:    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2xi32>) outs(%11 : tensor<2x3x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%13: i32, %14: f32):
// AFTER-NEXT:      %15 = arith.index_cast %13 : i32 to index
// AFTER-NEXT:      %16 = linalg.index 0 : index
// AFTER-NEXT:      %17 = linalg.index 1 : index
// AFTER-NEXT:      %18 = linalg.index 2 : index
// AFTER-NEXT:      %19 = tensor.extract %3[%16, %17, %18, %15] : tensor<2x3x2x2xf32>
// AFTER-NEXT:      linalg.yield %19 : f32
// AFTER-NEXT:    } -> tensor<2x3x2x2xf32>
// AFTER-NEXT:    %20 = tensor.expand_shape %x [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [3, 4, 1, 5] : tensor<3x4x5xf32> into tensor<3x4x1x5xf32>
// AFTER-NEXT:    %21 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %22 = tensor.empty() : tensor<1x5x3x4xf32>
// AFTER-NEXT:    %23 = linalg.transpose ins(%20:tensor<3x4x1x5xf32>) outs(%22:tensor<1x5x3x4xf32>) permutation = [2, 3, 0, 1]
// AFTER-NEXT:    %24 = tensor.pad %23 low[0, 0, 0, 0] high[1, 0, 0, 0] {
// AFTER-NEXT:    ^bb0(%25: index, %26: index, %27: index, %28: index):
// AFTER-NEXT:      tensor.yield %21 : f32
// AFTER-NEXT:    } : tensor<1x5x3x4xf32> to tensor<2x5x3x4xf32>
// AFTER-NEXT:    %29 = tensor.empty() : tensor<3x4x2x5xf32>
// AFTER-NEXT:    %30 = linalg.transpose ins(%24:tensor<2x5x3x4xf32>) outs(%29:tensor<3x4x2x5xf32>) permutation = [2, 3, 0, 1]
// AFTER-NEXT:    %31 = tensor.collapse_shape %30 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<3x4x2x5xf32> into tensor<3x8x5xf32>
// AFTER-NEXT:    %32 = tensor.extract_slice %31[0, 0, 0] [3, 7, 5] [1, 1, 1] : tensor<3x8x5xf32> to tensor<3x7x5xf32>
// AFTER-NEXT:    %33 = tensor.expand_shape %32 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [3, 7, 5, 1] : tensor<3x7x5xf32> into tensor<3x7x5x1xf32>
// AFTER-NEXT:    %34 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %35 = tensor.empty() : tensor<5x1x3x7xf32>
// AFTER-NEXT:    %36 = linalg.transpose ins(%33:tensor<3x7x5x1xf32>) outs(%35:tensor<5x1x3x7xf32>) permutation = [2, 3, 0, 1]
// AFTER-NEXT:    %37 = tensor.pad %36 low[0, 0, 0, 0] high[0, 1, 0, 0] {
// AFTER-NEXT:    ^bb0(%38: index, %39: index, %40: index, %41: index):
// AFTER-NEXT:      tensor.yield %34 : f32
// AFTER-NEXT:    } : tensor<5x1x3x7xf32> to tensor<5x2x3x7xf32>
// AFTER-NEXT:    %42 = tensor.empty() : tensor<3x7x5x2xf32>
// AFTER-NEXT:    %43 = linalg.transpose ins(%37:tensor<5x2x3x7xf32>) outs(%42:tensor<3x7x5x2xf32>) permutation = [2, 3, 0, 1]
// AFTER-NEXT:    %44 = tensor.collapse_shape %43 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<3x7x5x2xf32> into tensor<3x7x10xf32>
// AFTER-NEXT:    %45 = tensor.extract_slice %44[0, 0, 0] [3, 7, 9] [1, 1, 1] : tensor<3x7x10xf32> to tensor<3x7x9xf32>
// AFTER-NEXT:    %46 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %47 = tensor.empty() : tensor<7x9x3xf32>
// AFTER-NEXT:    %48 = linalg.transpose ins(%45:tensor<3x7x9xf32>) outs(%47:tensor<7x9x3xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %49 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %50 = tensor.pad %48 low[2, 2, 0] high[2, 7, 0] {
// AFTER-NEXT:    ^bb0(%51: index, %52: index, %53: index):
// AFTER-NEXT:      tensor.yield %49 : f32
// AFTER-NEXT:    } : tensor<7x9x3xf32> to tensor<11x18x3xf32>
// AFTER-NEXT:    %54 = tensor.empty() : tensor<2x2x3x2xf32>
// AFTER-NEXT:    %55 = linalg.transpose ins(%12:tensor<2x3x2x2xf32>) outs(%54:tensor<2x2x3x2xf32>) permutation = [2, 3, 1, 0]
// AFTER-NEXT:    %56 = tensor.expand_shape %50 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 11, 18, 3] : tensor<11x18x3xf32> into tensor<1x11x18x3xf32>
// AFTER-NEXT:    %57 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %58 = tensor.empty() : tensor<1x9x16x2xf32>
// AFTER-NEXT:    %59 = linalg.fill ins(%57 : f32) outs(%58 : tensor<1x9x16x2xf32>) -> tensor<1x9x16x2xf32>
// AFTER-NEXT:    %60 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>} ins(%56, %55 : tensor<1x11x18x3xf32>, tensor<2x2x3x2xf32>) outs(%59 : tensor<1x9x16x2xf32>) -> tensor<1x9x16x2xf32>
// AFTER-NEXT:    %61 = tensor.collapse_shape %60 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x9x16x2xf32> into tensor<9x16x2xf32>
// AFTER-NEXT:    %62 = tensor.extract_slice %61[0, 0, 0] [9, 11, 2] [1, 1, 1] : tensor<9x16x2xf32> to tensor<9x11x2xf32>
// AFTER-NEXT:    %63 = tensor.empty() : tensor<2x9x11xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%62:tensor<9x11x2xf32>) outs(%63:tensor<2x9x11xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<2x9x11xf32>
// CHECK-NEXT:  }
func.func @dilated(%x: tensor<3x4x5xf32>, %w: tensor<2x3x2x2xf32>) -> tensor<2x9x11xf32> {
  %y = fused.conv_transpose %x weight %w strides [2, 2] dilations [2, 2] : (tensor<3x4x5xf32>, tensor<2x3x2x2xf32>) -> tensor<2x9x11xf32>
  func.return %y : tensor<2x9x11xf32>
}

// In two groups: also.
// CHECK-LABEL: func.func @groups(%x: tensor<4x3x4xf32>, %w: tensor<4x2x2x2xf32>) -> tensor<4x6x8xf32> {
// BEFORE-NEXT:   %y = fused.conv_transpose %x weight %w strides [2, 2] groups 2 : (tensor<4x3x4xf32>, tensor<4x2x2x2xf32>) -> tensor<4x6x8xf32>
// AFTER-NEXT:    %0 = arith.constant dense<[1, 0]> : tensor<2xi32>
// AFTER-NEXT:    %1 = arith.constant dense<[1, 0]> : tensor<2xi32>
// AFTER-NEXT:    %2 = tensor.empty() : tensor<4x2x2x2xf32>
// AFTER-NEXT:    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2xi32>) outs(%2 : tensor<4x2x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%4: i32, %5: f32):
// AFTER-NEXT:      %6 = arith.index_cast %4 : i32 to index
// AFTER-NEXT:      %7 = linalg.index 0 : index
// AFTER-NEXT:      %8 = linalg.index 1 : index
// AFTER-NEXT:      %9 = linalg.index 3 : index
// AFTER-NEXT:      %10 = tensor.extract %w[%7, %8, %6, %9] : tensor<4x2x2x2xf32>
// AFTER-NEXT:      linalg.yield %10 : f32
// AFTER-NEXT:    } -> tensor<4x2x2x2xf32>
// AFTER-NEXT:    %11 = tensor.empty() : tensor<4x2x2x2xf32>
// AFTER-NEXT:    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2xi32>) outs(%11 : tensor<4x2x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%13: i32, %14: f32):
// AFTER-NEXT:      %15 = arith.index_cast %13 : i32 to index
// AFTER-NEXT:      %16 = linalg.index 0 : index
// AFTER-NEXT:      %17 = linalg.index 1 : index
// AFTER-NEXT:      %18 = linalg.index 2 : index
// AFTER-NEXT:      %19 = tensor.extract %3[%16, %17, %18, %15] : tensor<4x2x2x2xf32>
// AFTER-NEXT:      linalg.yield %19 : f32
// AFTER-NEXT:    } -> tensor<4x2x2x2xf32>
// AFTER-NEXT:    %20 = tensor.expand_shape %x [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [4, 3, 1, 4] : tensor<4x3x4xf32> into tensor<4x3x1x4xf32>
// AFTER-NEXT:    %21 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %22 = tensor.empty() : tensor<1x4x4x3xf32>
// AFTER-NEXT:    %23 = linalg.transpose ins(%20:tensor<4x3x1x4xf32>) outs(%22:tensor<1x4x4x3xf32>) permutation = [2, 3, 0, 1]
// AFTER-NEXT:    %24 = tensor.pad %23 low[0, 0, 0, 0] high[1, 0, 0, 0] {
// AFTER-NEXT:    ^bb0(%25: index, %26: index, %27: index, %28: index):
// AFTER-NEXT:      tensor.yield %21 : f32
// AFTER-NEXT:    } : tensor<1x4x4x3xf32> to tensor<2x4x4x3xf32>
// AFTER-NEXT:    %29 = tensor.empty() : tensor<4x3x2x4xf32>
// AFTER-NEXT:    %30 = linalg.transpose ins(%24:tensor<2x4x4x3xf32>) outs(%29:tensor<4x3x2x4xf32>) permutation = [2, 3, 0, 1]
// AFTER-NEXT:    %31 = tensor.collapse_shape %30 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<4x3x2x4xf32> into tensor<4x6x4xf32>
// AFTER-NEXT:    %32 = tensor.extract_slice %31[0, 0, 0] [4, 5, 4] [1, 1, 1] : tensor<4x6x4xf32> to tensor<4x5x4xf32>
// AFTER-NEXT:    %33 = tensor.expand_shape %32 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [4, 5, 4, 1] : tensor<4x5x4xf32> into tensor<4x5x4x1xf32>
// AFTER-NEXT:    %34 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %35 = tensor.empty() : tensor<4x1x4x5xf32>
// AFTER-NEXT:    %36 = linalg.transpose ins(%33:tensor<4x5x4x1xf32>) outs(%35:tensor<4x1x4x5xf32>) permutation = [2, 3, 0, 1]
// AFTER-NEXT:    %37 = tensor.pad %36 low[0, 0, 0, 0] high[0, 1, 0, 0] {
// AFTER-NEXT:    ^bb0(%38: index, %39: index, %40: index, %41: index):
// AFTER-NEXT:      tensor.yield %34 : f32
// AFTER-NEXT:    } : tensor<4x1x4x5xf32> to tensor<4x2x4x5xf32>
// AFTER-NEXT:    %42 = tensor.empty() : tensor<4x5x4x2xf32>
// AFTER-NEXT:    %43 = linalg.transpose ins(%37:tensor<4x2x4x5xf32>) outs(%42:tensor<4x5x4x2xf32>) permutation = [2, 3, 0, 1]
// AFTER-NEXT:    %44 = tensor.collapse_shape %43 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<4x5x4x2xf32> into tensor<4x5x8xf32>
// AFTER-NEXT:    %45 = tensor.extract_slice %44[0, 0, 0] [4, 5, 7] [1, 1, 1] : tensor<4x5x8xf32> to tensor<4x5x7xf32>
// AFTER-NEXT:    %46 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %47 = tensor.empty() : tensor<5x7x4xf32>
// AFTER-NEXT:    %48 = linalg.transpose ins(%45:tensor<4x5x7xf32>) outs(%47:tensor<5x7x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %49 = tensor.pad %48 low[1, 1, 0] high[1, 1, 0] {
// AFTER-NEXT:    ^bb0(%50: index, %51: index, %52: index):
// AFTER-NEXT:      tensor.yield %46 : f32
// AFTER-NEXT:    } : tensor<5x7x4xf32> to tensor<7x9x4xf32>
// AFTER-NEXT:    %53 = tensor.expand_shape %49 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [7, 9, 2, 2] : tensor<7x9x4xf32> into tensor<7x9x2x2xf32>
// AFTER-NEXT:    %54 = tensor.empty() : tensor<7x8x2x2x2xf32>
// AFTER-NEXT:    %55 = tensor.extract_slice %53[0, 0, 0, 0] [7, 8, 2, 2] [1, 1, 1, 1] : tensor<7x9x2x2xf32> to tensor<7x8x2x2xf32>
// AFTER-NEXT:    %56 = tensor.insert_slice %55 into %54[0, 0, 0, 0, 0] [7, 8, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<7x8x2x2xf32> into tensor<7x8x2x2x2xf32>
// AFTER-NEXT:    %57 = tensor.extract_slice %53[0, 1, 0, 0] [7, 8, 2, 2] [1, 1, 1, 1] : tensor<7x9x2x2xf32> to tensor<7x8x2x2xf32>
// AFTER-NEXT:    %58 = tensor.insert_slice %57 into %56[0, 0, 0, 1, 0] [7, 8, 2, 1, 2] [1, 1, 1, 1, 1] : tensor<7x8x2x2xf32> into tensor<7x8x2x2x2xf32>
// AFTER-NEXT:    %59 = tensor.collapse_shape %58 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<7x8x2x2x2xf32> into tensor<7x8x2x4xf32>
// AFTER-NEXT:    %60 = tensor.empty() : tensor<6x8x2x2x4xf32>
// AFTER-NEXT:    %61 = tensor.extract_slice %59[0, 0, 0, 0] [6, 8, 2, 4] [1, 1, 1, 1] : tensor<7x8x2x4xf32> to tensor<6x8x2x4xf32>
// AFTER-NEXT:    %62 = tensor.insert_slice %61 into %60[0, 0, 0, 0, 0] [6, 8, 2, 1, 4] [1, 1, 1, 1, 1] : tensor<6x8x2x4xf32> into tensor<6x8x2x2x4xf32>
// AFTER-NEXT:    %63 = tensor.extract_slice %59[1, 0, 0, 0] [6, 8, 2, 4] [1, 1, 1, 1] : tensor<7x8x2x4xf32> to tensor<6x8x2x4xf32>
// AFTER-NEXT:    %64 = tensor.insert_slice %63 into %62[0, 0, 0, 1, 0] [6, 8, 2, 1, 4] [1, 1, 1, 1, 1] : tensor<6x8x2x4xf32> into tensor<6x8x2x2x4xf32>
// AFTER-NEXT:    %65 = tensor.collapse_shape %64 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<6x8x2x2x4xf32> into tensor<6x8x2x8xf32>
// AFTER-NEXT:    %66 = tensor.collapse_shape %65 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<6x8x2x8xf32> into tensor<48x16xf32>
// AFTER-NEXT:    %67 = tensor.empty() : tensor<4x2x2x2xf32>
// AFTER-NEXT:    %68 = linalg.transpose ins(%12:tensor<4x2x2x2xf32>) outs(%67:tensor<4x2x2x2xf32>) permutation = [0, 2, 3, 1]
// AFTER-NEXT:    %69 = tensor.collapse_shape %68 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x2x2x2xf32> into tensor<4x8xf32>
// AFTER-NEXT:    %70 = tensor.expand_shape %69 [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
// AFTER-NEXT:    %71 = tensor.expand_shape %66 [[0 : i64], [1 : i64, 2 : i64]] output_shape [48, 2, 8] : tensor<48x16xf32> into tensor<48x2x8xf32>
// AFTER-NEXT:    %72 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %73 = tensor.empty() : tensor<48x2x2xf32>
// AFTER-NEXT:    %74 = linalg.fill ins(%72 : f32) outs(%73 : tensor<48x2x2xf32>) -> tensor<48x2x2xf32>
// AFTER-NEXT:    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71, %70 : tensor<48x2x8xf32>, tensor<2x2x8xf32>) outs(%74 : tensor<48x2x2xf32>) {
// AFTER-NEXT:    ^bb0(%76: f32, %77: f32, %78: f32):
// AFTER-NEXT:      %79 = arith.mulf %76, %77 : f32
// AFTER-NEXT:      %80 = arith.addf %78, %79 : f32
// AFTER-NEXT:      linalg.yield %80 : f32
// AFTER-NEXT:    } -> tensor<48x2x2xf32>
// AFTER-NEXT:    %81 = tensor.collapse_shape %75 [[0 : i64], [1 : i64, 2 : i64]] : tensor<48x2x2xf32> into tensor<48x4xf32>
// AFTER-NEXT:    %82 = tensor.expand_shape %81 [[0 : i64, 1 : i64], [2 : i64]] output_shape [6, 8, 4] : tensor<48x4xf32> into tensor<6x8x4xf32>
// AFTER-NEXT:    %83 = tensor.empty() : tensor<4x6x8xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%82:tensor<6x8x4xf32>) outs(%83:tensor<4x6x8xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<4x6x8xf32>
// CHECK-NEXT:  }
func.func @groups(%x: tensor<4x3x4xf32>, %w: tensor<4x2x2x2xf32>) -> tensor<4x6x8xf32> {
  %y = fused.conv_transpose %x weight %w strides [2, 2] groups 2 : (tensor<4x3x4xf32>, tensor<4x2x2x2xf32>) -> tensor<4x6x8xf32>
  func.return %y : tensor<4x6x8xf32>
}
