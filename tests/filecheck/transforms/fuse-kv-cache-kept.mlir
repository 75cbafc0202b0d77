// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-kv-cache %s | diff %t.before -

// Nothing here may change. Each function differs from one that changes in one respect.

// The new keys come first.
func.func @kept0(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %qh = ncnn.reshape %q {name = "qh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %kh = ncnn.reshape %k {name = "kh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %vh = ncnn.reshape %v {name = "vh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %ak = ncnn.concat %kh, %pk {name = "ak", axis = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %av = ncnn.concat %pv, %vh {name = "av", axis = -2} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %y = ncnn.sdpa %qh, %ak, %av, %mask {name = "y", attn_mask = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>) -> tensor<2x?x3xf32>
  func.return %y, %ak, %av : tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}

// The Concat joins heads, not steps.
func.func @kept1(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<4x?x3xf32>, tensor<2x?x3xf32>) {
  %qh = ncnn.reshape %q {name = "qh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %kh = ncnn.reshape %k {name = "kh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %vh = ncnn.reshape %v {name = "vh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %ak = ncnn.concat %pk, %kh {name = "ak", axis = 0} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<4x?x3xf32>
  %av = ncnn.concat %pv, %vh {name = "av", axis = -2} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %y = ncnn.sdpa %qh, %ak, %av, %mask {name = "y", attn_mask = 1} : (tensor<2x?x3xf32>, tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>) -> tensor<2x?x3xf32>
  func.return %y, %ak, %av : tensor<2x?x3xf32>, tensor<4x?x3xf32>, tensor<2x?x3xf32>
}

// The keys of all steps are not returned.
func.func @kept2(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %qh = ncnn.reshape %q {name = "qh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %kh = ncnn.reshape %k {name = "kh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %vh = ncnn.reshape %v {name = "vh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %ak = ncnn.concat %pk, %kh {name = "ak", axis = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %av = ncnn.concat %pv, %vh {name = "av", axis = -2} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %y = ncnn.sdpa %qh, %ak, %av, %mask {name = "y", attn_mask = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>) -> tensor<2x?x3xf32>
  func.return %y, %av : tensor<2x?x3xf32>, tensor<2x?x3xf32>
}

// The past keys are the past values.
func.func @kept3(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %qh = ncnn.reshape %q {name = "qh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %kh = ncnn.reshape %k {name = "kh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %vh = ncnn.reshape %v {name = "vh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %ak = ncnn.concat %pk, %kh {name = "ak", axis = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %av = ncnn.concat %pk, %vh {name = "av", axis = -2} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %y = ncnn.sdpa %qh, %ak, %av, %mask {name = "y", attn_mask = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>) -> tensor<2x?x3xf32>
  func.return %y, %ak, %av : tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}

// The SDPA computes in int8.
func.func @kept4(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %qh = ncnn.reshape %q {name = "qh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %kh = ncnn.reshape %k {name = "kh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %vh = ncnn.reshape %v {name = "vh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %ak = ncnn.concat %pk, %kh {name = "ak", axis = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %av = ncnn.concat %pv, %vh {name = "av", axis = -2} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %y = ncnn.sdpa %qh, %ak, %av, %mask {name = "y", attn_mask = 1, int8_scale_term = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>) -> tensor<2x?x3xf32>
  func.return %y, %ak, %av : tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}

// Another layer reads the keys of all steps.
func.func @read(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %qh = ncnn.reshape %q {name = "qh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %kh = ncnn.reshape %k {name = "kh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %vh = ncnn.reshape %v {name = "vh", w = 3, h = -1, c = 2} : (tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %ak = ncnn.concat %pk, %kh {name = "ak", axis = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %av = ncnn.concat %pv, %vh {name = "av", axis = -2} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %y = ncnn.sdpa %qh, %ak, %av, %mask {name = "y", attn_mask = 1} : (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>) -> tensor<2x?x3xf32>
  %w = ncnn.absval %ak {name = "w"} : (tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y, %w, %av, %ak : tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}
