// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg="conv=gemm processor=avx2" %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER

// On AVX2, sums of 8 inputs at once would make IREE's tiles smaller; a ninth input of zeros avoids this.
// CHECK-LABEL: func.func @extended(%x: tensor<8x6x30xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<8x4x28xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w {ncnn.form = "direct"} : (tensor<8x6x30xf32>, tensor<8x8x3x3xf32>) -> tensor<8x4x28xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<6x30x8xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<8x6x30xf32>) outs(%0:tensor<6x30x8xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.empty() : tensor<3x3x8x8xf32>
// AFTER-NEXT:    %3 = linalg.transpose ins(%w:tensor<8x8x3x3xf32>) outs(%2:tensor<3x3x8x8xf32>) permutation = [2, 3, 1, 0]
// AFTER-NEXT:    %4 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %5 = tensor.pad %1 low[0, 0, 0] high[0, 0, 1] {
// AFTER-NEXT:    ^bb0(%6: index, %7: index, %8: index):
// AFTER-NEXT:      tensor.yield %4 : f32
// AFTER-NEXT:    } : tensor<6x30x8xf32> to tensor<6x30x9xf32>
// AFTER-NEXT:    %9 = tensor.pad %3 low[0, 0, 0, 0] high[0, 0, 1, 0] {
// AFTER-NEXT:    ^bb0(%10: index, %11: index, %12: index, %13: index):
// AFTER-NEXT:      tensor.yield %4 : f32
// AFTER-NEXT:    } : tensor<3x3x8x8xf32> to tensor<3x3x9x8xf32>
// AFTER-NEXT:    %14 = tensor.expand_shape %5 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 6, 30, 9] : tensor<6x30x9xf32> into tensor<1x6x30x9xf32>
// AFTER-NEXT:    %15 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %16 = tensor.empty() : tensor<1x4x28x8xf32>
// AFTER-NEXT:    %17 = linalg.fill ins(%15 : f32) outs(%16 : tensor<1x4x28x8xf32>) -> tensor<1x4x28x8xf32>
// AFTER-NEXT:    %18 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%14, %9 : tensor<1x6x30x9xf32>, tensor<3x3x9x8xf32>) outs(%17 : tensor<1x4x28x8xf32>) -> tensor<1x4x28x8xf32>
// AFTER-NEXT:    %19 = tensor.collapse_shape %18 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x4x28x8xf32> into tensor<4x28x8xf32>
// AFTER-NEXT:    %20 = tensor.empty() : tensor<8x4x28xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%19:tensor<4x28x8xf32>) outs(%20:tensor<8x4x28xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<8x4x28xf32>
// CHECK-NEXT: }
func.func @extended(%x: tensor<8x6x30xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<8x4x28xf32> {
  %y = fused.conv %x weight %w {ncnn.form = "direct"} : (tensor<8x6x30xf32>, tensor<8x8x3x3xf32>) -> tensor<8x4x28xf32>
  func.return %y : tensor<8x4x28xf32>
}

// Sums of 4 inputs stay.
// CHECK-LABEL: func.func @four(%x: tensor<4x6x30xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<8x4x28xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w {ncnn.form = "direct"} : (tensor<4x6x30xf32>, tensor<8x4x3x3xf32>) -> tensor<8x4x28xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<6x30x4xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<4x6x30xf32>) outs(%0:tensor<6x30x4xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.empty() : tensor<3x3x4x8xf32>
// AFTER-NEXT:    %3 = linalg.transpose ins(%w:tensor<8x4x3x3xf32>) outs(%2:tensor<3x3x4x8xf32>) permutation = [2, 3, 1, 0]
// AFTER-NEXT:    %4 = tensor.expand_shape %1 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 6, 30, 4] : tensor<6x30x4xf32> into tensor<1x6x30x4xf32>
// AFTER-NEXT:    %5 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %6 = tensor.empty() : tensor<1x4x28x8xf32>
// AFTER-NEXT:    %7 = linalg.fill ins(%5 : f32) outs(%6 : tensor<1x4x28x8xf32>) -> tensor<1x4x28x8xf32>
// AFTER-NEXT:    %8 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%4, %3 : tensor<1x6x30x4xf32>, tensor<3x3x4x8xf32>) outs(%7 : tensor<1x4x28x8xf32>) -> tensor<1x4x28x8xf32>
// AFTER-NEXT:    %9 = tensor.collapse_shape %8 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x4x28x8xf32> into tensor<4x28x8xf32>
// AFTER-NEXT:    %10 = tensor.empty() : tensor<8x4x28xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%9:tensor<4x28x8xf32>) outs(%10:tensor<8x4x28xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<8x4x28xf32>
// CHECK-NEXT: }
func.func @four(%x: tensor<4x6x30xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<8x4x28xf32> {
  %y = fused.conv %x weight %w {ncnn.form = "direct"} : (tensor<4x6x30xf32>, tensor<8x4x3x3xf32>) -> tensor<8x4x28xf32>
  func.return %y : tensor<8x4x28xf32>
}

// Rows of an odd number of pixels have no fast loop nest over windows without masks.
// CHECK-LABEL: func.func @odd(%x: tensor<2x2x4xf32>, %w: tensor<2x1x2x2xf32>) -> tensor<2x1x3xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 2 : (tensor<2x2x4xf32>, tensor<2x1x2x2xf32>) -> tensor<2x1x3xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<2x4x2xf32>
// AFTER-NEXT:    %1 = linalg.transpose ins(%x:tensor<2x2x4xf32>) outs(%0:tensor<2x4x2xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %2 = tensor.extract_slice %1[0, 0, 0] [1, 3, 2] [1, 1, 1] : tensor<2x4x2xf32> to tensor<1x3x2xf32>
// AFTER-NEXT:    %3 = tensor.extract_slice %1[0, 1, 0] [1, 3, 2] [1, 1, 1] : tensor<2x4x2xf32> to tensor<1x3x2xf32>
// AFTER-NEXT:    %4 = tensor.extract_slice %1[1, 0, 0] [1, 3, 2] [1, 1, 1] : tensor<2x4x2xf32> to tensor<1x3x2xf32>
// AFTER-NEXT:    %5 = tensor.extract_slice %1[1, 1, 0] [1, 3, 2] [1, 1, 1] : tensor<2x4x2xf32> to tensor<1x3x2xf32>
// AFTER-NEXT:    %6 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<2x1x2x2xf32> into tensor<2x4xf32>
// AFTER-NEXT:    %7 = tensor.empty() : tensor<4x2xf32>
// AFTER-NEXT:    %8 = linalg.transpose ins(%6:tensor<2x4xf32>) outs(%7:tensor<4x2xf32>) permutation = [1, 0]
// AFTER-NEXT:    %9 = tensor.extract_slice %8[0, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
// AFTER-NEXT:    %10 = tensor.extract_slice %8[1, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
// AFTER-NEXT:    %11 = tensor.extract_slice %8[2, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
// AFTER-NEXT:    %12 = tensor.extract_slice %8[3, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
// AFTER-NEXT:    %13 = tensor.collapse_shape %9 [[0 : i64, 1 : i64]] : tensor<1x2xf32> into tensor<2xf32>
// AFTER-NEXT:    %14 = tensor.collapse_shape %10 [[0 : i64, 1 : i64]] : tensor<1x2xf32> into tensor<2xf32>
// AFTER-NEXT:    %15 = tensor.collapse_shape %11 [[0 : i64, 1 : i64]] : tensor<1x2xf32> into tensor<2xf32>
// AFTER-NEXT:    %16 = tensor.collapse_shape %12 [[0 : i64, 1 : i64]] : tensor<1x2xf32> into tensor<2xf32>
// AFTER-NEXT:    %17 = tensor.empty() : tensor<1x3x2xf32>
// AFTER-NEXT:    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %3, %4, %5, %13, %14, %15, %16 : tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%17 : tensor<1x3x2xf32>) {
// AFTER-NEXT:    ^bb0(%19: f32, %20: f32, %21: f32, %22: f32, %23: f32, %24: f32, %25: f32, %26: f32, %27: f32):
// AFTER-NEXT:      %28 = arith.mulf %19, %23 : f32
// AFTER-NEXT:      %29 = math.fma %20, %24, %28 : f32
// AFTER-NEXT:      %30 = math.fma %21, %25, %29 : f32
// AFTER-NEXT:      %31 = math.fma %22, %26, %30 : f32
// AFTER-NEXT:      linalg.yield %31 : f32
// AFTER-NEXT:    } -> tensor<1x3x2xf32>
// AFTER-NEXT:    %32 = tensor.empty() : tensor<2x1x3xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%18:tensor<1x3x2xf32>) outs(%32:tensor<2x1x3xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<2x1x3xf32>
// CHECK-NEXT: }
func.func @odd(%x: tensor<2x2x4xf32>, %w: tensor<2x1x2x2xf32>) -> tensor<2x1x3xf32> {
  %y = fused.conv %x weight %w groups 2 : (tensor<2x2x4xf32>, tensor<2x1x2x2xf32>) -> tensor<2x1x3xf32>
  func.return %y : tensor<2x1x3xf32>
}
