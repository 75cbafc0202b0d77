// RUN: ncnn-opt --split-input-file --legalize-pnnx-addcmul %s | filecheck %s

// A factor that is not known.
// CHECK:   func.func @main(%0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:     %1 = pnnx.op "pnnx.Expression" "e"() {params = {expr = "size(@0,1)"}} : () -> !pnnx.any
// CHECK-NEXT:     %2 = pnnx.op "aten::addcmul" "a"(%0, %0, %0, %1) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, !pnnx.any) -> tensor<8xf32>
// CHECK-NEXT:     func.return %2 : tensor<8xf32>
func.func @main(%0: tensor<8xf32>) -> tensor<8xf32> {
  %1 = pnnx.op "pnnx.Expression" "e"() {params = {expr = "size(@0,1)"}} : () -> !pnnx.any
  %2 = pnnx.op "aten::addcmul" "a"(%0, %0, %0, %1) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, !pnnx.any) -> tensor<8xf32>
  func.return %2 : tensor<8xf32>
}
