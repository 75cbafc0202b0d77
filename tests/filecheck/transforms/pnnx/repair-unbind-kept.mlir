// RUN: ncnn-opt --repair-unbind --split-input-file %s | filecheck %s
// CHECK-NOT: ncnn.slice

// Two axes have three elements.
func.func @main(%x: tensor<3x3x5x2xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %q, %k, %v = ncnn.custom "torch.unbind"(%x) {name = "torch.unbind_7", blobs = ["q", "k", "v"]} : (tensor<3x3x5x2xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  func.return %q, %k, %v : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// An extent that is not known may be three as well.
func.func @main(%x: tensor<3x?x5x2xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %q, %k, %v = ncnn.custom "torch.unbind"(%x) {name = "torch.unbind_7", blobs = ["q", "k", "v"]} : (tensor<3x?x5x2xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  func.return %q, %k, %v : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// A batch of four blobs, of which types say nothing.
func.func @main(%x: tensor<4x5x12xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %batch = ncnn.reshape %x {name = "batch", w = 12, h = 5, c = 4, output_batch_axis = 0} : (tensor<4x5x12xf32>) -> tensor<*xf32>
  %heads = ncnn.reshape %batch {name = "heads", w = 2, h = 2, c = 5, d = 3} : (tensor<*xf32>) -> tensor<5x3x2x2xf32>
  %q, %k, %v = ncnn.custom "torch.unbind"(%heads) {name = "torch.unbind_7", blobs = ["q", "k", "v"]} : (tensor<5x3x2x2xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  func.return %q, %k, %v : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// A reshape that the converter did not put in.
func.func @main(%x: tensor<3x2x5x2xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %all = ncnn.custom "Tensor.reshape"(%x) {name = "Tensor.reshape_7"} : (tensor<3x2x5x2xf32>) -> tensor<*xf32>
  %q, %k, %v = ncnn.custom "torch.unbind"(%all) {name = "torch.unbind_7", blobs = ["q", "k", "v"]} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  func.return %q, %k, %v : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
