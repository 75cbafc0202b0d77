// RUN: ncnn-opt --split-input-file --legalize-pnnx-slice %s | filecheck %s

// Backwards.
// CHECK:   func.func @main(%0: tensor<3x8xf32>) -> tensor<3x8xf32> {
// CHECK-NEXT:     %1 = pnnx.op "Tensor.slice" "s"(%0) {params = {dim = 1 : i32, end = 8 : i32, start = 0 : i32, step = -1 : i32}} : (tensor<3x8xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:     func.return %1 : tensor<3x8xf32>
func.func @main(%0: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %1 = pnnx.op "Tensor.slice" "s"(%0) {params = {dim = 1 : i32, end = 8 : i32, start = 0 : i32, step = -1 : i32}} : (tensor<3x8xf32>) -> tensor<3x8xf32>
  func.return %1 : tensor<3x8xf32>
}

// -----

// A result of another extent.
// CHECK:   func.func @main(%0: tensor<3x8xf32>) -> tensor<3x5xf32> {
// CHECK-NEXT:     %1 = pnnx.op "Tensor.slice" "s"(%0) {params = {dim = 1 : i32, end = 6 : i32, start = 0 : i32, step = 1 : i32}} : (tensor<3x8xf32>) -> tensor<3x5xf32>
// CHECK-NEXT:     func.return %1 : tensor<3x5xf32>
func.func @main(%0: tensor<3x8xf32>) -> tensor<3x5xf32> {
  %1 = pnnx.op "Tensor.slice" "s"(%0) {params = {dim = 1 : i32, end = 6 : i32, start = 0 : i32, step = 1 : i32}} : (tensor<3x8xf32>) -> tensor<3x5xf32>
  func.return %1 : tensor<3x5xf32>
}
