// RUN: ncnn-opt --split-input-file --legalize-pnnx-split %s | filecheck %s

// Parts as large as in PyTorch.
// CHECK:   func.func @main(%0: tensor<1x100x8x8xf32>) -> (tensor<1x34x8x8xf32>, tensor<1x34x8x8xf32>, tensor<1x32x8x8xf32>) {
// CHECK-NEXT:     %1, %2, %3 = ncnn.slice %0 {slices = [34, 34, 32], axis = 1} : (tensor<1x100x8x8xf32>) -> (tensor<1x34x8x8xf32>, tensor<1x34x8x8xf32>, tensor<1x32x8x8xf32>)
// CHECK-NEXT:     func.return %1, %2, %3 : tensor<1x34x8x8xf32>, tensor<1x34x8x8xf32>, tensor<1x32x8x8xf32>
func.func @main(%0: tensor<1x100x8x8xf32>) -> (tensor<1x34x8x8xf32>, tensor<1x34x8x8xf32>, tensor<1x32x8x8xf32>) {
  %1, %2, %3 = pnnx.op "torch.chunk" "c"(%0) {params = {chunks = 3 : i32, dim = 1 : i32}} : (tensor<1x100x8x8xf32>) -> (tensor<1x34x8x8xf32>, tensor<1x34x8x8xf32>, tensor<1x32x8x8xf32>)
  func.return %1, %2, %3 : tensor<1x34x8x8xf32>, tensor<1x34x8x8xf32>, tensor<1x32x8x8xf32>
}
