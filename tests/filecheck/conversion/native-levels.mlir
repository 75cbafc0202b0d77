// One block of ResNet at each level, as docs/native.md shows it: the page has the lines between the
// braces of the functions.
// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefix=LAYERS
// RUN: ncnn-opt --convert-ncnn-to-fused %s | filecheck %s --match-full-lines --check-prefix=FUSED
// RUN: ncnn-opt --convert-ncnn-to-fused --convert-to-linalg --externalize-weights="style=args" %s | filecheck %s --match-full-lines --check-prefix=LINALG

// LAYERS:        func.func @main(%x: tensor<64x56x56xf32> {ncnn.blob = "x"}) -> (tensor<64x56x56xf32> {ncnn.blob = "y"}) {
// LAYERS-NEXT:     %weight = ncnn.constant #ncnn.elided : tensor<64x64x3x3xf32>
// LAYERS-NEXT:     %bias = ncnn.constant #ncnn.elided : tensor<64xf32>
// LAYERS-NEXT:     %conv = ncnn.convolution %x weight %weight bias %bias {name = "conv", num_output = 64, kernel_w = 3, pad_left = 1} : (tensor<64x56x56xf32>, tensor<64x64x3x3xf32>, tensor<64xf32>) -> tensor<64x56x56xf32>
// LAYERS-NEXT:     %sum = ncnn.binaryop %x, %conv {name = "sum", op_type = add} : (tensor<64x56x56xf32>, tensor<64x56x56xf32>) -> tensor<64x56x56xf32>
// LAYERS-NEXT:     %y = ncnn.relu %sum {name = "relu", blobs = ["y"]} : (tensor<64x56x56xf32>) -> tensor<64x56x56xf32>
// LAYERS-NEXT:     func.return %y : tensor<64x56x56xf32>
// LAYERS-NEXT:   }

// FUSED:        func.func @main(%x: tensor<64x56x56xf32> {ncnn.blob = "x"}) -> (tensor<64x56x56xf32> {ncnn.blob = "y"}) {
// FUSED-NEXT:     %weight = ncnn.constant #ncnn.elided : tensor<64x64x3x3xf32>
// FUSED-NEXT:     %bias = ncnn.constant #ncnn.elided : tensor<64xf32>
// FUSED-NEXT:     %y = fused.conv %x weight %weight bias %bias residuals(%x) pads [1, 1, 1, 1] {name = "conv", blob = "y"} : (tensor<64x56x56xf32>, tensor<64x64x3x3xf32>, tensor<64xf32>, tensor<64x56x56xf32>) -> tensor<64x56x56xf32> epilogue(%acc: f32, %r: f32) {
// FUSED-NEXT:       %0 = arith.addf %r, %acc : f32
// FUSED-NEXT:       %1 = arith.constant 0.000000e+00 : f32
// FUSED-NEXT:       %2 = arith.maximumf %0, %1 : f32
// FUSED-NEXT:       fused.yield %2 : f32
// FUSED-NEXT:     }
// FUSED-NEXT:     func.return %y : tensor<64x56x56xf32>
// FUSED-NEXT:   }

// LINALG:        func.func @main(%x: tensor<64x56x56xf32>, %weight: tensor<64x64x3x3xf32>, %bias: tensor<64xf32>) -> tensor<64x56x56xf32> {
// LINALG-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// LINALG-NEXT:     %1 = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
// LINALG-NEXT:     ^bb0(%2: index, %3: index, %4: index):
// LINALG-NEXT:       tensor.yield %0 : f32
// LINALG-NEXT:     } : tensor<64x56x56xf32> to tensor<64x58x58xf32>
// LINALG-NEXT:     %5 = tensor.expand_shape %1 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 64, 58, 58] : tensor<64x58x58xf32> into tensor<1x64x58x58xf32>
// LINALG-NEXT:     %6 = arith.constant 0.000000e+00 : f32
// LINALG-NEXT:     %7 = tensor.empty() : tensor<1x64x56x56xf32>
// LINALG-NEXT:     %8 = linalg.fill ins(%6 : f32) outs(%7 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
// LINALG-NEXT:     %9 = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%5, %weight : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%8 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
// LINALG-NEXT:     %10 = tensor.collapse_shape %9 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x64x56x56xf32> into tensor<64x56x56xf32>
// LINALG-NEXT:     %11 = tensor.empty() : tensor<64x56x56xf32>
// LINALG-NEXT:     %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %10, %bias : tensor<64x56x56xf32>, tensor<64x56x56xf32>, tensor<64xf32>) outs(%11 : tensor<64x56x56xf32>) {
// LINALG-NEXT:     ^bb0(%12: f32, %13: f32, %14: f32, %15: f32):
// LINALG-NEXT:       %16 = arith.addf %13, %14 : f32
// LINALG-NEXT:       %17 = arith.addf %12, %16 : f32
// LINALG-NEXT:       %18 = arith.constant 0.000000e+00 : f32
// LINALG-NEXT:       %19 = arith.maximumf %17, %18 : f32
// LINALG-NEXT:       linalg.yield %19 : f32
// LINALG-NEXT:     } -> tensor<64x56x56xf32>
// LINALG-NEXT:     func.return %y : tensor<64x56x56xf32>
// LINALG-NEXT:   }

func.func @main(%x: tensor<64x56x56xf32> {ncnn.blob = "x"}) -> (tensor<64x56x56xf32> {ncnn.blob = "y"}) {
  %weight = ncnn.constant #ncnn.elided : tensor<64x64x3x3xf32>
  %bias = ncnn.constant #ncnn.elided : tensor<64xf32>
  %conv = ncnn.convolution %x weight %weight bias %bias {name = "conv", num_output = 64, kernel_w = 3, pad_left = 1} : (tensor<64x56x56xf32>, tensor<64x64x3x3xf32>, tensor<64xf32>) -> tensor<64x56x56xf32>
  %sum = ncnn.binaryop %x, %conv {name = "sum", op_type = add} : (tensor<64x56x56xf32>, tensor<64x56x56xf32>) -> tensor<64x56x56xf32>
  %y = ncnn.relu %sum {name = "relu", blobs = ["y"]} : (tensor<64x56x56xf32>) -> tensor<64x56x56xf32>
  func.return %y : tensor<64x56x56xf32>
}
