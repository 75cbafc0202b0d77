// RUN: ncnn-opt --split-input-file --legalize-pnnx-slice %s | filecheck %s

// From one element to another.
// CHECK:   func.func @main(%0: tensor<1x7x9xf32>) -> tensor<1x6x6xf32> {
// CHECK-NEXT:     %1 = ncnn.crop %0 {starts = [1], ends = [7], axes = [1]} : (tensor<1x7x9xf32>) -> tensor<1x6x9xf32>
// CHECK-NEXT:     %2 = ncnn.crop %1 {starts = [1], ends = [7], axes = [2]} : (tensor<1x6x9xf32>) -> tensor<1x6x6xf32>
// CHECK-NEXT:     func.return %2 : tensor<1x6x6xf32>
func.func @main(%0: tensor<1x7x9xf32>) -> tensor<1x6x6xf32> {
  %1 = pnnx.op "Tensor.slice" "s"(%0) {params = {dims = array<i32: 1, 2>, ends = array<i32: 2147483647, -2>, selects = array<i32: 2147483647, 2147483647>, starts = array<i32: 1, -8>, steps = array<i32: 1, 1>}} : (tensor<1x7x9xf32>) -> tensor<1x6x6xf32>
  func.return %1 : tensor<1x6x6xf32>
}

// -----

// Every second element: the first one of rows of two.
// CHECK:   func.func @main(%0: tensor<3x8x5xf32>) -> tensor<3x4x5xf32> {
// CHECK-NEXT:     %1 = pnnx.cast %0 : tensor<3x8x5xf32> to tensor<3x4x2x5xf32>
// CHECK-NEXT:     %2 = ncnn.crop %1 {starts = [0], ends = [1], axes = [2]} : (tensor<3x4x2x5xf32>) -> tensor<3x4x1x5xf32>
// CHECK-NEXT:     %3 = pnnx.cast %2 : tensor<3x4x1x5xf32> to tensor<3x4x5xf32>
// CHECK-NEXT:     func.return %3 : tensor<3x4x5xf32>
func.func @main(%0: tensor<3x8x5xf32>) -> tensor<3x4x5xf32> {
  %1 = pnnx.op "Tensor.slice" "s"(%0) {params = {dim = 1 : i32, end = 2147483647 : i32, start = 0 : i32, step = 2 : i32}} : (tensor<3x8x5xf32>) -> tensor<3x4x5xf32>
  func.return %1 : tensor<3x4x5xf32>
}

// -----

// From the second one on, rows begin one before it.
// CHECK:   func.func @main(%0: tensor<3x8x5xf32>) -> tensor<3x4x5xf32> {
// CHECK-NEXT:     %1 = pnnx.cast %0 : tensor<3x8x5xf32> to tensor<3x4x2x5xf32>
// CHECK-NEXT:     %2 = ncnn.crop %1 {starts = [1], ends = [2], axes = [2]} : (tensor<3x4x2x5xf32>) -> tensor<3x4x1x5xf32>
// CHECK-NEXT:     %3 = pnnx.cast %2 : tensor<3x4x1x5xf32> to tensor<3x4x5xf32>
// CHECK-NEXT:     func.return %3 : tensor<3x4x5xf32>
func.func @main(%0: tensor<3x8x5xf32>) -> tensor<3x4x5xf32> {
  %1 = pnnx.op "Tensor.slice" "s"(%0) {params = {dim = 1 : i32, end = 2147483647 : i32, start = 1 : i32, step = 2 : i32}} : (tensor<3x8x5xf32>) -> tensor<3x4x5xf32>
  func.return %1 : tensor<3x4x5xf32>
}

// -----

// Where the last row is not whole, its element comes apart.
// CHECK:   func.func @main(%0: tensor<3x7x5xf32>) -> tensor<3x4x5xf32> {
// CHECK-NEXT:     %1 = ncnn.crop %0 {starts = [6], ends = [7], axes = [1]} : (tensor<3x7x5xf32>) -> tensor<3x1x5xf32>
// CHECK-NEXT:     %2 = ncnn.crop %0 {starts = [0], ends = [6], axes = [1]} : (tensor<3x7x5xf32>) -> tensor<3x6x5xf32>
// CHECK-NEXT:     %3 = pnnx.cast %2 : tensor<3x6x5xf32> to tensor<3x3x2x5xf32>
// CHECK-NEXT:     %4 = ncnn.crop %3 {starts = [0], ends = [1], axes = [2]} : (tensor<3x3x2x5xf32>) -> tensor<3x3x1x5xf32>
// CHECK-NEXT:     %5 = pnnx.cast %4 : tensor<3x3x1x5xf32> to tensor<3x3x5xf32>
// CHECK-NEXT:     %6 = ncnn.concat %5, %1 {axis = 1} : (tensor<3x3x5xf32>, tensor<3x1x5xf32>) -> tensor<3x4x5xf32>
// CHECK-NEXT:     func.return %6 : tensor<3x4x5xf32>
func.func @main(%0: tensor<3x7x5xf32>) -> tensor<3x4x5xf32> {
  %1 = pnnx.op "Tensor.slice" "s"(%0) {params = {dim = 1 : i32, end = 2147483647 : i32, start = 0 : i32, step = 2 : i32}} : (tensor<3x7x5xf32>) -> tensor<3x4x5xf32>
  func.return %1 : tensor<3x4x5xf32>
}

// -----

// One element.
// CHECK:   func.func @main(%0: tensor<3x1x4x80x36xf32>) -> tensor<1x4x80x36xf32> {
// CHECK-NEXT:     %1 = pnnx.cast %0 : tensor<3x1x4x80x36xf32> to tensor<3x4x80x36xf32>
// CHECK-NEXT:     %2 = ncnn.crop %1 {starts = [2], ends = [3], axes = [0]} : (tensor<3x4x80x36xf32>) -> tensor<1x4x80x36xf32>
// CHECK-NEXT:     func.return %2 : tensor<1x4x80x36xf32>
func.func @main(%0: tensor<3x1x4x80x36xf32>) -> tensor<1x4x80x36xf32> {
  %1 = pnnx.op "Tensor.select" "s"(%0) {params = {dim = 0 : i32, index = -1 : i32}} : (tensor<3x1x4x80x36xf32>) -> tensor<1x4x80x36xf32>
  func.return %1 : tensor<1x4x80x36xf32>
}
