// RUN: ncnn-opt --split-input-file --legalize-pnnx-reshape --legalize-pnnx-cast %s | filecheck %s

// Of two that follow each other one Reshape is left.
// CHECK:   func.func @main(%0: tensor<56x56x96xf32>) -> tensor<64x49x96xf32> {
// CHECK-NEXT:     %1 = ncnn.reshape %0 {w = 96, h = 49, c = 64} : (tensor<56x56x96xf32>) -> tensor<64x49x96xf32>
// CHECK-NEXT:     func.return %1 : tensor<64x49x96xf32>
func.func @main(%0: tensor<56x56x96xf32>) -> tensor<64x49x96xf32> {
  %1 = pnnx.op "Tensor.reshape" "a"(%0) {params = {shape = array<i32: 1, 8, 7, 8, 7, 96>}} : (tensor<56x56x96xf32>) -> tensor<1x8x7x8x7x96xf32>
  %2 = pnnx.op "torch.flatten" "b"(%1) : (tensor<1x8x7x8x7x96xf32>) -> tensor<64x49x96xf32>
  func.return %2 : tensor<64x49x96xf32>
}
