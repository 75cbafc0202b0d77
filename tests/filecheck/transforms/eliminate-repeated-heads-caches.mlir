// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt -p 'eliminate-repeated-heads{opaque_caches=true}' %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt -p 'eliminate-repeated-heads{opaque_caches=true}' %s > %t.once
// RUN: ncnn-opt -p 'eliminate-repeated-heads{opaque_caches=true}' %t.once | diff %t.once -
// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-repeated-heads %s | diff %t.before -
// RUN: ncnn-opt -O --opaque-caches %s | filecheck %s --check-prefix=ALL
// RUN: ncnn-opt -p 'eliminate-repeated-heads{opaque_caches=true}' --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// ALL-NOT: ncnn.tile
// REMARK: remark: eliminate-repeated-heads: SDPA 'y', Reshape 'k4', Tile 'kt', ExpandDims 'ke', Reshape 'v4', Tile 'vt'

// A cache of unknown shape.
// BEFORE-LABEL: func.func @unknown(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
// AFTER-LABEL: func.func @unknown(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
// BEFORE-NEXT:   %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
// BEFORE-NEXT:   %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
// BEFORE-NEXT:   %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// BEFORE-NEXT:   %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// BEFORE-NEXT:   %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
// BEFORE-NEXT:   %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
// BEFORE-NEXT:   %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
// BEFORE-NEXT:   %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
// BEFORE-NEXT:   %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
// BEFORE-NEXT:   %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
// BEFORE-NEXT:   func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
// AFTER-NEXT:    %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
// AFTER-NEXT:    %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
// AFTER-NEXT:    %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// AFTER-NEXT:    %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// AFTER-NEXT:    %y, %ak, %av = ncnn.sdpa %qh, %kh, %kh, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
// AFTER-NEXT:    func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
// CHECK-NEXT: }
func.func @unknown(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<*xf32>, %pv: tensor<*xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
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
  func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
}

// A declared cache: its heads change.
// BEFORE-LABEL: func.func @declared(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<4x?x3xf32>, %pv: tensor<4x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
// AFTER-LABEL: func.func @declared(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<2x?x3xf32>, %pv: tensor<2x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
// BEFORE-NEXT:   %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
// BEFORE-NEXT:   %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
// BEFORE-NEXT:   %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// BEFORE-NEXT:   %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// BEFORE-NEXT:   %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
// BEFORE-NEXT:   %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
// BEFORE-NEXT:   %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
// BEFORE-NEXT:   %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
// BEFORE-NEXT:   %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
// BEFORE-NEXT:   %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
// BEFORE-NEXT:   func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
// AFTER-NEXT:    %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
// AFTER-NEXT:    %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
// AFTER-NEXT:    %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// AFTER-NEXT:    %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// AFTER-NEXT:    %y, %ak, %av = ncnn.sdpa %qh, %kh, %kh, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
// AFTER-NEXT:    func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
// CHECK-NEXT: }
func.func @declared(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<4x?x3xf32>, %pv: tensor<4x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
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

// A cache whose heads are not declared.
// BEFORE-LABEL: func.func @some(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<?x?x3xf32>, %pv: tensor<?x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
// AFTER-LABEL: func.func @some(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<?x?x3xf32>, %pv: tensor<?x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
// BEFORE-NEXT:   %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
// BEFORE-NEXT:   %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
// BEFORE-NEXT:   %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// BEFORE-NEXT:   %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// BEFORE-NEXT:   %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
// BEFORE-NEXT:   %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
// BEFORE-NEXT:   %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
// BEFORE-NEXT:   %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
// BEFORE-NEXT:   %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
// BEFORE-NEXT:   %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
// BEFORE-NEXT:   func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
// AFTER-NEXT:    %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
// AFTER-NEXT:    %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
// AFTER-NEXT:    %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
// AFTER-NEXT:    %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
// AFTER-NEXT:    %y, %ak, %av = ncnn.sdpa %qh, %kh, %kh, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<?x?xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
// AFTER-NEXT:    func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
// CHECK-NEXT: }
func.func @some(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>, %mask: tensor<?x?xf32>, %pk: tensor<?x?x3xf32>, %pv: tensor<?x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y, %ak, %av = ncnn.sdpa %qh, %k4, %v4, %mask, %pk, %pv {name = "y", attn_mask = 1, kv_cache = 1} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<?x?xf32>, tensor<?x?x3xf32>, tensor<?x?x3xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>)
  func.return %y, %ak, %av : tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>
}
