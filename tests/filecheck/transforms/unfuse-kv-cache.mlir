// RUN: ncnn-opt --unfuse-kv-cache %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --unfuse-kv-cache %s > %t.once
// RUN: ncnn-opt --unfuse-kv-cache %t.once | diff %t.once -

// The new steps come first, the last one before the others; so do the columns of the mask.
// CHECK-LABEL: func.func @masked(%q: tensor<4x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x5xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x5xf32>, tensor<1x2x?x3xf32>, tensor<1x2x?x5xf32>) {
// CHECK-NEXT:   %0 = ncnn.flip %k {axes = [1], featmask = 2} : (tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   %1 = ncnn.expanddims %0 {axes = [0], featmask = 2} : (tensor<2x?x3xf32>) -> tensor<1x2x?x3xf32>
// CHECK-NEXT:   %ak = ncnn.concat %1, %pk {name = "ak", axis = 2, featmask = 2} : (tensor<1x2x?x3xf32>, tensor<*xf32>) -> tensor<1x2x?x3xf32>
// CHECK-NEXT:   %2 = ncnn.squeeze %ak {axes = [0], featmask = 2} : (tensor<1x2x?x3xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   %3 = ncnn.flip %v {axes = [1], featmask = 2} : (tensor<2x?x5xf32>) -> tensor<2x?x5xf32>
// CHECK-NEXT:   %4 = ncnn.expanddims %3 {axes = [0], featmask = 2} : (tensor<2x?x5xf32>) -> tensor<1x2x?x5xf32>
// CHECK-NEXT:   %av = ncnn.concat %4, %pv {name = "av", axis = 2, featmask = 2} : (tensor<1x2x?x5xf32>, tensor<*xf32>) -> tensor<1x2x?x5xf32>
// CHECK-NEXT:   %5 = ncnn.squeeze %av {axes = [0], featmask = 2} : (tensor<1x2x?x5xf32>) -> tensor<2x?x5xf32>
// CHECK-NEXT:   %6 = ncnn.flip %mask {axes = [-1], featmask = 2} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT:   %y = ncnn.sdpa %q, %2, %5, %6 {name = "y", attn_mask = 1, scale = 0.5, featmask = 2} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x5xf32>, tensor<?x?xf32>) -> tensor<4x?x5xf32>
// CHECK-NEXT:   func.return %y, %ak, %av : tensor<4x?x5xf32>, tensor<1x2x?x3xf32>, tensor<1x2x?x5xf32>
// CHECK-NEXT: }
func.func @masked(%q: tensor<4x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x5xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x5xf32>, tensor<2x?x3xf32>, tensor<2x?x5xf32>) {
  %y, %ak, %av = ncnn.sdpa %q, %k, %v, %mask, %pk, %pv {name = "y", blobs = ["y", "ak", "av"], attn_mask = 1, scale = 0.5, kv_cache = 1, featmask = 2} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x5xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x5xf32>, tensor<2x?x3xf32>, tensor<2x?x5xf32>)
  func.return %y, %ak, %av : tensor<4x?x5xf32>, tensor<2x?x3xf32>, tensor<2x?x5xf32>
}

// Without a mask, and with an Input layer among the other layers.
// CHECK-LABEL: func.func @unmasked(%q: tensor<2x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x3xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<2x?x3xf32>, tensor<1x2x?x3xf32>, tensor<1x2x?x3xf32>) {
// CHECK-NEXT:   %ck, %cv = ncnn.input %pk, %pv {name = "caches", blobs = ["ck", "cv"]} : (tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
// CHECK-NEXT:   %0 = ncnn.flip %k {axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   %1 = ncnn.expanddims %0 {axes = [0]} : (tensor<2x?x3xf32>) -> tensor<1x2x?x3xf32>
// CHECK-NEXT:   %ak = ncnn.concat %1, %ck {name = "ak", axis = 2} : (tensor<1x2x?x3xf32>, tensor<*xf32>) -> tensor<1x2x?x3xf32>
// CHECK-NEXT:   %2 = ncnn.squeeze %ak {axes = [0]} : (tensor<1x2x?x3xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   %3 = ncnn.flip %v {axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   %4 = ncnn.expanddims %3 {axes = [0]} : (tensor<2x?x3xf32>) -> tensor<1x2x?x3xf32>
// CHECK-NEXT:   %av = ncnn.concat %4, %cv {name = "av", axis = 2} : (tensor<1x2x?x3xf32>, tensor<*xf32>) -> tensor<1x2x?x3xf32>
// CHECK-NEXT:   %5 = ncnn.squeeze %av {axes = [0]} : (tensor<1x2x?x3xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   %y = ncnn.sdpa %q, %2, %5 {name = "y"} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
// CHECK-NEXT:   func.return %y, %ak, %av : tensor<2x?x3xf32>, tensor<1x2x?x3xf32>, tensor<1x2x?x3xf32>
// CHECK-NEXT: }
func.func @unmasked(%q: tensor<2x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x3xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %ck, %cv = ncnn.input %pk, %pv {name = "caches", blobs = ["ck", "cv"]} : (tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  %y, %ak, %av = ncnn.sdpa %q, %k, %v, %ck, %cv {name = "y", blobs = ["y", "ak", "av"], kv_cache = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
  func.return %y, %ak, %av : tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}
