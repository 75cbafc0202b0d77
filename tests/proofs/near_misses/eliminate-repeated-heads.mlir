// Needs `layer.keeps_order(shapes)`
// Written for this condition.
builtin.module {
  func.func @is_reshaping_1(%q: tensor<?x12xf32>, %k: tensor<2x9xf32>) -> tensor<4x?x3xf32> {
    %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
    %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
    %kh = ncnn.reshape %k {name = "kh", w = 3, h = 3, c = 2} : (tensor<2x9xf32>) -> tensor<2x3x3xf32>
    %kt = ncnn.tile %kh {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x3x3xf32>) -> tensor<2x2x3x3xf32>
    %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = 3, c = 4} : (tensor<2x2x3x3xf32>) -> tensor<4x3x3xf32>
    %k5 = ncnn.permute %k4 {name = "k5", order_type = 1} : (tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
    %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x3x3xf32>) -> tensor<2x2x3x3xf32>
    %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = 3, c = 4} : (tensor<2x2x3x3xf32>) -> tensor<4x3x3xf32>
    %y = ncnn.sdpa %qh, %k5, %v4 {name = "y"} : (tensor<4x?x3xf32>, tensor<4x3x3xf32>, tensor<4x3x3xf32>) -> tensor<4x?x3xf32>
    func.return %y : tensor<4x?x3xf32>
  }
}

// -----

// Needs `not isinstance(layer, TileOp) and (not is_reshaping(layer, shapes))`
// Written for this condition.
builtin.module {
  func.func @repeated_1(%q: tensor<?x12xf32>, %k: tensor<2x9xf32>) -> tensor<4x?x3xf32> {
    %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
    %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
    %kh = ncnn.reshape %k {name = "kh", w = 3, h = 3, c = 2} : (tensor<2x9xf32>) -> tensor<2x3x3xf32>
    %kt = ncnn.tile %kh {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x3x3xf32>) -> tensor<2x2x3x3xf32>
    %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = 3, c = 4} : (tensor<2x2x3x3xf32>) -> tensor<4x3x3xf32>
    %k5 = ncnn.permute %k4 {name = "k5", order_type = 1} : (tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
    %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x3x3xf32>) -> tensor<2x2x3x3xf32>
    %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = 3, c = 4} : (tensor<2x2x3x3xf32>) -> tensor<4x3x3xf32>
    %y = ncnn.sdpa %qh, %k5, %v4 {name = "y"} : (tensor<4x?x3xf32>, tensor<4x3x3xf32>, tensor<4x3x3xf32>) -> tensor<4x?x3xf32>
    func.return %y : tensor<4x?x3xf32>
  }
}

// -----

// Needs `not is_reshaping(layer, shapes)`
// Written for this condition.
builtin.module {
  func.func @repeated_2(%q: tensor<?x12xf32>, %k: tensor<2x9xf32>) -> tensor<4x?x3xf32> {
    %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
    %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
    %kh = ncnn.reshape %k {name = "kh", w = 3, h = 3, c = 2} : (tensor<2x9xf32>) -> tensor<2x3x3xf32>
    %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x3x3xf32>) -> tensor<2x1x3x3xf32>
    %kp = ncnn.permute %ke {name = "kp", order_type = 1} : (tensor<2x1x3x3xf32>) -> tensor<2x1x3x3xf32>
    %kt = ncnn.tile %kp {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x3x3xf32>) -> tensor<2x2x3x3xf32>
    %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = 3, c = 4} : (tensor<2x2x3x3xf32>) -> tensor<4x3x3xf32>
    %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x3x3xf32>) -> tensor<2x2x3x3xf32>
    %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = 3, c = 4} : (tensor<2x2x3x3xf32>) -> tensor<4x3x3xf32>
    %y = ncnn.sdpa %qh, %k4, %v4 {name = "y"} : (tensor<4x?x3xf32>, tensor<4x3x3xf32>, tensor<4x3x3xf32>) -> tensor<4x?x3xf32>
    func.return %y : tensor<4x?x3xf32>
  }
}

// -----

// Needs `prod(inner) == prod(shape[1:])` or `shape[0] == prod(outer)` or `not is_reshaping(layer, shapes)`
// eliminate-repeated-heads grouped: a further Permute.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @repeated_3(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>) -> tensor<4x?x3xf32> {
    %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
    %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
    %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
    %qh_1 = ncnn.permute %kr {name = "new186510", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
    %kh = ncnn.permute %qh_1 {name = "kh", order_type = 2} : (tensor<2x?x3xf32>) -> tensor<?x2x3xf32>
    %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<?x2x3xf32>) -> tensor<?x1x2x3xf32>
    %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<?x1x2x3xf32>) -> tensor<?x2x2x3xf32>
    %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<?x2x2x3xf32>) -> tensor<4x?x3xf32>
    %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<?x2x3xf32>) -> tensor<?x2x2x3xf32>
    %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<?x2x2x3xf32>) -> tensor<4x?x3xf32>
    %y = ncnn.sdpa %qh, %k4, %v4 {name = "y"} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
    func.return %y : tensor<4x?x3xf32>
  }
}

// -----

// Needs `not provably_equal(heads[0][0], heads[1][0])` or `provably_equal(shape[1:], wanted[1:])` or `wanted[0] == shape[0] * times`
// eliminate-repeated-heads grouped: a layer reads another blob.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @shared_heads_1(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>) -> tensor<4x?x3xf32> {
    %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
    %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
    %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
    %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
    %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
    %kt = ncnn.tile %kr {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<?x2x3xf32>) -> tensor<?x2x2x3xf32>
    %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<?x2x2x3xf32>) -> tensor<4x?x3xf32>
    %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
    %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
    %y = ncnn.sdpa %qh, %k4, %v4 {name = "y"} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
    func.return %y : tensor<4x?x3xf32>
  }
}

// -----

// Needs `0 in fixed_axes(past)` or `op.kv_cache and (not opaque_caches)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @may_share_1(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<4x?x3xf32> {ncnn.promised}, %pv: tensor<4x?x3xf32> {ncnn.promised}) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
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
}
