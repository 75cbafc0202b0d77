// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-sdpa --tune vulkan %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-sdpa --tune vulkan %s > %t.once
// RUN: ncnn-opt --fuse-sdpa --tune vulkan %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-sdpa --tune vulkan --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: fuse-sdpa: MatMul 'm', Softmax 'p', BinaryOp 't', MatMul 's'
// REMARK-NEXT: remark: fuse-sdpa: MatMul 'm', Softmax 'p', BinaryOp 't', MatMul 's' (slow on arm: layer/arm/sdpa_arm.cpp: of float16, too, Gemms that write float32 and pack what they read)

// The attention of YOLO: the features are rows, scores are a product with the keys as they are.
// CHECK-LABEL: func.func @yolo(%in: tensor<*xf32>) -> tensor<2x6x20xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %in {name = "a", w = 20, h = 14, c = 2} : (tensor<*xf32>) -> tensor<2x14x20xf32>
// BEFORE-NEXT:   %q, %k, %v = ncnn.slice %a {name = "sl", blobs = ["q", "k", "v"], slices = [4, 4, -233], axis = 1} : (tensor<2x14x20xf32>) -> (tensor<2x4x20xf32>, tensor<2x4x20xf32>, tensor<2x6x20xf32>)
// BEFORE-NEXT:   %qt = ncnn.permute %q {name = "qt", order_type = 1} : (tensor<2x4x20xf32>) -> tensor<2x20x4xf32>
// BEFORE-NEXT:   %s = ncnn.matmul %qt, %k {name = "s"} : (tensor<2x20x4xf32>, tensor<2x4x20xf32>) -> tensor<2x20x20xf32>
// BEFORE-NEXT:   %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
// BEFORE-NEXT:   %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %v, %p {name = "m", blobs = ["y"], transB = 1} : (tensor<2x6x20xf32>, tensor<2x20x20xf32>) -> tensor<2x6x20xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x6x20xf32>
// AFTER-NEXT:    %a = ncnn.reshape %in {name = "a", w = 20, h = 14, c = 2} : (tensor<*xf32>) -> tensor<2x14x20xf32>
// AFTER-NEXT:    %q, %k, %v = ncnn.slice %a {name = "sl", blobs = ["q", "k", "v"], slices = [4, 4, -233], axis = 1} : (tensor<2x14x20xf32>) -> (tensor<2x4x20xf32>, tensor<2x4x20xf32>, tensor<2x6x20xf32>)
// AFTER-NEXT:    %qt = ncnn.permute %q {name = "qt", order_type = 1} : (tensor<2x4x20xf32>) -> tensor<2x20x4xf32>
// AFTER-NEXT:    %0 = ncnn.permute %k {name = "m_keys", order_type = 1} : (tensor<2x4x20xf32>) -> tensor<2x20x4xf32>
// AFTER-NEXT:    %1 = ncnn.permute %v {name = "m_values", order_type = 1} : (tensor<2x6x20xf32>) -> tensor<2x20x6xf32>
// AFTER-NEXT:    %2 = ncnn.sdpa %qt, %0, %1 {name = "m", scale = 0.5} : (tensor<2x20x4xf32>, tensor<2x20x4xf32>, tensor<2x20x6xf32>) -> tensor<2x20x6xf32>
// AFTER-NEXT:    %y = ncnn.permute %2 {blobs = ["y"], order_type = 1} : (tensor<2x20x6xf32>) -> tensor<2x6x20xf32>
// AFTER-NEXT:    func.return %y : tensor<2x6x20xf32>
// CHECK-NEXT: }
func.func @yolo(%in: tensor<*xf32>) -> tensor<2x6x20xf32> {
  %a = ncnn.reshape %in {name = "a", w = 20, h = 14, c = 2} : (tensor<*xf32>) -> tensor<2x14x20xf32>
  %q, %k, %v = ncnn.slice %a {name = "sl", blobs = ["q", "k", "v"], slices = [4, 4, -233], axis = 1} : (tensor<2x14x20xf32>) -> (tensor<2x4x20xf32>, tensor<2x4x20xf32>, tensor<2x6x20xf32>)
  %qt = ncnn.permute %q {name = "qt", order_type = 1} : (tensor<2x4x20xf32>) -> tensor<2x20x4xf32>
  %s = ncnn.matmul %qt, %k {name = "s"} : (tensor<2x20x4xf32>, tensor<2x4x20xf32>) -> tensor<2x20x20xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %y = ncnn.matmul %v, %p {name = "m", blobs = ["y"], transB = 1} : (tensor<2x6x20xf32>, tensor<2x20x20xf32>) -> tensor<2x6x20xf32>
  func.return %y : tensor<2x6x20xf32>
}

