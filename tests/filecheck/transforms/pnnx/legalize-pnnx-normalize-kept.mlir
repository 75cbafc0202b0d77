// RUN: ncnn-opt --split-input-file --legalize-pnnx-normalize %s | filecheck %s

// Another norm.
// CHECK:   func.func @main(%0: tensor<4x16xf32>) -> tensor<4x16xf32> {
// CHECK-NEXT:     %1 = pnnx.op "F.normalize" "n"(%0) {params = {dim = -1 : i32, eps = 1.000000e-12 : f32, p = 1.000000e+00 : f32}} : (tensor<4x16xf32>) -> tensor<4x16xf32>
// CHECK-NEXT:     func.return %1 : tensor<4x16xf32>
func.func @main(%0: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %1 = pnnx.op "F.normalize" "n"(%0) {params = {dim = -1 : i32, eps = 1.0e-12 : f32, p = 1.0 : f32}} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  func.return %1 : tensor<4x16xf32>
}
