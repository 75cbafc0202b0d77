// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm %t.once | diff %t.once -

// 3x3 windows one place apart over many channels: products of tiles between transforms along one axis at a time.
// CHECK-LABEL: func.func @winograd(%x: tensor<64x8x8xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x6x6xf32> {
// BEFORE-NEXT:   %y = fused.conv %x weight %w : (tensor<64x8x8xf32>, tensor<64x64x3x3xf32>) -> tensor<64x6x6xf32>
// AFTER-NEXT:    %0 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %1 = tensor.empty() : tensor<8x8x64xf32>
// AFTER-NEXT:    %2 = linalg.transpose ins(%x:tensor<64x8x8xf32>) outs(%1:tensor<8x8x64xf32>) permutation = [1, 2, 0]
// AFTER-NEXT:    %3 = tensor.pad %2 low[0, 0, 0] high[2, 2, 0] {
// AFTER-NEXT:    ^bb0(%4: index, %5: index, %6: index):
// AFTER-NEXT:      tensor.yield %0 : f32
// AFTER-NEXT:    } : tensor<8x8x64xf32> to tensor<10x10x64xf32>
// AFTER-NEXT:    %7 = tensor.extract_slice %3[0, 0, 0] [2, 10, 64] [4, 1, 1] : tensor<10x10x64xf32> to tensor<2x10x64xf32>
// AFTER-NEXT:    %8 = tensor.extract_slice %3[1, 0, 0] [2, 10, 64] [4, 1, 1] : tensor<10x10x64xf32> to tensor<2x10x64xf32>
// AFTER-NEXT:    %9 = tensor.extract_slice %3[2, 0, 0] [2, 10, 64] [4, 1, 1] : tensor<10x10x64xf32> to tensor<2x10x64xf32>
// AFTER-NEXT:    %10 = tensor.extract_slice %3[3, 0, 0] [2, 10, 64] [4, 1, 1] : tensor<10x10x64xf32> to tensor<2x10x64xf32>
// AFTER-NEXT:    %11 = tensor.extract_slice %3[4, 0, 0] [2, 10, 64] [4, 1, 1] : tensor<10x10x64xf32> to tensor<2x10x64xf32>
// AFTER-NEXT:    %12 = tensor.extract_slice %3[5, 0, 0] [2, 10, 64] [4, 1, 1] : tensor<10x10x64xf32> to tensor<2x10x64xf32>
// AFTER-NEXT:    %13 = arith.constant dense<[0.87890625, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<6xf32>
// AFTER-NEXT:    %14 = arith.constant dense<[0.000000e+00, -1.406250e+00, 1.406250e+00, -0.5859375, 0.5859375, 0.87890625]> : tensor<6xf32>
// AFTER-NEXT:    %15 = arith.constant dense<[-2.640625, -2.250000e+00, -2.250000e+00, -3.906250e-01, -3.906250e-01, 0.000000e+00]> : tensor<6xf32>
// AFTER-NEXT:    %16 = arith.constant dense<[0.000000e+00, 6.250000e-01, -6.250000e-01, 1.500000e+00, -1.500000e+00, -2.640625]> : tensor<6xf32>
// AFTER-NEXT:    %17 = arith.constant dense<[1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<6xf32>
// AFTER-NEXT:    %18 = arith.constant dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<6xf32>
// AFTER-NEXT:    %19 = tensor.empty() : tensor<6x2x10x64xf32>
// AFTER-NEXT:    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 : tensor<2x10x64xf32>, tensor<2x10x64xf32>, tensor<2x10x64xf32>, tensor<2x10x64xf32>, tensor<2x10x64xf32>, tensor<2x10x64xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%19 : tensor<6x2x10x64xf32>) {
// AFTER-NEXT:    ^bb0(%21: f32, %22: f32, %23: f32, %24: f32, %25: f32, %26: f32, %27: f32, %28: f32, %29: f32, %30: f32, %31: f32, %32: f32, %33: f32):
// AFTER-NEXT:      %34 = arith.mulf %21, %27 : f32
// AFTER-NEXT:      %35 = math.fma %22, %28, %34 : f32
// AFTER-NEXT:      %36 = math.fma %23, %29, %35 : f32
// AFTER-NEXT:      %37 = math.fma %24, %30, %36 : f32
// AFTER-NEXT:      %38 = math.fma %25, %31, %37 : f32
// AFTER-NEXT:      %39 = math.fma %26, %32, %38 : f32
// AFTER-NEXT:      linalg.yield %39 : f32
// AFTER-NEXT:    } -> tensor<6x2x10x64xf32>
// AFTER-NEXT:    %40 = tensor.extract_slice %20[0, 0, 0, 0] [6, 2, 2, 64] [1, 1, 4, 1] : tensor<6x2x10x64xf32> to tensor<6x2x2x64xf32>
// AFTER-NEXT:    %41 = tensor.extract_slice %20[0, 0, 1, 0] [6, 2, 2, 64] [1, 1, 4, 1] : tensor<6x2x10x64xf32> to tensor<6x2x2x64xf32>
// AFTER-NEXT:    %42 = tensor.extract_slice %20[0, 0, 2, 0] [6, 2, 2, 64] [1, 1, 4, 1] : tensor<6x2x10x64xf32> to tensor<6x2x2x64xf32>
// AFTER-NEXT:    %43 = tensor.extract_slice %20[0, 0, 3, 0] [6, 2, 2, 64] [1, 1, 4, 1] : tensor<6x2x10x64xf32> to tensor<6x2x2x64xf32>
// AFTER-NEXT:    %44 = tensor.extract_slice %20[0, 0, 4, 0] [6, 2, 2, 64] [1, 1, 4, 1] : tensor<6x2x10x64xf32> to tensor<6x2x2x64xf32>
// AFTER-NEXT:    %45 = tensor.extract_slice %20[0, 0, 5, 0] [6, 2, 2, 64] [1, 1, 4, 1] : tensor<6x2x10x64xf32> to tensor<6x2x2x64xf32>
// AFTER-NEXT:    %46 = arith.constant dense<[0.87890625, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<6xf32>
// AFTER-NEXT:    %47 = arith.constant dense<[0.000000e+00, -1.406250e+00, 1.406250e+00, -0.5859375, 0.5859375, 0.87890625]> : tensor<6xf32>
// AFTER-NEXT:    %48 = arith.constant dense<[-2.640625, -2.250000e+00, -2.250000e+00, -3.906250e-01, -3.906250e-01, 0.000000e+00]> : tensor<6xf32>
// AFTER-NEXT:    %49 = arith.constant dense<[0.000000e+00, 6.250000e-01, -6.250000e-01, 1.500000e+00, -1.500000e+00, -2.640625]> : tensor<6xf32>
// AFTER-NEXT:    %50 = arith.constant dense<[1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<6xf32>
// AFTER-NEXT:    %51 = arith.constant dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<6xf32>
// AFTER-NEXT:    %52 = tensor.empty() : tensor<6x6x2x2x64xf32>
// AFTER-NEXT:    %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51 : tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%52 : tensor<6x6x2x2x64xf32>) {
// AFTER-NEXT:    ^bb0(%54: f32, %55: f32, %56: f32, %57: f32, %58: f32, %59: f32, %60: f32, %61: f32, %62: f32, %63: f32, %64: f32, %65: f32, %66: f32):
// AFTER-NEXT:      %67 = arith.mulf %54, %60 : f32
// AFTER-NEXT:      %68 = math.fma %55, %61, %67 : f32
// AFTER-NEXT:      %69 = math.fma %56, %62, %68 : f32
// AFTER-NEXT:      %70 = math.fma %57, %63, %69 : f32
// AFTER-NEXT:      %71 = math.fma %58, %64, %70 : f32
// AFTER-NEXT:      %72 = math.fma %59, %65, %71 : f32
// AFTER-NEXT:      linalg.yield %72 : f32
// AFTER-NEXT:    } -> tensor<6x6x2x2x64xf32>
// AFTER-NEXT:    %73 = arith.constant dense<[[1.13777781, 0.000000e+00, 0.000000e+00], [-0.688403368, -0.430252105, -0.268907577], [-0.688403368, 0.430252105, -0.268907577], [0.119514473, 0.179271713, 0.268907577], [0.119514473, -0.179271713, 0.268907577], [0.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<6x3xf32>
// AFTER-NEXT:    %74 = tensor.empty() : tensor<3x3x64x64xf32>
// AFTER-NEXT:    %75 = linalg.transpose ins(%w:tensor<64x64x3x3xf32>) outs(%74:tensor<3x3x64x64xf32>) permutation = [2, 3, 1, 0]
// AFTER-NEXT:    %76 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %77 = tensor.empty() : tensor<6x3x64x64xf32>
// AFTER-NEXT:    %78 = linalg.fill ins(%76 : f32) outs(%77 : tensor<6x3x64x64xf32>) -> tensor<6x3x64x64xf32>
// AFTER-NEXT:    %79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d4, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%75, %73 : tensor<3x3x64x64xf32>, tensor<6x3xf32>) outs(%78 : tensor<6x3x64x64xf32>) {
// AFTER-NEXT:    ^bb0(%80: f32, %81: f32, %82: f32):
// AFTER-NEXT:      %83 = arith.mulf %80, %81 : f32
// AFTER-NEXT:      %84 = arith.addf %82, %83 : f32
// AFTER-NEXT:      linalg.yield %84 : f32
// AFTER-NEXT:    } -> tensor<6x3x64x64xf32>
// AFTER-NEXT:    %85 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %86 = tensor.empty() : tensor<6x6x64x64xf32>
// AFTER-NEXT:    %87 = linalg.fill ins(%85 : f32) outs(%86 : tensor<6x6x64x64xf32>) -> tensor<6x6x64x64xf32>
// AFTER-NEXT:    %88 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%79, %73 : tensor<6x3x64x64xf32>, tensor<6x3xf32>) outs(%87 : tensor<6x6x64x64xf32>) {
// AFTER-NEXT:    ^bb0(%89: f32, %90: f32, %91: f32):
// AFTER-NEXT:      %92 = arith.mulf %89, %90 : f32
// AFTER-NEXT:      %93 = arith.addf %91, %92 : f32
// AFTER-NEXT:      linalg.yield %93 : f32
// AFTER-NEXT:    } -> tensor<6x6x64x64xf32>
// AFTER-NEXT:    %94 = tensor.collapse_shape %88 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<6x6x64x64xf32> into tensor<36x64x64xf32>
// AFTER-NEXT:    %95 = tensor.collapse_shape %53 [[0 : i64, 1 : i64], [2 : i64, 3 : i64], [4 : i64]] : tensor<6x6x2x2x64xf32> into tensor<36x4x64xf32>
// AFTER-NEXT:    %96 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %97 = tensor.empty() : tensor<36x4x64xf32>
// AFTER-NEXT:    %98 = linalg.fill ins(%96 : f32) outs(%97 : tensor<36x4x64xf32>) -> tensor<36x4x64xf32>
// AFTER-NEXT:    %99 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%95, %94 : tensor<36x4x64xf32>, tensor<36x64x64xf32>) outs(%98 : tensor<36x4x64xf32>) {
// AFTER-NEXT:    ^bb0(%100: f32, %101: f32, %102: f32):
// AFTER-NEXT:      %103 = arith.mulf %100, %101 : f32
// AFTER-NEXT:      %104 = arith.addf %102, %103 : f32
// AFTER-NEXT:      linalg.yield %104 : f32
// AFTER-NEXT:    } -> tensor<36x4x64xf32>
// AFTER-NEXT:    %105 = tensor.expand_shape %99 [[0 : i64, 1 : i64], [2 : i64, 3 : i64], [4 : i64]] output_shape [6, 6, 2, 2, 64] : tensor<36x4x64xf32> into tensor<6x6x2x2x64xf32>
// AFTER-NEXT:    %106 = tensor.extract_slice %105[0, 0, 0, 0, 0] [1, 6, 2, 2, 64] [1, 1, 1, 1, 1] : tensor<6x6x2x2x64xf32> to tensor<1x6x2x2x64xf32>
// AFTER-NEXT:    %107 = tensor.extract_slice %105[1, 0, 0, 0, 0] [1, 6, 2, 2, 64] [1, 1, 1, 1, 1] : tensor<6x6x2x2x64xf32> to tensor<1x6x2x2x64xf32>
// AFTER-NEXT:    %108 = tensor.extract_slice %105[2, 0, 0, 0, 0] [1, 6, 2, 2, 64] [1, 1, 1, 1, 1] : tensor<6x6x2x2x64xf32> to tensor<1x6x2x2x64xf32>
// AFTER-NEXT:    %109 = tensor.extract_slice %105[3, 0, 0, 0, 0] [1, 6, 2, 2, 64] [1, 1, 1, 1, 1] : tensor<6x6x2x2x64xf32> to tensor<1x6x2x2x64xf32>
// AFTER-NEXT:    %110 = tensor.extract_slice %105[4, 0, 0, 0, 0] [1, 6, 2, 2, 64] [1, 1, 1, 1, 1] : tensor<6x6x2x2x64xf32> to tensor<1x6x2x2x64xf32>
// AFTER-NEXT:    %111 = tensor.extract_slice %105[5, 0, 0, 0, 0] [1, 6, 2, 2, 64] [1, 1, 1, 1, 1] : tensor<6x6x2x2x64xf32> to tensor<1x6x2x2x64xf32>
// AFTER-NEXT:    %112 = tensor.collapse_shape %106 [[0 : i64, 1 : i64], [2 : i64], [3 : i64], [4 : i64]] : tensor<1x6x2x2x64xf32> into tensor<6x2x2x64xf32>
// AFTER-NEXT:    %113 = tensor.collapse_shape %107 [[0 : i64, 1 : i64], [2 : i64], [3 : i64], [4 : i64]] : tensor<1x6x2x2x64xf32> into tensor<6x2x2x64xf32>
// AFTER-NEXT:    %114 = tensor.collapse_shape %108 [[0 : i64, 1 : i64], [2 : i64], [3 : i64], [4 : i64]] : tensor<1x6x2x2x64xf32> into tensor<6x2x2x64xf32>
// AFTER-NEXT:    %115 = tensor.collapse_shape %109 [[0 : i64, 1 : i64], [2 : i64], [3 : i64], [4 : i64]] : tensor<1x6x2x2x64xf32> into tensor<6x2x2x64xf32>
// AFTER-NEXT:    %116 = tensor.collapse_shape %110 [[0 : i64, 1 : i64], [2 : i64], [3 : i64], [4 : i64]] : tensor<1x6x2x2x64xf32> into tensor<6x2x2x64xf32>
// AFTER-NEXT:    %117 = tensor.collapse_shape %111 [[0 : i64, 1 : i64], [2 : i64], [3 : i64], [4 : i64]] : tensor<1x6x2x2x64xf32> into tensor<6x2x2x64xf32>
// AFTER-NEXT:    %118 = arith.constant dense<[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %119 = arith.constant dense<[1.000000e+00, 6.250000e-01, 3.906250e-01, 0.244140625]> : tensor<4xf32>
// AFTER-NEXT:    %120 = arith.constant dense<[1.000000e+00, -6.250000e-01, 3.906250e-01, -0.244140625]> : tensor<4xf32>
// AFTER-NEXT:    %121 = arith.constant dense<[1.000000e+00, 1.500000e+00, 2.250000e+00, 3.375000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %122 = arith.constant dense<[1.000000e+00, -1.500000e+00, 2.250000e+00, -3.375000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %123 = arith.constant dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %124 = tensor.empty() : tensor<2x4x6x2x64xf32>
// AFTER-NEXT:    %125 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123 : tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<6x2x2x64xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%124 : tensor<2x4x6x2x64xf32>) {
// AFTER-NEXT:    ^bb0(%126: f32, %127: f32, %128: f32, %129: f32, %130: f32, %131: f32, %132: f32, %133: f32, %134: f32, %135: f32, %136: f32, %137: f32, %138: f32):
// AFTER-NEXT:      %139 = arith.mulf %126, %132 : f32
// AFTER-NEXT:      %140 = math.fma %127, %133, %139 : f32
// AFTER-NEXT:      %141 = math.fma %128, %134, %140 : f32
// AFTER-NEXT:      %142 = math.fma %129, %135, %141 : f32
// AFTER-NEXT:      %143 = math.fma %130, %136, %142 : f32
// AFTER-NEXT:      %144 = math.fma %131, %137, %143 : f32
// AFTER-NEXT:      linalg.yield %144 : f32
// AFTER-NEXT:    } -> tensor<2x4x6x2x64xf32>
// AFTER-NEXT:    %145 = tensor.extract_slice %125[0, 0, 0, 0, 0] [2, 4, 1, 2, 64] [1, 1, 1, 1, 1] : tensor<2x4x6x2x64xf32> to tensor<2x4x1x2x64xf32>
// AFTER-NEXT:    %146 = tensor.extract_slice %125[0, 0, 1, 0, 0] [2, 4, 1, 2, 64] [1, 1, 1, 1, 1] : tensor<2x4x6x2x64xf32> to tensor<2x4x1x2x64xf32>
// AFTER-NEXT:    %147 = tensor.extract_slice %125[0, 0, 2, 0, 0] [2, 4, 1, 2, 64] [1, 1, 1, 1, 1] : tensor<2x4x6x2x64xf32> to tensor<2x4x1x2x64xf32>
// AFTER-NEXT:    %148 = tensor.extract_slice %125[0, 0, 3, 0, 0] [2, 4, 1, 2, 64] [1, 1, 1, 1, 1] : tensor<2x4x6x2x64xf32> to tensor<2x4x1x2x64xf32>
// AFTER-NEXT:    %149 = tensor.extract_slice %125[0, 0, 4, 0, 0] [2, 4, 1, 2, 64] [1, 1, 1, 1, 1] : tensor<2x4x6x2x64xf32> to tensor<2x4x1x2x64xf32>
// AFTER-NEXT:    %150 = tensor.extract_slice %125[0, 0, 5, 0, 0] [2, 4, 1, 2, 64] [1, 1, 1, 1, 1] : tensor<2x4x6x2x64xf32> to tensor<2x4x1x2x64xf32>
// AFTER-NEXT:    %151 = tensor.collapse_shape %145 [[0 : i64], [1 : i64], [2 : i64, 3 : i64], [4 : i64]] : tensor<2x4x1x2x64xf32> into tensor<2x4x2x64xf32>
// AFTER-NEXT:    %152 = tensor.collapse_shape %146 [[0 : i64], [1 : i64], [2 : i64, 3 : i64], [4 : i64]] : tensor<2x4x1x2x64xf32> into tensor<2x4x2x64xf32>
// AFTER-NEXT:    %153 = tensor.collapse_shape %147 [[0 : i64], [1 : i64], [2 : i64, 3 : i64], [4 : i64]] : tensor<2x4x1x2x64xf32> into tensor<2x4x2x64xf32>
// AFTER-NEXT:    %154 = tensor.collapse_shape %148 [[0 : i64], [1 : i64], [2 : i64, 3 : i64], [4 : i64]] : tensor<2x4x1x2x64xf32> into tensor<2x4x2x64xf32>
// AFTER-NEXT:    %155 = tensor.collapse_shape %149 [[0 : i64], [1 : i64], [2 : i64, 3 : i64], [4 : i64]] : tensor<2x4x1x2x64xf32> into tensor<2x4x2x64xf32>
// AFTER-NEXT:    %156 = tensor.collapse_shape %150 [[0 : i64], [1 : i64], [2 : i64, 3 : i64], [4 : i64]] : tensor<2x4x1x2x64xf32> into tensor<2x4x2x64xf32>
// AFTER-NEXT:    %157 = arith.constant dense<[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %158 = arith.constant dense<[1.000000e+00, 6.250000e-01, 3.906250e-01, 0.244140625]> : tensor<4xf32>
// AFTER-NEXT:    %159 = arith.constant dense<[1.000000e+00, -6.250000e-01, 3.906250e-01, -0.244140625]> : tensor<4xf32>
// AFTER-NEXT:    %160 = arith.constant dense<[1.000000e+00, 1.500000e+00, 2.250000e+00, 3.375000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %161 = arith.constant dense<[1.000000e+00, -1.500000e+00, 2.250000e+00, -3.375000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %162 = arith.constant dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %163 = tensor.empty() : tensor<2x4x2x4x64xf32>
// AFTER-NEXT:    %164 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%151, %152, %153, %154, %155, %156, %157, %158, %159, %160, %161, %162 : tensor<2x4x2x64xf32>, tensor<2x4x2x64xf32>, tensor<2x4x2x64xf32>, tensor<2x4x2x64xf32>, tensor<2x4x2x64xf32>, tensor<2x4x2x64xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%163 : tensor<2x4x2x4x64xf32>) {
// AFTER-NEXT:    ^bb0(%165: f32, %166: f32, %167: f32, %168: f32, %169: f32, %170: f32, %171: f32, %172: f32, %173: f32, %174: f32, %175: f32, %176: f32, %177: f32):
// AFTER-NEXT:      %178 = arith.mulf %165, %171 : f32
// AFTER-NEXT:      %179 = math.fma %166, %172, %178 : f32
// AFTER-NEXT:      %180 = math.fma %167, %173, %179 : f32
// AFTER-NEXT:      %181 = math.fma %168, %174, %180 : f32
// AFTER-NEXT:      %182 = math.fma %169, %175, %181 : f32
// AFTER-NEXT:      %183 = math.fma %170, %176, %182 : f32
// AFTER-NEXT:      linalg.yield %183 : f32
// AFTER-NEXT:    } -> tensor<2x4x2x4x64xf32>
// AFTER-NEXT:    %184 = tensor.collapse_shape %164 [[0 : i64, 1 : i64], [2 : i64, 3 : i64], [4 : i64]] : tensor<2x4x2x4x64xf32> into tensor<8x8x64xf32>
// AFTER-NEXT:    %185 = tensor.extract_slice %184[0, 0, 0] [6, 6, 64] [1, 1, 1] : tensor<8x8x64xf32> to tensor<6x6x64xf32>
// AFTER-NEXT:    %186 = tensor.empty() : tensor<64x6x6xf32>
// AFTER-NEXT:    %y = linalg.transpose ins(%185:tensor<6x6x64xf32>) outs(%186:tensor<64x6x6xf32>) permutation = [2, 0, 1]
// CHECK-NEXT:    func.return %y : tensor<64x6x6xf32>
// CHECK-NEXT:  }
func.func @winograd(%x: tensor<64x8x8xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x6x6xf32> {
  %y = fused.conv %x weight %w : (tensor<64x8x8xf32>, tensor<64x64x3x3xf32>) -> tensor<64x6x6xf32>
  func.return %y : tensor<64x6x6xf32>
}
