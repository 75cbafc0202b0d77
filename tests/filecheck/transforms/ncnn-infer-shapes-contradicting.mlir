// RUN: ncnn-opt --ncnn-infer-shapes --split-input-file %s | filecheck %s

// A shape that a weight contradicts (here rows, columns and channels in another order) is no hint, for
// no layer: the runtime would compile a GPU's shaders for it.
// CHECK-LABEL: {ncnn.blob = "image", ncnn.params = {"31" = 1 : i32}}
// CHECK-NOT:   hints
// CHECK:       ncnn.convolution
// CHECK-NOT:   hints
// CHECK:       func.return
func.func @main(%image: tensor<8x8x3xf32> {ncnn.blob = "image", ncnn.params = {"31" = 1 : i32, "30" = array<i32: 3, 3, 8, 8>}}) -> (tensor<?x?x?xf32> {ncnn.blob = "c"}) {
  %relu = ncnn.relu %image {name = "relu", shape_hints = [3, 3, 8, 8]} : (tensor<8x8x3xf32>) -> tensor<8x8x3xf32>
  %w = ncnn.constant dense<1.0> : tensor<2x3x1x1xf32>
  %c = ncnn.convolution %relu weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<8x8x3xf32>, tensor<2x3x1x1xf32>) -> tensor<?x?x?xf32>
  func.return %c : tensor<?x?x?xf32>
}

// -----

// Nor is the shape of a blob into which a window does not fit.
// CHECK-LABEL: {ncnn.blob = "small"}
// CHECK-NOT:   hints
// CHECK:       func.return
func.func @main(%small: tensor<3x2x2xf32> {ncnn.blob = "small"}) -> (tensor<?x?x?xf32> {ncnn.blob = "p"}) {
  %p = ncnn.pooling %small {name = "p", kernel_w = 3, pad_mode = 1} : (tensor<3x2x2xf32>) -> tensor<?x?x?xf32>
  func.return %p : tensor<?x?x?xf32>
}

// -----

// With an unknown shape in between, the known ones are hints.
// CHECK-LABEL: {ncnn.blob = "fits", ncnn.params = {"30" = array<i32: 3, 8, 8, 3>}}
// CHECK:       hints = [3, 8, 8, 2]
// CHECK:       ncnn.custom
// CHECK-NOT:   hints
// CHECK:       func.return
func.func @main(%fits: tensor<3x8x8xf32> {ncnn.blob = "fits"}) -> (tensor<*xf32> {ncnn.blob = "d"}) {
  %w = ncnn.constant dense<1.0> : tensor<2x3x1x1xf32>
  %c = ncnn.convolution %fits weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<3x8x8xf32>, tensor<2x3x1x1xf32>) -> tensor<?x?x?xf32>
  %d = ncnn.custom "Boxes"(%c) {name = "d"} : (tensor<?x?x?xf32>) -> tensor<*xf32>
  func.return %d : tensor<*xf32>
}