// Values with the features as rows, and a mask.
// CHECK-LABEL: func.func @values(%in: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<2x5x6xf32> {
// BEFORE-NEXT:   %q = ncnn.reshape %in {name = "q", w = 4, h = 5, c = 2} : (tensor<*xf32>) -> tensor<2x5x4xf32>
// BEFORE-NEXT:   %v = ncnn.reshape %z {name = "v", w = 5, h = 6, c = 2} : (tensor<*xf32>) -> tensor<2x6x5xf32>
// BEFORE-NEXT:   %m = ncnn.constant {name = "mask"} #ncnn.elided : tensor<1x5x5xf32>
// BEFORE-NEXT:   %s = ncnn.matmul %q, %q {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %t = ncnn.binaryop %s, %m {name = "t", op_type = add} : (tensor<2x5x5xf32>, tensor<1x5x5xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %y = ncnn.matmul %p, %v {name = "m", blobs = ["y"], transB = 1} : (tensor<2x5x5xf32>, tensor<2x6x5xf32>) -> tensor<2x5x6xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x5x6xf32>
// AFTER-NEXT:    %q = ncnn.reshape %in {name = "q", w = 4, h = 5, c = 2} : (tensor<*xf32>) -> tensor<2x5x4xf32>
// AFTER-NEXT:    %v = ncnn.reshape %z {name = "v", w = 5, h = 6, c = 2} : (tensor<*xf32>) -> tensor<2x6x5xf32>
// AFTER-NEXT:    %m = ncnn.constant {name = "mask"} #ncnn.elided : tensor<1x5x5xf32>
// AFTER-NEXT:    %0 = ncnn.permute %v {name = "m_values", order_type = 1} : (tensor<2x6x5xf32>) -> tensor<2x5x6xf32>
// AFTER-NEXT:    %y = ncnn.sdpa %q, %q, %0, %m {name = "m", blobs = ["y"], attn_mask = 1, scale = 1.0} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>, tensor<1x5x5xf32>) -> tensor<2x5x6xf32>
// AFTER-NEXT:    func.return %y : tensor<2x5x6xf32>
// CHECK-NEXT: }
func.func @values(%in: tensor<*xf32>, %z: tensor<*xf32>) -> tensor<2x5x6xf32> {
  %q = ncnn.reshape %in {name = "q", w = 4, h = 5, c = 2} : (tensor<*xf32>) -> tensor<2x5x4xf32>
  %v = ncnn.reshape %z {name = "v", w = 5, h = 6, c = 2} : (tensor<*xf32>) -> tensor<2x6x5xf32>
  %m = ncnn.constant {name = "mask"} #ncnn.elided : tensor<1x5x5xf32>
  %s = ncnn.matmul %q, %q {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
  %t = ncnn.binaryop %s, %m {name = "t", op_type = add} : (tensor<2x5x5xf32>, tensor<1x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %y = ncnn.matmul %p, %v {name = "m", blobs = ["y"], transB = 1} : (tensor<2x5x5xf32>, tensor<2x6x5xf32>) -> tensor<2x5x6xf32>
  func.return %y : tensor<2x5x6xf32>
}
