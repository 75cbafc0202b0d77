// RUN: ncnn-opt --split-input-file --legalize-pnnx-permute %s | filecheck %s

// A partition into windows: four axes move.
// CHECK:   func.func @main(%0: tensor<1x8x7x8x7x96xf32>) -> tensor<64x49x96xf32> {
// CHECK-NEXT:     %1 = pnnx.cast %0 : tensor<1x8x7x8x7x96xf32> to tensor<8x7x8x672xf32>
// CHECK-NEXT:     %2 = ncnn.permute %1 {order_type = 2} : (tensor<8x7x8x672xf32>) -> tensor<8x8x7x672xf32>
// CHECK-NEXT:     %3 = pnnx.cast %2 : tensor<8x8x7x672xf32> to tensor<1x8x8x7x7x96xf32>
// CHECK-NEXT:     %4 = pnnx.cast %3 : tensor<1x8x8x7x7x96xf32> to tensor<64x49x96xf32>
// CHECK-NEXT:     func.return %4 : tensor<64x49x96xf32>
func.func @main(%0: tensor<1x8x7x8x7x96xf32>) -> tensor<64x49x96xf32> {
  %1 = pnnx.op "Tensor.permute" "p"(%0) {params = {dims = array<i32: 0, 1, 3, 2, 4, 5>}} : (tensor<1x8x7x8x7x96xf32>) -> tensor<1x8x8x7x7x96xf32>
  %2 = pnnx.cast %1 : tensor<1x8x8x7x7x96xf32> to tensor<64x49x96xf32>
  func.return %2 : tensor<64x49x96xf32>
}

// -----

// Five axes that all move take two steps.
// CHECK:   func.func @main(%0: tensor<2x3x4x5x6xf32>) -> tensor<720xf32> {
// CHECK-NEXT:     %1 = pnnx.cast %0 : tensor<2x3x4x5x6xf32> to tensor<2x12x30xf32>
// CHECK-NEXT:     %2 = ncnn.permute %1 {order_type = 2} : (tensor<2x12x30xf32>) -> tensor<12x2x30xf32>
// CHECK-NEXT:     %3 = pnnx.cast %2 : tensor<12x2x30xf32> to tensor<3x40x6xf32>
// CHECK-NEXT:     %4 = ncnn.permute %3 {order_type = 5} : (tensor<3x40x6xf32>) -> tensor<6x40x3xf32>
// CHECK-NEXT:     %5 = pnnx.cast %4 : tensor<6x40x3xf32> to tensor<6x4x2x5x3xf32>
// CHECK-NEXT:     %6 = pnnx.cast %5 : tensor<6x4x2x5x3xf32> to tensor<720xf32>
// CHECK-NEXT:     func.return %6 : tensor<720xf32>
func.func @main(%0: tensor<2x3x4x5x6xf32>) -> tensor<720xf32> {
  %1 = pnnx.op "Tensor.permute" "p"(%0) {params = {dims = array<i32: 4, 2, 0, 3, 1>}} : (tensor<2x3x4x5x6xf32>) -> tensor<6x4x2x5x3xf32>
  %2 = pnnx.cast %1 : tensor<6x4x2x5x3xf32> to tensor<720xf32>
  func.return %2 : tensor<720xf32>
}

// -----

// Nothing moves.
// CHECK:   func.func @main(%0: tensor<1x5x6xf32>) -> tensor<5x1x6xf32> {
// CHECK-NEXT:     %1 = pnnx.cast %0 : tensor<1x5x6xf32> to tensor<5x1x6xf32>
// CHECK-NEXT:     func.return %1 : tensor<5x1x6xf32>
func.func @main(%0: tensor<1x5x6xf32>) -> tensor<5x1x6xf32> {
  %1 = pnnx.op "torch.transpose" "t"(%0) {params = {dim0 = 0 : i32, dim1 = 1 : i32}} : (tensor<1x5x6xf32>) -> tensor<5x1x6xf32>
  func.return %1 : tensor<5x1x6xf32>
}
