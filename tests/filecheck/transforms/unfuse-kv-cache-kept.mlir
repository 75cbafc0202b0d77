// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --unfuse-kv-cache %s | diff %t.before -

// Nothing here may change. Each function differs from one that changes in one respect.

// The shape of the past keys is declared.
func.func @kept0(%q: tensor<4x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x3xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %y, %ak, %av = ncnn.sdpa %q, %k, %v, %mask, %pk, %pv {name = "y", blobs = ["y", "ak", "av"], attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>, tensor<2x?x3xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
  func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}

// The SDPA computes in int8.
func.func @kept1(%q: tensor<4x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x3xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %y, %ak, %av = ncnn.sdpa %q, %k, %v, %mask, %pk, %pv {name = "y", blobs = ["y", "ak", "av"], attn_mask = 1, kv_cache = 1, int8_scale_term = 1} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
  func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}

// Another layer reads the past keys.
func.func @kept2(%q: tensor<4x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x3xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<*xf32>) {
  %y, %ak, %av = ncnn.sdpa %q, %k, %v, %mask, %pk, %pv {name = "y", blobs = ["y", "ak", "av"], attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
  %z = ncnn.absval %pk {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %y, %ak, %av, %z : tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<*xf32>
}

// Another layer reads all values.
func.func @kept3(%q: tensor<4x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x3xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %y, %ak, %av = ncnn.sdpa %q, %k, %v, %mask, %pk, %pv {name = "y", blobs = ["y", "ak", "av"], attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
  %z = ncnn.absval %av {name = "z"} : (tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y, %ak, %av, %z : tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}

// The keys of all steps are not returned.
func.func @kept4(%q: tensor<4x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x3xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>) {
  %y, %ak, %av = ncnn.sdpa %q, %k, %v, %mask, %pk, %pv {name = "y", blobs = ["y", "ak", "av"], attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
  func.return %y, %av : tensor<4x?x3xf32>, tensor<2x?x3xf32>
}

// There is no cache.
func.func @kept5(%q: tensor<4x?x3xf32>, %k: tensor<2x?x3xf32>, %v: tensor<2x?x3xf32>, %mask: tensor<?x?xf32>) -> tensor<4x?x3xf32> {
  %y = ncnn.sdpa %q, %k, %v, %mask {name = "y", attn_mask = 1} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>) -> tensor<4x?x3xf32>
  func.return %y : tensor<4x?x3xf32>
}
