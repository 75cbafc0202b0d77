// RUN: ncnn-opt --repair-unbind %s | filecheck %s

// Only one axis has three elements; the reshape in between counts the batch as an axis.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<5x12xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x2xf32>, tensor<2x5x2xf32>) {
  %heads = ncnn.reshape %x {name = "heads", w = 2, h = 2, c = 5, d = 3} : (tensor<5x12xf32>) -> tensor<5x3x2x2xf32>
  %first = ncnn.permute %heads {name = "first", order_type = 8} : (tensor<5x3x2x2xf32>) -> tensor<3x2x5x2xf32>
  %all = ncnn.custom "Tensor.reshape"(%first) {name = "torch.unbind_7_ncnnbatch2dim_0"} : (tensor<3x2x5x2xf32>) -> tensor<*xf32>
  // CHECK:      %0, %1, %2 = ncnn.slice %first {slices = [-233, -233, -233]} : (tensor<3x2x5x2xf32>) -> (tensor<1x2x5x2xf32>, tensor<1x2x5x2xf32>, tensor<1x2x5x2xf32>)
  // CHECK-NEXT: {{%[qkv]}} = ncnn.reshape {{%[012]}} {w = 2, h = 5, c = 2} : (tensor<1x2x5x2xf32>) -> tensor<2x5x2xf32>
  // CHECK-NEXT: {{%[qkv]}} = ncnn.reshape {{%[012]}} {w = 2, h = 5, c = 2} : (tensor<1x2x5x2xf32>) -> tensor<2x5x2xf32>
  // CHECK-NEXT: {{%[qkv]}} = ncnn.reshape {{%[012]}} {w = 2, h = 5, c = 2} : (tensor<1x2x5x2xf32>) -> tensor<2x5x2xf32>
  %q, %k, %v = ncnn.custom "torch.unbind"(%all) {name = "torch.unbind_7", blobs = ["q", "k", "v"]} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  %a = ncnn.reshape %q {name = "a", w = 2, h = 5, c = 2} : (tensor<*xf32>) -> tensor<2x5x2xf32>
  %b = ncnn.reshape %k {name = "b", w = 2, h = 5, c = 2} : (tensor<*xf32>) -> tensor<2x5x2xf32>
  %c = ncnn.reshape %v {name = "c", w = 2, h = 5, c = 2} : (tensor<*xf32>) -> tensor<2x5x2xf32>
  func.return %a, %b, %c : tensor<2x5x2xf32>, tensor<2x5x2xf32>, tensor<2x5x2xf32>
}
