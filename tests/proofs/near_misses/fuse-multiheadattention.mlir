// Needs `op.int8_scale_term`
// fuse-multiheadattention-arm any_length: int8_scale_term = 100.
builtin.module attributes {ncnn.tune = "arm"} {
  func.func @attention_before_1(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<6x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<?x2xf32>, tensor<6x2xf32>) -> tensor<?x6xf32>
    %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
    %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x?x3xf32>) -> (tensor<2x?x1xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y", int8_scale_term = 100} : (tensor<2x?x1xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x?x1xf32>) -> tensor<?x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<?x2x1xf32>) -> tensor<?x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
    func.return %o : tensor<?x2xf32>
  }
}

// -----

// Needs `not is_linear_in_rows(op, shapes)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FormMultiHeadAttention_1(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<6x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
    %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = 3} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
    %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", alpha = 2.0, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    func.return %o : tensor<3x2xf32>
  }
}

// -----

// Needs `shapes.rank(gemm.inputs[0]) != 2`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @part_1(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 1, c = 3} : (tensor<6xf32>) -> tensor<3x1x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<6x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x1x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
    %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = 3} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
    %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    func.return %o : tensor<3x2xf32>
  }
}

// -----

// Needs `not moved.view.is_all_of(1, 0, rows[0])`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @part_2(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %wk = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %wv = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %gk = ncnn.gemm %x B %wk {name = "gk", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %gv = ncnn.gemm %x B %wv {name = "gv", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %r = ncnn.reshape %g {name = "r", w = 1, h = 2, c = 3} : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %q = ncnn.permute %r {name = "q", order_type = 2} : (tensor<3x2x1xf32>) -> tensor<2x3x1xf32>
    %rk = ncnn.reshape %gk {name = "rk", w = 1, h = 2, c = 3} : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %pk = ncnn.permute %rk {name = "pk", order_type = 2} : (tensor<3x2x1xf32>) -> tensor<2x3x1xf32>
    %k, %k2 = ncnn.slice %pk {name = "k", slices = [2, -233], axis = 1} : (tensor<2x3x1xf32>) -> (tensor<2x2x1xf32>, tensor<2x1x1xf32>)
    %rv = ncnn.reshape %gv {name = "rv", w = 1, h = 2, c = 3} : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %pv = ncnn.permute %rv {name = "pv", order_type = 2} : (tensor<3x2x1xf32>) -> tensor<2x3x1xf32>
    %v, %v2 = ncnn.slice %pv {name = "v", slices = [2, -233], axis = 1} : (tensor<2x3x1xf32>) -> (tensor<2x2x1xf32>, tensor<2x1x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x3x1xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    func.return %o : tensor<3x2xf32>
  }
}

// -----

// Needs `(joined(self.axes[axis]), self.starts[source]) == wanted`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @View_is_all_of_1(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %wk = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %wv = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %gk = ncnn.gemm %x B %wk {name = "gk", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %gv = ncnn.gemm %x B %wv {name = "gv", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %r = ncnn.reshape %g {name = "r", w = 1, h = 2, c = 3} : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %q = ncnn.permute %r {name = "q", order_type = 2} : (tensor<3x2x1xf32>) -> tensor<2x3x1xf32>
    %rk = ncnn.reshape %gk {name = "rk", w = 1, h = 2, c = 3} : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %pk = ncnn.permute %rk {name = "pk", order_type = 2} : (tensor<3x2x1xf32>) -> tensor<2x3x1xf32>
    %k, %k2 = ncnn.slice %pk {name = "k", slices = [2, -233], axis = 1} : (tensor<2x3x1xf32>) -> (tensor<2x2x1xf32>, tensor<2x1x1xf32>)
    %rv = ncnn.reshape %gv {name = "rv", w = 1, h = 2, c = 3} : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %pv = ncnn.permute %rv {name = "pv", order_type = 2} : (tensor<3x2x1xf32>) -> tensor<2x3x1xf32>
    %v, %v2 = ncnn.slice %pv {name = "v", slices = [2, -233], axis = 1} : (tensor<2x3x1xf32>) -> (tensor<2x2x1xf32>, tensor<2x1x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x3x1xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    func.return %o : tensor<3x2xf32>
  }
}

// -----

// Needs `len(op.inputs) != 1` or `not is_linear_in_rows(op, shapes)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FormMultiHeadAttention_3(%in: tensor<6xf32>, %c: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<6x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
    %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = 3} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
    %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u, %c B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    func.return %o : tensor<3x2xf32>
  }
}

// -----

