// RUN: ncnn-opt --split-input-file --legalize-pnnx-unbind %s | filecheck %s

// As many results as the axis has elements there must be.
// CHECK:   func.func @main(%0: tensor<3x5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
// CHECK-NEXT:     %1, %2 = pnnx.op "torch.unbind" "u"(%0) {params = {dim = 0 : i32}} : (tensor<3x5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
// CHECK-NEXT:     func.return %1, %2 : tensor<5xf32>, tensor<5xf32>
func.func @main(%0: tensor<3x5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %1, %2 = pnnx.op "torch.unbind" "u"(%0) {params = {dim = 0 : i32}} : (tensor<3x5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
  func.return %1, %2 : tensor<5xf32>, tensor<5xf32>
}

// -----

// Extents must be known.
// CHECK:   func.func @main(%0: tensor<2x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %1, %2 = pnnx.op "torch.unbind" "u"(%0) {params = {dim = 0 : i32}} : (tensor<2x?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
// CHECK-NEXT:     func.return %1, %2 : tensor<?xf32>, tensor<?xf32>
func.func @main(%0: tensor<2x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %1, %2 = pnnx.op "torch.unbind" "u"(%0) {params = {dim = 0 : i32}} : (tensor<2x?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  func.return %1, %2 : tensor<?xf32>, tensor<?xf32>
}
