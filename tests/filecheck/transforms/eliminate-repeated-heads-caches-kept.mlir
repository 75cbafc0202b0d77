// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt -p 'eliminate-repeated-heads{opaque_caches=true}' %s | diff %t.before -

// Nothing here may change. Each function differs from one that changes in one respect.

// Another layer reads the past keys.
func.func @read_past(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<*xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
  %z = ncnn.absval %pk {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %y, %ak, %av, %z : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<*xf32>
}

// Another layer reads all keys.
func.func @read_all(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
  %z = ncnn.absval %ak {name = "z"} : (tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
  func.return %y, %ak, %av, %z : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
}

// The past values are an output.
func.func @past_returned(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<*xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
  func.return %y, %ak, %av, %pv : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<*xf32>
}

// The past keys are computed.
func.func @past_computed(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %z = ncnn.absval %pk {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %z, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
  func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
}

// One input holds past keys and values.
func.func @one_past(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pk {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
  func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
}

// The values are not returned.
func.func @not_returned(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
  func.return %y, %ak : tensor<4x?x3xf32>, tensor<4x?x3xf32>
}

// All heads of the keys are repeated one after the other.
func.func @together(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %kt = ncnn.tile %kh {name = "kt", repeats = [2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<4x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
  func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
}

// The heads of the cache are promised.
func.func @promised(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<4x?x3xf32> {ncnn.promised}, %pv: tensor<4x?x3xf32> {ncnn.promised}) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
  func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
}

// The cache is declared with other heads.
func.func @other_heads(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>)
  func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>
}
