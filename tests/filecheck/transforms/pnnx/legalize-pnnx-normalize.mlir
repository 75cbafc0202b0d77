// RUN: ncnn-opt --split-input-file --legalize-pnnx-normalize %s | filecheck %s

// Along rows.
// CHECK:   func.func @main(%0: tensor<1x4x16x64xf32>) -> tensor<1x4x16x64xf32> {
// CHECK-NEXT:     %1 = ncnn.reduction %0 {operation = l2, reduce_all = 0, axes = [3], keepdims = 1, fixbug0 = 1} : (tensor<1x4x16x64xf32>) -> tensor<1x4x16x1xf32>
// CHECK-NEXT:     %2 = ncnn.binaryop %1 {op_type = max, with_scalar = 1, b = 1.0e-12} : (tensor<1x4x16x1xf32>) -> tensor<1x4x16x1xf32>
// CHECK-NEXT:     %3 = ncnn.binaryop %0, %2 {op_type = div} : (tensor<1x4x16x64xf32>, tensor<1x4x16x1xf32>) -> tensor<1x4x16x64xf32>
// CHECK-NEXT:     func.return %3 : tensor<1x4x16x64xf32>
func.func @main(%0: tensor<1x4x16x64xf32>) -> tensor<1x4x16x64xf32> {
  %1 = pnnx.op "F.normalize" "n"(%0) {params = {dim = -1 : i32, eps = 1.0e-12 : f32, p = 2.0 : f32}} : (tensor<1x4x16x64xf32>) -> tensor<1x4x16x64xf32>
  func.return %1 : tensor<1x4x16x64xf32>
}
