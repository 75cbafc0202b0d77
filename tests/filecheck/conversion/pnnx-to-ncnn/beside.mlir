// RUN: ncnn-opt --convert-pnnx-to-ncnn %s | filecheck %s

// The converter's own model normalizes groups of one row; PNNX's graph states all three axes. The new
// function replaces it.
// CHECK:     func.func @main(%in0: tensor<2x3x4xf32> {ncnn.blob = "in0"}) -> (tensor<2x3x4xf32> {ncnn.blob = "out0"})
// CHECK:     ncnn.reshape %in0 {w = 24}
// CHECK:     ncnn.layernorm {{.*}} affine_size = 24
// CHECK-NOT: pnnx
func.func @main(%in0: tensor<2x3x4xf32> {ncnn.blob = "in0"}) -> (tensor<2x3x4xf32> {ncnn.blob = "out0"}) {
  %y = ncnn.layernorm %in0 {name = "ln", affine_size = 4} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}
pnnx.graph {
  %x = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x2x3x4xf32>
  %y = pnnx.op "nn.LayerNorm" "ln"(%x) {blobs = ["1"], params = {elementwise_affine = false, eps = 1.0e-5 : f32, normalized_shape = array<i32: 2, 3, 4>}} : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  pnnx.op "pnnx.Output" "out"(%y) : (tensor<1x2x3x4xf32>) -> ()
}
