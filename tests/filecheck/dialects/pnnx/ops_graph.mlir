// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK: builtin.module {
// CHECK-NEXT:  pnnx.graph {
// CHECK-NEXT:    %b0 = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x?x8xf32>
// CHECK-NEXT:    %b1 = pnnx.op "pnnx.Attribute" "mask"() {blobs = ["1"], weights = {data = tensor<2x3x!pnnx.null>}} : () -> !pnnx.any
// CHECK-NEXT:    %b2 = pnnx.op "nn.Linear" "fc"(%b0) {blobs = ["2"], params = {bias = true, in_features = 8 : i32}, weights = {bias = tensor<4xf32>, out_proj.weight = tensor<4x8xbf16>}} : (tensor<1x?x8xf32>) -> tensor<1x?x4xf32>
// CHECK-NEXT:    %b3, %b4 = pnnx.op "my::op" "own"(%b2, %b1, %b2) {blobs = ["3", "4"], params = {eps = 1.000000e-05 : f32, mode = "none", none, scales = array<f32: 5.000000e-01, 2.000000e+00>, shape = array<i32: 1, -1>, words = ["a", "b"]}, keys = ["input", "", "other"]} : (tensor<1x?x4xf32>, !pnnx.any, tensor<1x?x4xf32>) -> (tensor<4xi64>, tensor<4xui8>)
// CHECK-NEXT:    pnnx.op "pnnx.Output" "out"(%b3) : (tensor<4xi64>) -> ()
// CHECK-NEXT:  }
// CHECK-NEXT:}
pnnx.graph {
  %b0 = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x?x8xf32>
  %b1 = pnnx.op "pnnx.Attribute" "mask"() {blobs = ["1"], weights = {data = tensor<2x3x!pnnx.null>}} : () -> !pnnx.any
  %b2 = pnnx.op "nn.Linear" "fc"(%b0) {blobs = ["2"], params = {bias = true, in_features = 8 : i32}, weights = {bias = tensor<4xf32>, out_proj.weight = tensor<4x8xbf16>}} : (tensor<1x?x8xf32>) -> tensor<1x?x4xf32>
  %b3, %b4 = pnnx.op "my::op" "own"(%b2, %b1, %b2) {blobs = ["3", "4"], params = {eps = 1.0e-05 : f32, mode = "none", none, scales = array<f32: 0.5, 2.0>, shape = array<i32: 1, -1>, words = ["a", "b"]}, keys = ["input", "", "other"]} : (tensor<1x?x4xf32>, !pnnx.any, tensor<1x?x4xf32>) -> (tensor<4xi64>, tensor<4xui8>)
  pnnx.op "pnnx.Output" "out"(%b3) : (tensor<4xi64>) -> ()
}
