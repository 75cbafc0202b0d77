// RUN: ncnn-opt --split-input-file --legalize-pnnx-permute %s | filecheck %s

// No permutation.
// CHECK:   func.func @main(%0: tensor<2x3x4xf32>) -> tensor<2x2x3xf32> {
// CHECK-NEXT:     %1 = pnnx.op "Tensor.permute" "p"(%0) {params = {dims = array<i32: 0, 0, 1>}} : (tensor<2x3x4xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT:     func.return %1 : tensor<2x2x3xf32>
func.func @main(%0: tensor<2x3x4xf32>) -> tensor<2x2x3xf32> {
  %1 = pnnx.op "Tensor.permute" "p"(%0) {params = {dims = array<i32: 0, 0, 1>}} : (tensor<2x3x4xf32>) -> tensor<2x2x3xf32>
  func.return %1 : tensor<2x2x3xf32>
}
