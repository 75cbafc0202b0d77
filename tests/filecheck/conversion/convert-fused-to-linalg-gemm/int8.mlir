// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// int8 stays int8 in the border and the columns; sums are i32.
// CHECK-LABEL: func.func @columns(%x: tensor<2x3x3xi8>, %w: tensor<4x2x2x2xi8>) -> tensor<4x2x2xi32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 1] pads [1, 0, 0, 0] : (tensor<2x3x3xi8>, tensor<4x2x2x2xi8>) -> tensor<4x2x2xi32>
// AFTER-NEXT:    %0 = arith.constant 0 : i8
// AFTER-NEXT:    %1 = tensor.empty() : tensor<3x3x2xi8>
// AFTER-NEXT:    %2 = linalg.transpose ins(%x:tensor<2x3x3xi8>) outs(%1:tensor<3x3x2xi8>) permutation = [1, 2, 0]
// AFTER-NEXT:    %3 = tensor.pad %2 low[1, 0, 0] high[0, 0, 0] {
// AFTER-NEXT:    ^bb0(%4: index, %5: index, %6: index):
// AFTER-NEXT:      tensor.yield %0 : i8
// AFTER-NEXT:    } : tensor<3x3x2xi8> to tensor<4x3x2xi8>
// AFTER-NEXT:    %7 = tensor.empty() : tensor<2x2x4x2xi8>
// AFTER-NEXT:    %8 = tensor.extract_slice %3[0, 0, 0] [2, 2, 2] [2, 1, 1] : tensor<4x3x2xi8> to tensor<2x2x2xi8>
// AFTER-NEXT:    %9 = tensor.insert_slice %8 into %7[0, 0, 0, 0] [2, 2, 1, 2] [1, 1, 1, 1] : tensor<2x2x2xi8> into tensor<2x2x4x2xi8>
// AFTER-NEXT:    %10 = tensor.extract_slice %3[0, 1, 0] [2, 2, 2] [2, 1, 1] : tensor<4x3x2xi8> to tensor<2x2x2xi8>
// AFTER-NEXT:    %11 = tensor.insert_slice %10 into %9[0, 0, 1, 0] [2, 2, 1, 2] [1, 1, 1, 1] : tensor<2x2x2xi8> into tensor<2x2x4x2xi8>
// AFTER-NEXT:    %12 = tensor.extract_slice %3[1, 0, 0] [2, 2, 2] [2, 1, 1] : tensor<4x3x2xi8> to tensor<2x2x2xi8>
// AFTER-NEXT:    %13 = tensor.insert_slice %12 into %11[0, 0, 2, 0] [2, 2, 1, 2] [1, 1, 1, 1] : tensor<2x2x2xi8> into tensor<2x2x4x2xi8>
// AFTER-NEXT:    %14 = tensor.extract_slice %3[1, 1, 0] [2, 2, 2] [2, 1, 1] : tensor<4x3x2xi8> to tensor<2x2x2xi8>
// AFTER-NEXT:    %15 = tensor.insert_slice %14 into %13[0, 0, 3, 0] [2, 2, 1, 2] [1, 1, 1, 1] : tensor<2x2x2xi8> into tensor<2x2x4x2xi8>
// AFTER-NEXT:    %16 = tensor.collapse_shape %15 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<2x2x4x2xi8> into tensor<4x8xi8>
// AFTER-NEXT:    %17 = tensor.empty() : tensor<4x2x2x2xi8>
// AFTER-NEXT:    %18 = linalg.transpose ins(%w:tensor<4x2x2x2xi8>) outs(%17:tensor<4x2x2x2xi8>) permutation = [0, 2, 3, 1]
// AFTER-NEXT:    %19 = tensor.collapse_shape %18 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x2x2x2xi8> into tensor<4x8xi8>
// AFTER-NEXT:    %20 = arith.constant 0 : i32
// AFTER-NEXT:    %21 = tensor.empty() : tensor<4x4xi32>
// AFTER-NEXT:    %22 = linalg.fill ins(%20 : i32) outs(%21 : tensor<4x4xi32>) -> tensor<4x4xi32>
// AFTER-NEXT:    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16, %19 : tensor<4x8xi8>, tensor<4x8xi8>) outs(%22 : tensor<4x4xi32>) {
// AFTER-NEXT:    ^bb0(%24: i8, %25: i8, %26: i32):
// AFTER-NEXT:      %27 = arith.extsi %24 : i8 to i32
// AFTER-NEXT:      %28 = arith.extsi %25 : i8 to i32
// AFTER-NEXT:      %29 = arith.muli %27, %28 : i32
// AFTER-NEXT:      %30 = arith.addi %26, %29 : i32
// AFTER-NEXT:      linalg.yield %30 : i32
// AFTER-NEXT:    } -> tensor<4x4xi32>
// AFTER-NEXT:    %31 = tensor.expand_shape %23 [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 2, 4] : tensor<4x4xi32> into tensor<2x2x4xi32>
// AFTER-NEXT:    %32 = tensor.empty() : tensor<4x2x2xi32>
// AFTER-NEXT:    %y = linalg.transpose ins(%31:tensor<2x2x4xi32>) outs(%32:tensor<4x2x2xi32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<4x2x2xi32>
// CHECK-NEXT: }
func.func @columns(%x: tensor<2x3x3xi8>, %w: tensor<4x2x2x2xi8>) -> tensor<4x2x2xi32> {
  %y = fused.conv %x weight %w strides [2, 1] pads [1, 0, 0, 0] : (tensor<2x3x3xi8>, tensor<4x2x2x2xi8>) -> tensor<4x2x2xi32>
  func.return %y : tensor<4x2x2xi32>
}

