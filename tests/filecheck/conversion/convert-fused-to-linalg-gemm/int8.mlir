// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -



// int8 stays int8 in the border and the columns; sums are i32.
// CHECK-LABEL: func.func @columns(%x: tensor<2x3x3xi8>, %w: tensor<4x2x2x2xi8>) -> tensor<4x2x2xi32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w strides [2, 1] pads [1, 0, 0, 0] : (tensor<2x3x3xi8>, tensor<4x2x2x2xi8>) -> tensor<4x2x2xi32>
// BEFORE-NEXT:   func.return %y : tensor<4x2x2xi32>
// AFTER-NEXT:    %0 = arith.constant 0 : i8
// AFTER-NEXT:    %1 = tensor.empty() : tensor<3x3x2xi8>
// AFTER-NEXT:    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x3xi8>) outs(%1 : tensor<3x3x2xi8>) {
// AFTER-NEXT:    ^bb0(%3: i8, %4: i8):
// AFTER-NEXT:      linalg.yield %3 : i8
// AFTER-NEXT:    } -> tensor<3x3x2xi8>
// AFTER-NEXT:    %5 = tensor.pad %2 low[1, 0, 0] high[0, 0, 0] {
// AFTER-NEXT:    ^bb0(%6: index, %7: index, %8: index):
// AFTER-NEXT:      tensor.yield %0 : i8
// AFTER-NEXT:    } : tensor<3x3x2xi8> to tensor<4x3x2xi8>
// AFTER-NEXT:    %9 = tensor.empty() : tensor<2x2x4x2xi8>
// AFTER-NEXT:    %10 = tensor.extract_slice %5[0, 0, 0] [2, 2, 2] [2, 1, 1] : tensor<4x3x2xi8> to tensor<2x2x2xi8>
// AFTER-NEXT:    %11 = tensor.insert_slice %10 into %9[0, 0, 0, 0] [2, 2, 1, 2] [1, 1, 1, 1] : tensor<2x2x2xi8> into tensor<2x2x4x2xi8>
// AFTER-NEXT:    %12 = tensor.extract_slice %5[0, 1, 0] [2, 2, 2] [2, 1, 1] : tensor<4x3x2xi8> to tensor<2x2x2xi8>
// AFTER-NEXT:    %13 = tensor.insert_slice %12 into %11[0, 0, 1, 0] [2, 2, 1, 2] [1, 1, 1, 1] : tensor<2x2x2xi8> into tensor<2x2x4x2xi8>
// AFTER-NEXT:    %14 = tensor.extract_slice %5[1, 0, 0] [2, 2, 2] [2, 1, 1] : tensor<4x3x2xi8> to tensor<2x2x2xi8>
// AFTER-NEXT:    %15 = tensor.insert_slice %14 into %13[0, 0, 2, 0] [2, 2, 1, 2] [1, 1, 1, 1] : tensor<2x2x2xi8> into tensor<2x2x4x2xi8>
// AFTER-NEXT:    %16 = tensor.extract_slice %5[1, 1, 0] [2, 2, 2] [2, 1, 1] : tensor<4x3x2xi8> to tensor<2x2x2xi8>
// AFTER-NEXT:    %17 = tensor.insert_slice %16 into %15[0, 0, 3, 0] [2, 2, 1, 2] [1, 1, 1, 1] : tensor<2x2x2xi8> into tensor<2x2x4x2xi8>
// AFTER-NEXT:    %18 = tensor.collapse_shape %17 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<2x2x4x2xi8> into tensor<4x8xi8>
// AFTER-NEXT:    %19 = tensor.empty() : tensor<4x2x2x2xi8>
// AFTER-NEXT:    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x2x2x2xi8>) outs(%19 : tensor<4x2x2x2xi8>) {
// AFTER-NEXT:    ^bb0(%21: i8, %22: i8):
// AFTER-NEXT:      linalg.yield %21 : i8
// AFTER-NEXT:    } -> tensor<4x2x2x2xi8>
// AFTER-NEXT:    %23 = tensor.collapse_shape %20 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x2x2x2xi8> into tensor<4x8xi8>
// AFTER-NEXT:    %24 = arith.constant 0 : i32
// AFTER-NEXT:    %25 = tensor.empty() : tensor<4x4xi32>
// AFTER-NEXT:    %26 = linalg.fill ins(%24 : i32) outs(%25 : tensor<4x4xi32>) -> tensor<4x4xi32>
// AFTER-NEXT:    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18, %23 : tensor<4x8xi8>, tensor<4x8xi8>) outs(%26 : tensor<4x4xi32>) {
// AFTER-NEXT:    ^bb0(%28: i8, %29: i8, %30: i32):
// AFTER-NEXT:      %31 = arith.extsi %28 : i8 to i32
// AFTER-NEXT:      %32 = arith.extsi %29 : i8 to i32
// AFTER-NEXT:      %33 = arith.muli %31, %32 : i32
// AFTER-NEXT:      %34 = arith.addi %30, %33 : i32
// AFTER-NEXT:      linalg.yield %34 : i32
// AFTER-NEXT:    } -> tensor<4x4xi32>
// AFTER-NEXT:    %35 = tensor.expand_shape %27 [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 2, 4] : tensor<4x4xi32> into tensor<2x2x4xi32>
// AFTER-NEXT:    %36 = tensor.empty() : tensor<4x2x2xi32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x2x4xi32>) outs(%36 : tensor<4x2x2xi32>) {
// AFTER-NEXT:    ^bb0(%37: i32, %38: i32):
// AFTER-NEXT:      linalg.yield %37 : i32
// AFTER-NEXT:    } -> tensor<4x2x2xi32>
// AFTER-NEXT:    func.return %y : tensor<4x2x2xi32>
// CHECK-NEXT: }
func.func @columns(%x: tensor<2x3x3xi8>, %w: tensor<4x2x2x2xi8>) -> tensor<4x2x2xi32> {
  %y = fused.conv %x weight %w strides [2, 1] pads [1, 0, 0, 0] : (tensor<2x3x3xi8>, tensor<4x2x2x2xi8>) -> tensor<4x2x2xi32>
  func.return %y : tensor<4x2x2xi32>
}

