// RUN: ncnn-opt --split-input-file --legalize-pnnx-expression %s | filecheck %s

// A function that the runtime does not have.
// CHECK:   func.func @main(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:     %1 = pnnx.op "pnnx.Expression" "e"(%0) {params = {expr = "gelu(@0)"}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     func.return %1 : tensor<2x3xf32>
func.func @main(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %1 = pnnx.op "pnnx.Expression" "e"(%0) {params = {expr = "gelu(@0)"}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}

// -----

// More than four dims that broadcast in turn.
// CHECK:   func.func @main(%0: tensor<2x1x2x1x2xf32>, %1: tensor<1x2x1x2x1xf32>) -> tensor<32xf32> {
// CHECK-NEXT:     %2 = pnnx.op "pnnx.Expression" "e"(%0, %1) {params = {expr = "add(@0,@1)"}} : (tensor<2x1x2x1x2xf32>, tensor<1x2x1x2x1xf32>) -> tensor<2x2x2x2x2xf32>
// CHECK-NEXT:     %3 = pnnx.cast %2 : tensor<2x2x2x2x2xf32> to tensor<32xf32>
// CHECK-NEXT:     func.return %3 : tensor<32xf32>
func.func @main(%0: tensor<2x1x2x1x2xf32>, %1: tensor<1x2x1x2x1xf32>) -> tensor<32xf32> {
  %2 = pnnx.op "pnnx.Expression" "e"(%0, %1) {params = {expr = "add(@0,@1)"}} : (tensor<2x1x2x1x2xf32>, tensor<1x2x1x2x1xf32>) -> tensor<2x2x2x2x2xf32>
  %3 = pnnx.cast %2 : tensor<2x2x2x2x2xf32> to tensor<32xf32>
  func.return %3 : tensor<32xf32>
}
