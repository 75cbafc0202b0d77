// RUN: ncnn-opt --add-kv-cache %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --add-kv-cache %s > %t.once
// RUN: ncnn-opt --add-kv-cache %t.once | diff %t.once -

// An exported decoder: a fixed number of steps, a causal mask and tables that are constants.
// CHECK-LABEL: func.func @exported(%x: tensor<?x4xf32>, %cos: tensor<*xf32> {ncnn.blob = "cos"}, %sin: tensor<*xf32> {ncnn.blob = "sin"}, %mask: tensor<*xf32> {ncnn.blob = "mask"}, %cache_k0: tensor<*xf32> {ncnn.blob = "cache_k0", ncnn.layer = "kv_cache"}, %cache_v0: tensor<*xf32> {ncnn.blob = "cache_v0", ncnn.layer = "kv_cache"}) -> (tensor<?x4xf32>, tensor<2x?x2xf32> {ncnn.blob = "out_cache_k0"}, tensor<2x?x2xf32> {ncnn.blob = "out_cache_v0"}) {
// CHECK-NEXT:   %r = ncnn.reshape %x {name = "r", w = 2, h = 2, c = -1} : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
// CHECK-NEXT:   %q = ncnn.permute %r {name = "q", order_type = 2} : (tensor<?x2x2xf32>) -> tensor<2x?x2xf32>
// CHECK-NEXT:   %t = ncnn.rotaryembed %q, %cos, %sin {name = "t"} : (tensor<2x?x2xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<2x?x2xf32>
// CHECK-NEXT:   %y, %0, %1 = ncnn.sdpa %t, %t, %q, %mask, %cache_k0, %cache_v0 {name = "y", blobs = ["y", "out_cache_k0", "out_cache_v0"], attn_mask = 1, kv_cache = 1} : (tensor<2x?x2xf32>, tensor<2x?x2xf32>, tensor<2x?x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<2x?x2xf32>, tensor<2x?x2xf32>, tensor<2x?x2xf32>)
// CHECK-NEXT:   %p = ncnn.permute %y {name = "p", order_type = 2} : (tensor<2x?x2xf32>) -> tensor<?x2x2xf32>
// CHECK-NEXT:   %z = ncnn.reshape %p {name = "z", w = 4, h = -1} : (tensor<?x2x2xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:   func.return %z, %0, %1 : tensor<?x4xf32>, tensor<2x?x2xf32>, tensor<2x?x2xf32>
// CHECK-NEXT: }
func.func @exported(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %mask = ncnn.constant {name = "m"} dense<[[0.000000e+00, -1.000000e+05, -1.000000e+05], [0.000000e+00, 0.000000e+00, -1.000000e+05], [0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<3x3xf32>
  %c = ncnn.constant {name = "c"} dense<[[1.000000e+00], [5.000000e-01], [-4.000000e-01]]> : tensor<3x1xf32>
  %s = ncnn.constant {name = "s"} dense<[[0.000000e+00], [8.000000e-01], [9.000000e-01]]> : tensor<3x1xf32>
  %r = ncnn.reshape %x {name = "r", w = 2, h = 2, c = 3} : (tensor<3x4xf32>) -> tensor<3x2x2xf32>
  %q = ncnn.permute %r {name = "q", order_type = 2} : (tensor<3x2x2xf32>) -> tensor<2x3x2xf32>
  %t = ncnn.rotaryembed %q, %c, %s {name = "t"} : (tensor<2x3x2xf32>, tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<2x3x2xf32>
  %y = ncnn.sdpa %t, %t, %q, %mask {name = "y", attn_mask = 1} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<3x3xf32>) -> tensor<2x3x2xf32>
  %p = ncnn.permute %y {name = "p", order_type = 2} : (tensor<2x3x2xf32>) -> tensor<3x2x2xf32>
  %z = ncnn.reshape %p {name = "z", w = 4, h = 3} : (tensor<3x2x2xf32>) -> tensor<3x4xf32>
  func.return %z : tensor<3x4xf32>
}
