// RUN: ncnn-opt --split-input-file --legalize-pnnx-join %s | filecheck %s

// A fifth axis.
// CHECK:   func.func @main(%0: tensor<1x3x256x32xf32>) -> tensor<49152xf32> {
// CHECK-NEXT:     %1 = pnnx.cast %0 : tensor<1x3x256x32xf32> to tensor<3x256x32x1xf32>
// CHECK-NEXT:     %2 = pnnx.cast %0 : tensor<1x3x256x32xf32> to tensor<3x256x32x1xf32>
// CHECK-NEXT:     %3 = ncnn.concat %1, %2 {axis = 3} : (tensor<3x256x32x1xf32>, tensor<3x256x32x1xf32>) -> tensor<3x256x32x2xf32>
// CHECK-NEXT:     %4 = pnnx.cast %3 : tensor<3x256x32x2xf32> to tensor<1x3x256x32x2xf32>
// CHECK-NEXT:     %5 = pnnx.cast %4 : tensor<1x3x256x32x2xf32> to tensor<49152xf32>
// CHECK-NEXT:     func.return %5 : tensor<49152xf32>
func.func @main(%0: tensor<1x3x256x32xf32>) -> tensor<49152xf32> {
  %1 = pnnx.op "torch.stack" "s"(%0, %0) {params = {dim = -1 : i32}} : (tensor<1x3x256x32xf32>, tensor<1x3x256x32xf32>) -> tensor<1x3x256x32x2xf32>
  %2 = pnnx.cast %1 : tensor<1x3x256x32x2xf32> to tensor<49152xf32>
  func.return %2 : tensor<49152xf32>
}

// -----

// As many dims as a blob has.
// CHECK:   func.func @main(%0: tensor<2x3x4xf32>) -> tensor<2x6x4xf32> {
// CHECK-NEXT:     %1 = ncnn.concat %0, %0 {axis = 1} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x6x4xf32>
// CHECK-NEXT:     func.return %1 : tensor<2x6x4xf32>
func.func @main(%0: tensor<2x3x4xf32>) -> tensor<2x6x4xf32> {
  %1 = pnnx.op "torch.cat" "c"(%0, %0) {params = {dim = 1 : i32}} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x6x4xf32>
  func.return %1 : tensor<2x6x4xf32>
}
