// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-ncnn-to-linalg=conv=gemm %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-ncnn-to-linalg=conv=gemm %s > %t.once
// RUN: ncnn-opt --convert-ncnn-to-linalg=conv=gemm %t.once | diff %t.once -

// A factor that is a slice is computed by a kernel of its own, which IREE does not move into the product.
// CHECK-LABEL: func.func @part(%x: tensor<6x2x8xf32>, %y: tensor<2x4x6xf32>) -> tensor<2x6x6xf32> {
// BEFORE-NEXT:   %q, %r = ncnn.slice %x {slices = [4, -233], axis = 2} : (tensor<6x2x8xf32>) -> (tensor<6x2x4xf32>, tensor<6x2x4xf32>)
// BEFORE-NEXT:   %p = ncnn.permute %q {order_type = 2} : (tensor<6x2x4xf32>) -> tensor<2x6x4xf32>
// BEFORE-NEXT:   %z = ncnn.matmul %p, %y : (tensor<2x6x4xf32>, tensor<2x4x6xf32>) -> tensor<2x6x6xf32>
// AFTER-NEXT:    %q = tensor.extract_slice %x[0, 0, 0] [6, 2, 4] [1, 1, 1] : tensor<6x2x8xf32> to tensor<6x2x4xf32>
// AFTER-NEXT:    %0 = tensor.empty() : tensor<2x6x4xf32>
// AFTER-NEXT:    %p = linalg.transpose ins(%q:tensor<6x2x4xf32>) outs(%0:tensor<2x6x4xf32>) permutation = [1, 0, 2]
// AFTER-NEXT:    %1 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %2 = tensor.empty() : tensor<2x6x6xf32>
// AFTER-NEXT:    %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
// AFTER-NEXT:    %4 = tensor.empty() : tensor<2x6x4xf32>
// AFTER-NEXT:    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<2x6x4xf32>) outs(%4 : tensor<2x6x4xf32>) {
// AFTER-NEXT:    ^bb0(%6: f32, %7: f32):
// AFTER-NEXT:      %8 = math.copysign %6, %6 : f32
// AFTER-NEXT:      linalg.yield %8 : f32
// AFTER-NEXT:    } -> tensor<2x6x4xf32>
// AFTER-NEXT:    %z = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5, %y : tensor<2x6x4xf32>, tensor<2x4x6xf32>) outs(%3 : tensor<2x6x6xf32>) {
// AFTER-NEXT:    ^bb0(%9: f32, %10: f32, %11: f32):
// AFTER-NEXT:      %12 = arith.mulf %9, %10 : f32
// AFTER-NEXT:      %13 = arith.addf %11, %12 : f32
// AFTER-NEXT:      linalg.yield %13 : f32
// AFTER-NEXT:    } -> tensor<2x6x6xf32>
// CHECK-NEXT:   func.return %z : tensor<2x6x6xf32>
// CHECK-NEXT: }
func.func @part(%x: tensor<6x2x8xf32>, %y: tensor<2x4x6xf32>) -> tensor<2x6x6xf32> {
  %q, %r = ncnn.slice %x {slices = [4, -233], axis = 2} : (tensor<6x2x8xf32>) -> (tensor<6x2x4xf32>, tensor<6x2x4xf32>)
  %p = ncnn.permute %q {order_type = 2} : (tensor<6x2x4xf32>) -> tensor<2x6x4xf32>
  %z = ncnn.matmul %p, %y : (tensor<2x6x4xf32>, tensor<2x4x6xf32>) -> tensor<2x6x6xf32>
  func.return %z : tensor<2x6x6xf32>
}

// The elements of whole outer axes stand side by side.
// CHECK-LABEL: func.func @piece(%x: tensor<4x6x4xf32>, %y: tensor<2x4x6xf32>) -> tensor<2x6x6xf32> {
// BEFORE-NEXT:   %q, %r = ncnn.slice %x {slices = [2, -233]} : (tensor<4x6x4xf32>) -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>)
// BEFORE-NEXT:   %z = ncnn.matmul %q, %y : (tensor<2x6x4xf32>, tensor<2x4x6xf32>) -> tensor<2x6x6xf32>
// AFTER-NEXT:    %q = tensor.extract_slice %x[0, 0, 0] [2, 6, 4] [1, 1, 1] : tensor<4x6x4xf32> to tensor<2x6x4xf32>
// AFTER-NEXT:    %0 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %1 = tensor.empty() : tensor<2x6x6xf32>
// AFTER-NEXT:    %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
// AFTER-NEXT:    %z = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %y : tensor<2x6x4xf32>, tensor<2x4x6xf32>) outs(%2 : tensor<2x6x6xf32>) {
// AFTER-NEXT:    ^bb0(%3: f32, %4: f32, %5: f32):
// AFTER-NEXT:      %6 = arith.mulf %3, %4 : f32
// AFTER-NEXT:      %7 = arith.addf %5, %6 : f32
// AFTER-NEXT:      linalg.yield %7 : f32
// AFTER-NEXT:    } -> tensor<2x6x6xf32>
// CHECK-NEXT:   func.return %z : tensor<2x6x6xf32>
// CHECK-NEXT: }
func.func @piece(%x: tensor<4x6x4xf32>, %y: tensor<2x4x6xf32>) -> tensor<2x6x6xf32> {
  %q, %r = ncnn.slice %x {slices = [2, -233], axis = 0} : (tensor<4x6x4xf32>) -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>)
  %z = ncnn.matmul %q, %y : (tensor<2x6x4xf32>, tensor<2x4x6xf32>) -> tensor<2x6x6xf32>
  func.return %z : tensor<2x6x6xf32>
}
