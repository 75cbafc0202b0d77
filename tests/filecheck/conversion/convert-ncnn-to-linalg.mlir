// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-ncnn-to-linalg %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-ncnn-to-linalg %s > %t.once
// RUN: ncnn-opt --convert-ncnn-to-linalg %t.once | diff %t.once -

// A layer with a formula is one loop nest.
// CHECK-LABEL: func.func @swish(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
// BEFORE-NEXT:   %y = ncnn.swish %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<8x4xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<8x4xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x4xf32>) outs(%0 : tensor<8x4xf32>) {
// AFTER-NEXT:    ^bb0(%1: f32, %2: f32):
// AFTER-NEXT:      %3 = arith.negf %1 : f32
// AFTER-NEXT:      %4 = math.exp %3 : f32
// AFTER-NEXT:      %5 = arith.constant 1.000000e+00 : f32
// AFTER-NEXT:      %6 = arith.addf %4, %5 : f32
// AFTER-NEXT:      %7 = arith.divf %1, %6 : f32
// AFTER-NEXT:      linalg.yield %7 : f32
// AFTER-NEXT:    } -> tensor<8x4xf32>
// AFTER-NEXT:    func.return %y : tensor<8x4xf32>
// CHECK-NEXT: }
func.func @swish(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %y = ncnn.swish %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  func.return %y : tensor<8x4xf32>
}

// What several loop nests read is a tensor of its own: the powers, for their sum and the division.
// CHECK-LABEL: func.func @softmax(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
// BEFORE-NEXT:   %y = ncnn.softmax %x {axis = 1, fixbug0 = 1} : (tensor<8x4xf32>) -> tensor<8x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<8x4xf32>
// AFTER-NEXT:    %0 = arith.constant -3.40282347e+38 : f32
// AFTER-NEXT:    %1 = tensor.empty() : tensor<8xf32>
// AFTER-NEXT:    %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
// AFTER-NEXT:    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%2 : tensor<8xf32>) {
// AFTER-NEXT:    ^bb0(%4: f32, %5: f32):
// AFTER-NEXT:      %6 = arith.maxnumf %4, %5 : f32
// AFTER-NEXT:      linalg.yield %6 : f32
// AFTER-NEXT:    } -> tensor<8xf32>
// AFTER-NEXT:    %7 = tensor.empty() : tensor<8x4xf32>
// AFTER-NEXT:    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %3 : tensor<8x4xf32>, tensor<8xf32>) outs(%7 : tensor<8x4xf32>) {
// AFTER-NEXT:    ^bb0(%9: f32, %10: f32, %11: f32):
// AFTER-NEXT:      %12 = arith.subf %9, %10 : f32
// AFTER-NEXT:      %13 = math.exp %12 : f32
// AFTER-NEXT:      linalg.yield %13 : f32
// AFTER-NEXT:    } -> tensor<8x4xf32>
// AFTER-NEXT:    %14 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %15 = tensor.empty() : tensor<8xf32>
// AFTER-NEXT:    %16 = linalg.fill ins(%14 : f32) outs(%15 : tensor<8xf32>) -> tensor<8xf32>
// AFTER-NEXT:    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<8x4xf32>) outs(%16 : tensor<8xf32>) {
// AFTER-NEXT:    ^bb0(%18: f32, %19: f32):
// AFTER-NEXT:      %20 = arith.addf %18, %19 : f32
// AFTER-NEXT:      linalg.yield %20 : f32
// AFTER-NEXT:    } -> tensor<8xf32>
// AFTER-NEXT:    %21 = tensor.empty() : tensor<8x4xf32>
// AFTER-NEXT:    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8, %17 : tensor<8x4xf32>, tensor<8xf32>) outs(%21 : tensor<8x4xf32>) {
// AFTER-NEXT:    ^bb0(%22: f32, %23: f32, %24: f32):
// AFTER-NEXT:      %25 = arith.divf %22, %23 : f32
// AFTER-NEXT:      linalg.yield %25 : f32
// AFTER-NEXT:    } -> tensor<8x4xf32>
// AFTER-NEXT:    func.return %y : tensor<8x4xf32>
// CHECK-NEXT: }
func.func @softmax(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %y = ncnn.softmax %x {axis = 1, fixbug0 = 1} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  func.return %y : tensor<8x4xf32>
}
