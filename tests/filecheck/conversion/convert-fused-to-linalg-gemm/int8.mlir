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
// AFTER-NEXT:    %7 = tensor.expand_shape %3 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [4, 3, 1, 2] : tensor<4x3x2xi8> into tensor<4x3x1x2xi8>
// AFTER-NEXT:    %8 = tensor.empty() : tensor<4x2x1x2x2xi8>
// AFTER-NEXT:    %9 = tensor.extract_slice %7[0, 0, 0, 0] [4, 2, 1, 2] [1, 1, 1, 1] : tensor<4x3x1x2xi8> to tensor<4x2x1x2xi8>
// AFTER-NEXT:    %10 = tensor.insert_slice %9 into %8[0, 0, 0, 0, 0] [4, 2, 1, 1, 2] [1, 1, 1, 1, 1] : tensor<4x2x1x2xi8> into tensor<4x2x1x2x2xi8>
// AFTER-NEXT:    %11 = tensor.extract_slice %7[0, 1, 0, 0] [4, 2, 1, 2] [1, 1, 1, 1] : tensor<4x3x1x2xi8> to tensor<4x2x1x2xi8>
// AFTER-NEXT:    %12 = tensor.insert_slice %11 into %10[0, 0, 0, 1, 0] [4, 2, 1, 1, 2] [1, 1, 1, 1, 1] : tensor<4x2x1x2xi8> into tensor<4x2x1x2x2xi8>
// AFTER-NEXT:    %13 = tensor.collapse_shape %12 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<4x2x1x2x2xi8> into tensor<4x2x1x4xi8>
// AFTER-NEXT:    %14 = tensor.empty() : tensor<2x2x1x2x4xi8>
// AFTER-NEXT:    %15 = tensor.extract_slice %13[0, 0, 0, 0] [2, 2, 1, 4] [2, 1, 1, 1] : tensor<4x2x1x4xi8> to tensor<2x2x1x4xi8>
// AFTER-NEXT:    %16 = tensor.insert_slice %15 into %14[0, 0, 0, 0, 0] [2, 2, 1, 1, 4] [1, 1, 1, 1, 1] : tensor<2x2x1x4xi8> into tensor<2x2x1x2x4xi8>
// AFTER-NEXT:    %17 = tensor.extract_slice %13[1, 0, 0, 0] [2, 2, 1, 4] [2, 1, 1, 1] : tensor<4x2x1x4xi8> to tensor<2x2x1x4xi8>
// AFTER-NEXT:    %18 = tensor.insert_slice %17 into %16[0, 0, 0, 1, 0] [2, 2, 1, 1, 4] [1, 1, 1, 1, 1] : tensor<2x2x1x4xi8> into tensor<2x2x1x2x4xi8>
// AFTER-NEXT:    %19 = tensor.collapse_shape %18 [[0 : i64], [1 : i64], [2 : i64], [3 : i64, 4 : i64]] : tensor<2x2x1x2x4xi8> into tensor<2x2x1x8xi8>
// AFTER-NEXT:    %20 = tensor.collapse_shape %19 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<2x2x1x8xi8> into tensor<4x8xi8>
// AFTER-NEXT:    %21 = tensor.empty() : tensor<4x2x2x2xi8>
// AFTER-NEXT:    %22 = linalg.transpose ins(%w:tensor<4x2x2x2xi8>) outs(%21:tensor<4x2x2x2xi8>) permutation = [0, 2, 3, 1]
// AFTER-NEXT:    %23 = tensor.collapse_shape %22 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x2x2x2xi8> into tensor<4x8xi8>
// AFTER-NEXT:    %24 = arith.constant 0 : i32
// AFTER-NEXT:    %25 = tensor.empty() : tensor<4x4xi32>
// AFTER-NEXT:    %26 = linalg.fill ins(%24 : i32) outs(%25 : tensor<4x4xi32>) -> tensor<4x4xi32>
// AFTER-NEXT:    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20, %23 : tensor<4x8xi8>, tensor<4x8xi8>) outs(%26 : tensor<4x4xi32>) {
// AFTER-NEXT:    ^bb0(%28: i8, %29: i8, %30: i32):
// AFTER-NEXT:      %31 = arith.extsi %28 : i8 to i32
// AFTER-NEXT:      %32 = arith.extsi %29 : i8 to i32
// AFTER-NEXT:      %33 = arith.muli %31, %32 : i32
// AFTER-NEXT:      %34 = arith.addi %30, %33 : i32
// AFTER-NEXT:      linalg.yield %34 : i32
// AFTER-NEXT:    } -> tensor<4x4xi32>
// AFTER-NEXT:    %35 = tensor.expand_shape %27 [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 2, 4] : tensor<4x4xi32> into tensor<2x2x4xi32>
// AFTER-NEXT:    %36 = tensor.empty() : tensor<4x2x2xi32>
// AFTER-NEXT:    %y = linalg.transpose ins(%35:tensor<2x2x4xi32>) outs(%36:tensor<4x2x2xi32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<4x2x2xi32>
// CHECK-NEXT:  }
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
// CHECK-NEXT:    func.return %y : tensor<4x3x2xi32>
// CHECK-NEXT:  }
func.func @depthwise(%x: tensor<4x3x3xi8>, %w: tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32> {
  %y = fused.conv %x weight %w groups 4 : (tensor<4x3x3xi8>, tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32>
  func.return %y : tensor<4x3x2xi32>
}
