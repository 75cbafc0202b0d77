// RUN: ncnn-opt --split-input-file --legalize-pnnx-unbind %s | filecheck %s

// Five dims are four without the batch.
// CHECK:   func.func @main(%0: tensor<3x1x4x80x36xf32>) -> (tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>) {
// CHECK-NEXT:     %1 = pnnx.cast %0 : tensor<3x1x4x80x36xf32> to tensor<3x4x80x36xf32>
// CHECK-NEXT:     %2, %3, %4 = ncnn.slice %1 {slices = [-233, -233, -233]} : (tensor<3x4x80x36xf32>) -> (tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>)
// CHECK-NEXT:     func.return %2, %3, %4 : tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>
func.func @main(%0: tensor<3x1x4x80x36xf32>) -> (tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>) {
  %1, %2, %3 = pnnx.op "torch.unbind" "u"(%0) {params = {dim = 0 : i32}} : (tensor<3x1x4x80x36xf32>) -> (tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>)
  func.return %1, %2, %3 : tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>, tensor<1x4x80x36xf32>
}

// -----

// The innermost axis.
// CHECK:   func.func @main(%0: tensor<4x5x2xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
// CHECK-NEXT:     %1, %2 = ncnn.slice %0 {slices = [-233, -233], axis = 2} : (tensor<4x5x2xf32>) -> (tensor<4x5x1xf32>, tensor<4x5x1xf32>)
// CHECK-NEXT:     %3 = pnnx.cast %1 : tensor<4x5x1xf32> to tensor<4x5xf32>
// CHECK-NEXT:     %4 = pnnx.cast %2 : tensor<4x5x1xf32> to tensor<4x5xf32>
// CHECK-NEXT:     func.return %3, %4 : tensor<4x5xf32>, tensor<4x5xf32>
func.func @main(%0: tensor<4x5x2xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %1, %2 = pnnx.op "torch.unbind" "u"(%0) {params = {dim = -1 : i32}} : (tensor<4x5x2xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>)
  func.return %1, %2 : tensor<4x5xf32>, tensor<4x5xf32>
}
