// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-repeated-heads %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Somebody else reads the repeated keys.
func.func @reader(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>) -> (tensor<4x?x3xf32>, tensor<4x?x3xf32>) {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y = ncnn.sdpa %qh, %k4, %v4 {name = "y"} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
  func.return %y, %k4 : tensor<4x?x3xf32>, tensor<4x?x3xf32>
}

// All heads are repeated one after the other.
func.func @together(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>) -> tensor<4x?x3xf32> {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<4x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
  %y = ncnn.sdpa %qh, %k4, %v4 {name = "y"} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
  func.return %y : tensor<4x?x3xf32>
}

// The values are not repeated.
func.func @once(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>) -> tensor<4x?x3xf32> {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 2, 1, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x2x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 1, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 2} : (tensor<2x1x?x3xf32>) -> tensor<2x?x3xf32>
  %y = ncnn.sdpa %qh, %k4, %v4 {name = "y"} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<2x?x3xf32>) -> tensor<4x?x3xf32>
  func.return %y : tensor<4x?x3xf32>
}

// Steps are repeated, not heads.
func.func @rows(%q: tensor<?x12xf32>, %k: tensor<?x6xf32>) -> tensor<4x?x3xf32> {
  %qr = ncnn.reshape %q {name = "qr", w = 3, h = 4, c = -1} : (tensor<?x12xf32>) -> tensor<?x4x3xf32>
  %qh = ncnn.permute %qr {name = "qh", order_type = 2} : (tensor<?x4x3xf32>) -> tensor<4x?x3xf32>
  %kr = ncnn.reshape %k {name = "kr", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %kh = ncnn.permute %kr {name = "kh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %ke = ncnn.expanddims %kh {name = "ke", axes = [1]} : (tensor<2x?x3xf32>) -> tensor<2x1x?x3xf32>
  %kt = ncnn.tile %ke {name = "kt", repeats = [1, 1, 2, 1]} : (tensor<2x1x?x3xf32>) -> tensor<2x1x?x3xf32>
  %k4 = ncnn.reshape %kt {name = "k4", w = 3, h = -1, c = 4} : (tensor<2x1x?x3xf32>) -> tensor<4x?x3xf32>
  %vt = ncnn.tile %kh {name = "vt", repeats = [1, 2, 1, 1]} : (tensor<2x?x3xf32>) -> tensor<2x2x?x3xf32>
  %v4 = ncnn.reshape %vt {name = "v4", w = 3, h = -1, c = 4} : (tensor<2x2x?x3xf32>) -> tensor<4x?x3xf32>
  %y = ncnn.sdpa %qh, %k4, %v4 {name = "y"} : (tensor<4x?x3xf32>, tensor<4x?x3xf32>, tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
  func.return %y : tensor<4x?x3xf32>
}
