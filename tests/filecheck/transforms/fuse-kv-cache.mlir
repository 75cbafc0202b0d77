// RUN: ncnn-opt --fuse-kv-cache %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --fuse-kv-cache %s > %t.once
// RUN: ncnn-opt --fuse-kv-cache %t.once | diff %t.once -

// A cache that two Concats append to.
// CHECK-LABEL: func.func @appended(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
// CHECK-NEXT:   %qh = ncnn.reshape %q {name = "qh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   %kh = ncnn.reshape %k {name = "kh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   %vh = ncnn.reshape %v {name = "vh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   %y, %y_1, %y_2 = ncnn.sdpa %qh, %kh, %vh, %mask, %pk, %pv {name = "y", blobs = ["y", "ak", "av"], attn_mask = 1, kv_cache = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
// CHECK-NEXT:   func.return %y, %y_1, %y_2 : tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
// CHECK-NEXT: }
func.func @appended(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %qh = ncnn.reshape %q {name = "qh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %kh = ncnn.reshape %k {name = "kh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %vh = ncnn.reshape %v {name = "vh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %ak = ncnn.concat %pk, %kh {name = "ak", axis = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %av = ncnn.concat %pv, %vh {name = "av", axis = -2} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %y = ncnn.sdpa %qh, %ak, %av, %mask {name = "y", attn_mask = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>) -> tensor<2x?x3xf32>
  func.return %y, %ak, %av : tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}
