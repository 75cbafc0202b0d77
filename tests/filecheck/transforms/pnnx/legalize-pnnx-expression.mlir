// RUN: ncnn-opt --split-input-file --legalize-pnnx-expression %s | filecheck %s

// Five dims broadcast in three.
// CHECK:   func.func @main(%0: tensor<1x64x3x49x49xf32>, %1: tensor<1x64x1x49x49xf32>) -> tensor<64x3x49x49xf32> {
// CHECK-NEXT:     %2 = pnnx.cast %0 : tensor<1x64x3x49x49xf32> to tensor<64x3x49x49xf32>
// CHECK-NEXT:     %3 = ncnn.binaryop %2 {op_type = mul, with_scalar = 1, b = 0.5} : (tensor<64x3x49x49xf32>) -> tensor<64x3x49x49xf32>
// CHECK-NEXT:     %4 = pnnx.cast %3 : tensor<64x3x49x49xf32> to tensor<64x3x2401xf32>
// CHECK-NEXT:     %5 = pnnx.cast %1 : tensor<1x64x1x49x49xf32> to tensor<64x1x2401xf32>
// CHECK-NEXT:     %6 = ncnn.binaryop %4, %5 {op_type = add} : (tensor<64x3x2401xf32>, tensor<64x1x2401xf32>) -> tensor<64x3x2401xf32>
// CHECK-NEXT:     %7 = pnnx.cast %6 : tensor<64x3x2401xf32> to tensor<1x64x3x49x49xf32>
// CHECK-NEXT:     %8 = pnnx.cast %7 : tensor<1x64x3x49x49xf32> to tensor<64x3x49x49xf32>
// CHECK-NEXT:     func.return %8 : tensor<64x3x49x49xf32>
func.func @main(%0: tensor<1x64x3x49x49xf32>, %1: tensor<1x64x1x49x49xf32>) -> tensor<64x3x49x49xf32> {
  %2 = pnnx.op "pnnx.Expression" "e"(%0, %1) {params = {expr = "add(mul(@0,0.5),@1)"}} : (tensor<1x64x3x49x49xf32>, tensor<1x64x1x49x49xf32>) -> tensor<1x64x3x49x49xf32>
  %3 = pnnx.cast %2 : tensor<1x64x3x49x49xf32> to tensor<64x3x49x49xf32>
  func.return %3 : tensor<64x3x49x49xf32>
}

// -----

// A number on the left; a row for all rows.
// CHECK:   func.func @main(%0: tensor<2x3xf32>, %1: tensor<3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:     %2 = ncnn.unaryop %0 {op_type = neg} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %3 = pnnx.cast %1 : tensor<3xf32> to tensor<1x3xf32>
// CHECK-NEXT:     %4 = ncnn.binaryop %2, %3 {op_type = div} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %5 = ncnn.binaryop %4 {op_type = rsub, with_scalar = 1, b = 1.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     func.return %5 : tensor<2x3xf32>
func.func @main(%0: tensor<2x3xf32>, %1: tensor<3xf32>) -> tensor<2x3xf32> {
  %2 = pnnx.op "pnnx.Expression" "e"(%0, %1) {params = {expr = "sub(1,div(neg(@0),@1))"}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %2 : tensor<2x3xf32>
}

// -----

// A power that is not a multiple of one half: the root makes NaN of a negative number, and 0 of 0.
// CHECK:   func.func @main(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:     %1 = ncnn.unaryop %0 {op_type = sqrt} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %2 = ncnn.clip %0 {min = 1.1754944e-38} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %3 = ncnn.binaryop %2 {op_type = pow, with_scalar = 1, b = 0.25} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %4 = ncnn.binaryop %1, %3 {op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     func.return %4 : tensor<2x3xf32>
func.func @main(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %1 = pnnx.op "pnnx.Expression" "e"(%0) {params = {expr = "pow(@0,0.75)"}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}

// -----

// An integer power.
// CHECK:   func.func @main(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:     %1 = ncnn.unaryop %0 {op_type = reciprocal} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %2 = ncnn.unaryop %1 {op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %3 = ncnn.binaryop %1, %2 {op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     func.return %3 : tensor<2x3xf32>
func.func @main(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %1 = pnnx.op "pnnx.Expression" "e"(%0) {params = {expr = "pow(@0,-3)"}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}
