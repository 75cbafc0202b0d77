// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// Long rows and few input channels: no columns are laid out.
// CHECK-LABEL: func.func @direct(%x: tensor<3x58x113xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<32x28x56xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] : (tensor<3x58x113xf32>, tensor<32x3x3x3xf32>) -> tensor<32x28x56xf32>
// BEFORE-NEXT:   func.return %y : tensor<32x28x56xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<58x113x3xf32>
// AFTER-NEXT:    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<3x58x113xf32>) outs(%0 : tensor<58x113x3xf32>) {
// AFTER-NEXT:    ^bb0(%2: f32, %3: f32):
// AFTER-NEXT:      linalg.yield %2 : f32
// AFTER-NEXT:    } -> tensor<58x113x3xf32>
// AFTER-NEXT:    %4 = tensor.extract_slice %1[0, 0, 0] [57, 113, 3] [1, 1, 1] : tensor<58x113x3xf32> to tensor<57x113x3xf32>
// AFTER-NEXT:    %5 = tensor.expand_shape %4 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 57, 113, 3] : tensor<57x113x3xf32> into tensor<1x57x113x3xf32>
// AFTER-NEXT:    %6 = tensor.empty() : tensor<3x3x3x32xf32>
// AFTER-NEXT:    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<32x3x3x3xf32>) outs(%6 : tensor<3x3x3x32xf32>) {
// AFTER-NEXT:    ^bb0(%8: f32, %9: f32):
// AFTER-NEXT:      linalg.yield %8 : f32
// AFTER-NEXT:    } -> tensor<3x3x3x32xf32>
// AFTER-NEXT:    %10 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %11 = tensor.empty() : tensor<1x28x56x32xf32>
// AFTER-NEXT:    %12 = linalg.fill ins(%10 : f32) outs(%11 : tensor<1x28x56x32xf32>) -> tensor<1x28x56x32xf32>
// AFTER-NEXT:    %13 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%5, %7 : tensor<1x57x113x3xf32>, tensor<3x3x3x32xf32>) outs(%12 : tensor<1x28x56x32xf32>) -> tensor<1x28x56x32xf32>
// AFTER-NEXT:    %14 = tensor.collapse_shape %13 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x28x56x32xf32> into tensor<28x56x32xf32>
// AFTER-NEXT:    %15 = tensor.empty() : tensor<32x28x56xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<28x56x32xf32>) outs(%15 : tensor<32x28x56xf32>) {
// AFTER-NEXT:    ^bb0(%16: f32, %17: f32):
// AFTER-NEXT:      linalg.yield %16 : f32
// AFTER-NEXT:    } -> tensor<32x28x56xf32>
// AFTER-NEXT:    func.return %y : tensor<32x28x56xf32>
// CHECK-NEXT: }
func.func @direct(%x: tensor<3x58x113xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<32x28x56xf32> {
  %y = fused.conv %x weight %w strides [2, 2] : (tensor<3x58x113xf32>, tensor<32x3x3x3xf32>) -> tensor<32x28x56xf32>
  func.return %y : tensor<32x28x56xf32>
}

// A row of 57 places is computed as one of 64.
// CHECK-LABEL: func.func @longer(%x: tensor<3x31x115xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<32x15x57xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 2] : (tensor<3x31x115xf32>, tensor<32x3x3x3xf32>) -> tensor<32x15x57xf32>
// BEFORE-NEXT:   func.return %y : tensor<32x15x57xf32>
// AFTER-NEXT:    %0 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %1 = tensor.empty() : tensor<31x115x3xf32>
// AFTER-NEXT:    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<3x31x115xf32>) outs(%1 : tensor<31x115x3xf32>) {
// AFTER-NEXT:    ^bb0(%3: f32, %4: f32):
// AFTER-NEXT:      linalg.yield %3 : f32
// AFTER-NEXT:    } -> tensor<31x115x3xf32>
// AFTER-NEXT:    %5 = tensor.pad %2 low[0, 0, 0] high[0, 14, 0] {
// AFTER-NEXT:    ^bb0(%6: index, %7: index, %8: index):
// AFTER-NEXT:      tensor.yield %0 : f32
// AFTER-NEXT:    } : tensor<31x115x3xf32> to tensor<31x129x3xf32>
// AFTER-NEXT:    %9 = tensor.expand_shape %5 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 31, 129, 3] : tensor<31x129x3xf32> into tensor<1x31x129x3xf32>
// AFTER-NEXT:    %10 = tensor.empty() : tensor<3x3x3x32xf32>
// AFTER-NEXT:    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<32x3x3x3xf32>) outs(%10 : tensor<3x3x3x32xf32>) {
// AFTER-NEXT:    ^bb0(%12: f32, %13: f32):
// AFTER-NEXT:      linalg.yield %12 : f32
// AFTER-NEXT:    } -> tensor<3x3x3x32xf32>
// AFTER-NEXT:    %14 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %15 = tensor.empty() : tensor<1x15x64x32xf32>
// AFTER-NEXT:    %16 = linalg.fill ins(%14 : f32) outs(%15 : tensor<1x15x64x32xf32>) -> tensor<1x15x64x32xf32>
// AFTER-NEXT:    %17 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%9, %11 : tensor<1x31x129x3xf32>, tensor<3x3x3x32xf32>) outs(%16 : tensor<1x15x64x32xf32>) -> tensor<1x15x64x32xf32>
// AFTER-NEXT:    %18 = tensor.collapse_shape %17 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x15x64x32xf32> into tensor<15x64x32xf32>
// AFTER-NEXT:    %19 = tensor.extract_slice %18[0, 0, 0] [15, 57, 32] [1, 1, 1] : tensor<15x64x32xf32> to tensor<15x57x32xf32>
// AFTER-NEXT:    %20 = tensor.empty() : tensor<32x15x57xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<15x57x32xf32>) outs(%20 : tensor<32x15x57xf32>) {
// AFTER-NEXT:    ^bb0(%21: f32, %22: f32):
// AFTER-NEXT:      linalg.yield %21 : f32
// AFTER-NEXT:    } -> tensor<32x15x57xf32>
// AFTER-NEXT:    func.return %y : tensor<32x15x57xf32>
// CHECK-NEXT: }
func.func @longer(%x: tensor<3x31x115xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<32x15x57xf32> {
  %y = fused.conv %x weight %w strides [2, 2] : (tensor<3x31x115xf32>, tensor<32x3x3x3xf32>) -> tensor<32x15x57xf32>
  func.return %y : tensor<32x15x57xf32>
}