// A channel a group: all places of the kernel in one loop nest.
// CHECK-LABEL: func.func @depthwise(%x: tensor<4x3x3xi8>, %w: tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w groups 4 : (tensor<4x3x3xi8>, tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32>
// BEFORE-NEXT:   func.return %y : tensor<4x3x2xi32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<3x3x4xi8>
// AFTER-NEXT:    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x3x3xi8>) outs(%0 : tensor<3x3x4xi8>) {
// AFTER-NEXT:    ^bb0(%2: i8, %3: i8):
// AFTER-NEXT:      linalg.yield %2 : i8
// AFTER-NEXT:    } -> tensor<3x3x4xi8>
// AFTER-NEXT:    %4 = tensor.extract_slice %1[0, 0, 0] [3, 2, 4] [1, 1, 1] : tensor<3x3x4xi8> to tensor<3x2x4xi8>
// AFTER-NEXT:    %5 = tensor.extract_slice %1[0, 1, 0] [3, 2, 4] [1, 1, 1] : tensor<3x3x4xi8> to tensor<3x2x4xi8>
// AFTER-NEXT:    %6 = tensor.collapse_shape %w [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] : tensor<4x1x1x2xi8> into tensor<4x2xi8>
// AFTER-NEXT:    %7 = tensor.empty() : tensor<2x4xi8>
// AFTER-NEXT:    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x2xi8>) outs(%7 : tensor<2x4xi8>) {
// AFTER-NEXT:    ^bb0(%9: i8, %10: i8):
// AFTER-NEXT:      linalg.yield %9 : i8
// AFTER-NEXT:    } -> tensor<2x4xi8>
// AFTER-NEXT:    %11 = tensor.extract_slice %8[0, 0] [1, 4] [1, 1] : tensor<2x4xi8> to tensor<1x4xi8>
// AFTER-NEXT:    %12 = tensor.extract_slice %8[1, 0] [1, 4] [1, 1] : tensor<2x4xi8> to tensor<1x4xi8>
// AFTER-NEXT:    %13 = tensor.collapse_shape %11 [[0 : i64, 1 : i64]] : tensor<1x4xi8> into tensor<4xi8>
// AFTER-NEXT:    %14 = tensor.collapse_shape %12 [[0 : i64, 1 : i64]] : tensor<1x4xi8> into tensor<4xi8>
// AFTER-NEXT:    %15 = tensor.empty() : tensor<3x2x4xi32>
// AFTER-NEXT:    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5, %13, %14 : tensor<3x2x4xi8>, tensor<3x2x4xi8>, tensor<4xi8>, tensor<4xi8>) outs(%15 : tensor<3x2x4xi32>) {
// AFTER-NEXT:    ^bb0(%17: i8, %18: i8, %19: i8, %20: i8, %21: i32):
// AFTER-NEXT:      %22 = arith.constant 0 : i32
// AFTER-NEXT:      %23 = arith.extsi %17 : i8 to i32
// AFTER-NEXT:      %24 = arith.extsi %19 : i8 to i32
// AFTER-NEXT:      %25 = arith.muli %23, %24 : i32
// AFTER-NEXT:      %26 = arith.addi %22, %25 : i32
// AFTER-NEXT:      %27 = arith.extsi %18 : i8 to i32
// AFTER-NEXT:      %28 = arith.extsi %20 : i8 to i32
// AFTER-NEXT:      %29 = arith.muli %27, %28 : i32
// AFTER-NEXT:      %30 = arith.addi %26, %29 : i32
// AFTER-NEXT:      linalg.yield %30 : i32
// AFTER-NEXT:    } -> tensor<3x2x4xi32>
// AFTER-NEXT:    %31 = tensor.empty() : tensor<4x3x2xi32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<3x2x4xi32>) outs(%31 : tensor<4x3x2xi32>) {
// AFTER-NEXT:    ^bb0(%32: i32, %33: i32):
// AFTER-NEXT:      linalg.yield %32 : i32
// AFTER-NEXT:    } -> tensor<4x3x2xi32>
// AFTER-NEXT:    func.return %y : tensor<4x3x2xi32>
// CHECK-NEXT: }
func.func @depthwise(%x: tensor<4x3x3xi8>, %w: tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32> {
  %y = fused.conv %x weight %w groups 4 : (tensor<4x3x3xi8>, tensor<4x1x1x2xi8>) -> tensor<4x3x2xi32>
  func.return %y : tensor<4x3x2xi32>
}
