// RUN: ncnn-opt --split-input-file --legalize-pnnx-addcmul %s | filecheck %s

// The factor is one.
// CHECK:   func.func @main(%0: tensor<1x160x1x1xf32>, %1: tensor<1x160x56x56xf32>) -> tensor<1x160x56x56xf32> {
// CHECK-NEXT:     %2 = pnnx.cast %0 : tensor<1x160x1x1xf32> to tensor<160x1xf32>
// CHECK-NEXT:     %3 = pnnx.cast %1 : tensor<1x160x56x56xf32> to tensor<160x3136xf32>
// CHECK-NEXT:     %4 = ncnn.binaryop %2, %3 {op_type = mul} : (tensor<160x1xf32>, tensor<160x3136xf32>) -> tensor<160x3136xf32>
// CHECK-NEXT:     %5 = pnnx.cast %0 : tensor<1x160x1x1xf32> to tensor<160x1xf32>
// CHECK-NEXT:     %6 = ncnn.binaryop %5, %4 {op_type = add} : (tensor<160x1xf32>, tensor<160x3136xf32>) -> tensor<160x3136xf32>
// CHECK-NEXT:     %7 = pnnx.cast %6 : tensor<160x3136xf32> to tensor<1x160x56x56xf32>
// CHECK-NEXT:     func.return %7 : tensor<1x160x56x56xf32>
func.func @main(%0: tensor<1x160x1x1xf32>, %1: tensor<1x160x56x56xf32>) -> tensor<1x160x56x56xf32> {
  %3 = pnnx.op "pnnx.Expression" "one"() {params = {expr = "1"}} : () -> !pnnx.any
  %4 = pnnx.op "aten::addcmul" "a"(%0, %0, %1, %3) : (tensor<1x160x1x1xf32>, tensor<1x160x1x1xf32>, tensor<1x160x56x56xf32>, !pnnx.any) -> tensor<1x160x56x56xf32>
  func.return %4 : tensor<1x160x56x56xf32>
}

// -----

// A factor.
// CHECK:   func.func @main(%0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:     %1 = ncnn.binaryop %0, %0 {op_type = mul} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     %2 = ncnn.binaryop %1 {op_type = mul, with_scalar = 1, b = 0.5} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     %3 = ncnn.binaryop %0, %2 {op_type = add} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     func.return %3 : tensor<8xf32>
func.func @main(%0: tensor<8xf32>) -> tensor<8xf32> {
  %1 = pnnx.op "torch.addcmul" "a"(%0, %0, %0) {params = {value = 0.5 : f32}} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %1 : tensor<8xf32>
}