// Needs `not key[0] == value[0] == heads`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @heads_1(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %wk = ncnn.constant #ncnn.elided : tensor<1x2xf32>
    %wv = ncnn.constant #ncnn.elided : tensor<1x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    %gk = ncnn.gemm %x B %wk {name = "gk", transB = 1, constantB = 1, constantN = 1, constantK = 2} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x1xf32>
    %gv = ncnn.gemm %x B %wv {name = "gv", transB = 1, constantB = 1, constantN = 1, constantK = 2} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x1xf32>
    %r = ncnn.reshape %g {name = "r", w = 1, h = 2, c = 3} : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %q = ncnn.permute %r {name = "q", order_type = 2} : (tensor<3x2x1xf32>) -> tensor<2x3x1xf32>
    %rk = ncnn.reshape %gk {name = "rk", w = 1, h = 1, c = 3} : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %k = ncnn.permute %rk {name = "k", order_type = 2} : (tensor<3x1x1xf32>) -> tensor<1x3x1xf32>
    %rv = ncnn.reshape %gv {name = "rv", w = 1, h = 1, c = 3} : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %v = ncnn.permute %rv {name = "v", order_type = 2} : (tensor<3x1x1xf32>) -> tensor<1x3x1xf32>
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<2x3x1xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = 3} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    func.return %o : tensor<3x2xf32>
  }
}

// -----

// Needs `found.added_permutes()`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @attention_before_2(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<18x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 18, constantK = 2} : (tensor<3x2xf32>, tensor<18x2xf32>) -> tensor<3x18xf32>
    %r = ncnn.reshape %g {name = "r", w = 9, h = 2, c = 3} : (tensor<3x18xf32>) -> tensor<3x2x9xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x9xf32>) -> tensor<2x3x9xf32>
    %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x9xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x3x3xf32>)
    %s1 = ncnn.matmul %q, %k {name = "s1"} : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %sm = ncnn.softmax %s1 {name = "sm", axis = 2, fixbug0 = 1} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %y = ncnn.matmul %sm, %v {name = "y"} : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x3xf32>) -> tensor<3x2x3xf32>
    %u = ncnn.reshape %t {name = "u", w = 6, h = -1} : (tensor<3x2x3xf32>) -> tensor<3x6xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x6xf32>
    %o = ncnn.gemm %u B %wo {name = "o", transB = 1, constantB = 1, constantN = 2, constantK = 6} : (tensor<3x6xf32>, tensor<2x6xf32>) -> tensor<3x2xf32>
    func.return %o : tensor<3x2xf32>
  }
}

// -----

// Needs `len(moved.view.axes) != 2` or `whole`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @feature_order_1(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<6x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
    %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = 3} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
    %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = 1, c = 3} : (tensor<3x2x1xf32>) -> tensor<3x1x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x1x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    func.return %o : tensor<3x2xf32>
  }
}

// -----

// Needs `whole` or `len(moved.view.axes) != 2`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @feature_order_2(%in: tensor<6xf32>) -> tensor<3x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<6x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
    %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = 3} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
    %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = 1, c = 3} : (tensor<3x2x1xf32>) -> tensor<3x1x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x1x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    func.return %o : tensor<3x2xf32>
  }
}

// -----

// Needs `not moved.view.is_all_of(0, 1, steps)` or `agree(shape_of(result), shape_of(type_))`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @feature_order_3(%in: tensor<6xf32>) -> tensor<2x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<6x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
    %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = 3} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
    %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %a, %y2 = ncnn.slice %y {name = "z", slices = [1, -233], axis = 1} : (tensor<2x3x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x2x1xf32>)
    %t = ncnn.permute %y2 {name = "t", order_type = 2} : (tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = 2} : (tensor<2x2x1xf32>) -> tensor<2x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %o : tensor<2x2xf32>
  }
}

// -----

// Needs `agree(shape_of(result), shape_of(type_))` or `not moved.view.is_all_of(0, 1, steps)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @agrees_1(%in: tensor<6xf32>) -> tensor<2x2xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<6x2xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
    %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = 3} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
    %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
    %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
    %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %a, %y2 = ncnn.slice %y {name = "z", slices = [1, -233], axis = 1} : (tensor<2x3x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x2x1xf32>)
    %t = ncnn.permute %y2 {name = "t", order_type = 2} : (tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
    %u = ncnn.reshape %t {name = "u", w = 2, h = 2} : (tensor<2x2x1xf32>) -> tensor<2x2xf32>
    %wo = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %o : tensor<2x2xf32>
  }
}
