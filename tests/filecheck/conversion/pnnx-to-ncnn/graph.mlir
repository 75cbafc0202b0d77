// RUN: ncnn-opt --convert-pnnx-to-ncnn %s | filecheck %s --match-full-lines

// The batch axis of 1 is no axis of the blobs; each operator becomes layers.
// CHECK:        func.func @main(%in0: tensor<3x4x5xf32> {ncnn.blob = "in0"}) -> (tensor<4x5x3xf32> {ncnn.blob = "out0"}) {
// CHECK-NEXT:     %0 = ncnn.permute %in0 {name = "turn", order_type = 3} : (tensor<3x4x5xf32>) -> tensor<4x5x3xf32>
// CHECK-NEXT:     %1 = ncnn.softmax %0 {name = "soft", axis = 2, fixbug0 = 1} : (tensor<4x5x3xf32>) -> tensor<4x5x3xf32>
// CHECK-NEXT:     func.return %1 : tensor<4x5x3xf32>
pnnx.graph {
  %x = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x3x4x5xf32>
  %y = pnnx.op "Tensor.permute" "turn"(%x) {blobs = ["1"], params = {dims = array<i32: 0, 2, 3, 1>}} : (tensor<1x3x4x5xf32>) -> tensor<1x4x5x3xf32>
  %z = pnnx.op "F.softmax" "soft"(%y) {blobs = ["2"], params = {dim = -1 : i32}} : (tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  pnnx.op "pnnx.Output" "out"(%z) : (tensor<1x4x5x3xf32>) -> ()
}
