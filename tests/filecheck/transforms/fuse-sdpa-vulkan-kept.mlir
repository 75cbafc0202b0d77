// RUN: ncnn-opt --tune vulkan %s > %t.before
// RUN: ncnn-opt --tune vulkan --fuse-sdpa %s | diff %t.before -
// RUN: ncnn-opt %S/fuse-sdpa-vulkan.mlir > %t.cpu
// RUN: ncnn-opt --fuse-sdpa %S/fuse-sdpa-vulkan.mlir | diff %t.cpu -

// Nothing here may change. Each function is one that does, but for one thing: the attention of YOLO.
// (And on a CPU, Permutes are not added.)

// The Softmax runs along the keys' axis of the other product.
func.func @axis(%in: tensor<*xf32>) -> tensor<2x6x20xf32> {
  %a = ncnn.reshape %in {name = "a", w = 20, h = 14, c = 2} : (tensor<*xf32>) -> tensor<2x14x20xf32>
  %q, %k, %v = ncnn.slice %a {name = "sl", blobs = ["q", "k", "v"], slices = [4, 4, -233], axis = 1} : (tensor<2x14x20xf32>) -> (tensor<2x4x20xf32>, tensor<2x4x20xf32>, tensor<2x6x20xf32>)
  %qt = ncnn.permute %q {name = "qt", order_type = 1} : (tensor<2x4x20xf32>) -> tensor<2x20x4xf32>
  %s = ncnn.matmul %qt, %k {name = "s"} : (tensor<2x20x4xf32>, tensor<2x4x20xf32>) -> tensor<2x20x20xf32>
  %p = ncnn.softmax %s {name = "p", axis = 1, fixbug0 = 1} : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %y = ncnn.matmul %v, %p {name = "m", blobs = ["y"], transB = 1} : (tensor<2x6x20xf32>, tensor<2x20x20xf32>) -> tensor<2x6x20xf32>
  func.return %y : tensor<2x6x20xf32>
}

// The last product does not transpose the shares.
func.func @upright(%in: tensor<*xf32>) -> tensor<2x6x20xf32> {
  %a = ncnn.reshape %in {name = "a", w = 20, h = 14, c = 2} : (tensor<*xf32>) -> tensor<2x14x20xf32>
  %q, %k, %v = ncnn.slice %a {name = "sl", blobs = ["q", "k", "v"], slices = [4, 4, -233], axis = 1} : (tensor<2x14x20xf32>) -> (tensor<2x4x20xf32>, tensor<2x4x20xf32>, tensor<2x6x20xf32>)
  %qt = ncnn.permute %q {name = "qt", order_type = 1} : (tensor<2x4x20xf32>) -> tensor<2x20x4xf32>
  %s = ncnn.matmul %qt, %k {name = "s"} : (tensor<2x20x4xf32>, tensor<2x4x20xf32>) -> tensor<2x20x20xf32>
  %p = ncnn.softmax %s {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %y = ncnn.matmul %v, %p {name = "m", blobs = ["y"]} : (tensor<2x6x20xf32>, tensor<2x20x20xf32>) -> tensor<2x6x20xf32>
  func.return %y : tensor<2x6x20xf32>
}

// One head of keys for all.
func.func @heads(%in: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<2x4x20xf32> {
  %q = ncnn.reshape %in {name = "q", w = 4, h = 20, c = 2} : (tensor<*xf32>) -> tensor<2x20x4xf32>
  %k = ncnn.reshape %z {name = "k", w = 20, h = 4, c = 1} : (tensor<*xf32>) -> tensor<1x4x20xf32>
  %v = ncnn.reshape %in {name = "v", w = 20, h = 4, c = 2} : (tensor<*xf32>) -> tensor<2x4x20xf32>
  %s = ncnn.matmul %q, %k {name = "s"} : (tensor<2x20x4xf32>, tensor<1x4x20xf32>) -> tensor<2x20x20xf32>
  %p = ncnn.softmax %s {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %y = ncnn.matmul %v, %p {name = "m", blobs = ["y"], transB = 1} : (tensor<2x4x20xf32>, tensor<2x20x20xf32>) -> tensor<2x4x20xf32>
  func.return %y : tensor<2x4x20xf32>
}

// Permutes of 4 heads and an odd plane are wrong in float16 on Vulkan.
func.func @odd(%in: tensor<*xf32>) -> tensor<4x3x5xf32> {
  %q = ncnn.reshape %in {name = "q", w = 3, h = 5, c = 4} : (tensor<*xf32>) -> tensor<4x5x3xf32>
  %k = ncnn.reshape %in {name = "k", w = 5, h = 3, c = 4} : (tensor<*xf32>) -> tensor<4x3x5xf32>
  %s = ncnn.matmul %q, %k {name = "s"} : (tensor<4x5x3xf32>, tensor<4x3x5xf32>) -> tensor<4x5x5xf32>
  %p = ncnn.softmax %s {name = "p", axis = 2, fixbug0 = 1} : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
  %y = ncnn.matmul %k, %p {name = "m", blobs = ["y"], transB = 1} : (tensor<4x3x5xf32>, tensor<4x5x5xf32>) -> tensor<4x3x5xf32>
  func.return %y : tensor<4x3x5xf32>
}
