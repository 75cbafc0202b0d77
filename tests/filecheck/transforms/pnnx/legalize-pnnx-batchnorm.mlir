// RUN: ncnn-opt --split-input-file --legalize-pnnx-batchnorm %s | filecheck %s

// Rows of channels: these come outermost, and go back.
// CHECK:      %0 = ncnn.permute %x {order_type = 1} : (tensor<196x128xf32>) -> tensor<128x196xf32>
// CHECK-NEXT: %1 = ncnn.batchnorm %0 slope %w mean %w var %w bias %w {eps = 1.0e-05} :
// CHECK-NEXT: %y = ncnn.permute %1 {order_type = 1} : (tensor<128x196xf32>) -> tensor<196x128xf32>
func.func @main(%x: tensor<196x128xf32>) -> tensor<196x128xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<128xf32>
  %y = pnnx.op "nn.BatchNorm1d" "bn"(%x, %w, %w, %w, %w) {params = {eps = 1.0e-05 : f32}, keys = ["input", "slope", "mean", "var", "bias"]} : (tensor<196x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> tensor<196x128xf32>
  func.return %y : tensor<196x128xf32>
}

// -----

// Without weights there is nothing to make a layer of.
// CHECK: pnnx.op "nn.BatchNorm1d" "bn"(%x)
func.func @main(%x: tensor<196x128xf32>) -> tensor<196x128xf32> {
  %y = pnnx.op "nn.BatchNorm1d" "bn"(%x) {params = {eps = 1.0e-05 : f32}} : (tensor<196x128xf32>) -> tensor<196x128xf32>
  func.return %y : tensor<196x128xf32>
}
