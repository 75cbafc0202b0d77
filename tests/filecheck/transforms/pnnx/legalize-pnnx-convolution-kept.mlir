// RUN: ncnn-opt --split-input-file --legalize-pnnx-convolution %s | filecheck %s

// A batch of two.
// CHECK:   func.func @main(%0: tensor<2x3x8x8xf32>, %1: tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32> {
// CHECK-NEXT:     %2 = pnnx.op "F.conv2d" "c"(%0, %1) {params = {padding = array<i32: 0, 0>}, keys = ["input", "weight"]} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32>
// CHECK-NEXT:     func.return %2 : tensor<2x4x6x6xf32>
func.func @main(%0: tensor<2x3x8x8xf32>, %1: tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32> {
  %2 = pnnx.op "F.conv2d" "c"(%0, %1) {params = {padding = array<i32: 0, 0>}, keys = ["input", "weight"]} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32>
  func.return %2 : tensor<2x4x6x6xf32>
}

// -----

// Padding in words.
// CHECK:   func.func @main(%0: tensor<1x3x8x8xf32>, %1: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
// CHECK-NEXT:     %2 = pnnx.op "F.conv2d" "c"(%0, %1) {params = {padding = "same"}, keys = ["input", "weight"]} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
// CHECK-NEXT:     func.return %2 : tensor<1x4x8x8xf32>
func.func @main(%0: tensor<1x3x8x8xf32>, %1: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %2 = pnnx.op "F.conv2d" "c"(%0, %1) {params = {padding = "same"}, keys = ["input", "weight"]} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  func.return %2 : tensor<1x4x8x8xf32>
}
