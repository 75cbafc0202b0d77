// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-sdpa %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The shares are an output.
func.func @output(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x?xf32>) {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y, %p : tensor<2x?x3xf32>, tensor<2x?x?xf32>
}

// Along the rows.
func.func @rows(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 1, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}

// A negative scale.
func.func @negative(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = -0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}

// The heads of the query are not certain: they are those of an input.
func.func @heads(%qh: tensor<2x?x4xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}

// One head of keys for all.
func.func @one_head(%q: tensor<?x8xf32>, %k: tensor<?x4xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 1, c = -1} : (tensor<?x4xf32>) -> tensor<?x1x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x1x4xf32>) -> tensor<1x?x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<1x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}

// The values are transposed.
func.func @values(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 3} : (tensor<?x2x3xf32>) -> tensor<2x3x?xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y", transB = 1} : (tensor<2x?x?xf32>, tensor<2x3x?xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}

// A mask of one row for all.
func.func @mask_row(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) -> tensor<2x5x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %m = ncnn.constant {name = "m"} #ncnn.elided : tensor<1x1x5xf32>
  %u = ncnn.binaryop %m, %t {name = "u", op_type = add} : (tensor<1x1x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.softmax %u {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  func.return %y : tensor<2x5x3xf32>
}

// A mask that is an input, and may have other extents.
func.func @mask_input(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %m: tensor<1x5x5xf32>) -> tensor<2x5x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %u = ncnn.binaryop %m, %t {name = "u", op_type = add} : (tensor<1x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.softmax %u {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  func.return %y : tensor<2x5x3xf32>
}

// A mask for steps of which the number is not certain.
func.func @mask_steps(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) -> tensor<2x5x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %m = ncnn.constant {name = "m"} #ncnn.elided : tensor<1x5x5xf32>
  %u = ncnn.binaryop %m, %t {name = "u", op_type = add} : (tensor<1x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.softmax %u {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  func.return %y : tensor<2x5x3xf32>
}

// A factor for the mask.
func.func @mask_scaled(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) -> tensor<2x5x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = 5} : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x5xf32>
  %m = ncnn.constant {name = "m"} #ncnn.elided : tensor<2x5x5xf32>
  %u = ncnn.eltwise %m, %s {name = "u", op_type = sum, coeffs = [2.0, 0.5]} : (tensor<2x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.softmax %u {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  func.return %y : tensor<2x5x3xf32>
}

// Another feature mask.
func.func @features(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1, featmask = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}

// A parameter that is not known.
func.func @extra(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
  %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
  %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1, extra = {"9" = 1 : i32}} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}

// Matrices without heads.
func.func @two_dims(%q: tensor<?x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %s = ncnn.matmul %q, %k {name = "s", transB = 1} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 1, fixbug0 = 1} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = ncnn.matmul %p, %v {name = "y"} : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}