// A channel a group: all places of the kernel in one loop nest.
// CHECK-LABEL: func.func @depthwise(%x: tensor<4x3x3xi8>, %w: tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 4 : (tensor<4x3x3xi8>, tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32>
// AFTER-NEXT:    %0 = tensor.collapse_shape %w [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<4x1x1x2xi8> into tensor<4x1x2xi8>
// AFTER-NEXT:    %1 = tensor.empty() : tensor<1x2x4xi8>
// AFTER-NEXT:    %2 = linalg.transpose ins(%0:tensor<4x1x2xi8>) outs(%1:tensor<1x2x4xi8>) permutation = [1, 2, 0]
// AFTER-NEXT:    %3 = tensor.empty() : tensor<3x3x4xi8>
// AFTER-NEXT:    %4 = linalg.transpose ins(%x:tensor<4x3x3xi8>) outs(%3:tensor<3x3x4xi8>) permutation = [1, 2, 0]
// AFTER-NEXT:    %5 = arith.constant 0 : i32
// AFTER-NEXT:    %6 = tensor.empty() : tensor<3x2x4xi32>
// AFTER-NEXT:    %7 = linalg.fill ins(%5 : i32) outs(%6 : tensor<3x2x4xi32>) -> tensor<3x2x4xi32>
// AFTER-NEXT:    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> ((d0 + d3), (d1 + d4), d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%4, %2 : tensor<3x3x4xi8>, tensor<1x2x4xi8>) outs(%7 : tensor<3x2x4xi32>) {
// AFTER-NEXT:    ^bb0(%9: i8, %10: i8, %11: i32):
// AFTER-NEXT:      %12 = arith.extsi %9 : i8 to i32
// AFTER-NEXT:      %13 = arith.extsi %10 : i8 to i32
// AFTER-NEXT:      %14 = arith.muli %12, %13 : i32
// AFTER-NEXT:      %15 = arith.addi %11, %14 : i32
// AFTER-NEXT:      linalg.yield %15 : i32
// AFTER-NEXT:    } -> tensor<3x2x4xi32>
// AFTER-NEXT:    %16 = tensor.empty() : tensor<4x3x2xi32>
// AFTER-NEXT:    %y = linalg.transpose ins(%8:tensor<3x2x4xi32>) outs(%16:tensor<4x3x2xi32>) permutation = [2, 0, 1]
// CHECK-NEXT:   func.return %y : tensor<4x3x2xi32>
// CHECK-NEXT: }
func.func @depthwise(%x: tensor<4x3x3xi8>, %w: tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32> {
  %y = fused.conv %x weight %w groups 4 : (tensor<4x3x3xi8>, tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32>
  func.return %y : tensor<4x3x2xi32>
}
