// Needs `len(numbers) + 1 != len(factors)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @scaled_1(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x?x3xf32> {
    %qs = ncnn.reshape %q {name = "qs", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
    %qh = ncnn.permute %qs {name = "qh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
    %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
    %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
    %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
    %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
    %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
    %t = ncnn.swish %s {name = "t"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
    func.return %y : tensor<2x?x3xf32>
  }
}

// -----

// Needs `not len(query) == len(key) == len(value) == 3` or `agree(result, declared_shape(op.outputs[0]))`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @is_sound_2(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x2x3xf32> {
    %qs = ncnn.reshape %q {name = "qs", w = 4, h = 1, c = 2} : (tensor<?x8xf32>) -> tensor<2x1x4xf32>
    %qh = ncnn.reshape %qs {name = "qh", w = 4, h = 2} : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
    %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
    %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
    %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
    %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x4xf32>, tensor<2x?x4xf32>) -> tensor<2x2x?xf32>
    %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x2x?xf32>) -> tensor<2x2x?xf32>
    %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x2x?xf32>) -> tensor<2x2x?xf32>
    %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x2x?xf32>, tensor<2x?x3xf32>) -> tensor<2x2x3xf32>
    func.return %y : tensor<2x2x3xf32>
  }
}

// -----

// Needs `agree(result, declared_shape(op.outputs[0]))` or `not len(query) == len(key) == len(value) == 3`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @is_sound_3(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<2x2x3xf32> {
    %qs = ncnn.reshape %q {name = "qs", w = 4, h = 1, c = 2} : (tensor<?x8xf32>) -> tensor<2x1x4xf32>
    %qh = ncnn.reshape %qs {name = "qh", w = 4, h = 2} : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %ks = ncnn.reshape %k {name = "ks", w = 4, h = 2, c = -1} : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
    %kh = ncnn.permute %ks {name = "kh", order_type = 2} : (tensor<?x2x4xf32>) -> tensor<2x?x4xf32>
    %vs = ncnn.reshape %v {name = "vs", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
    %vh = ncnn.permute %vs {name = "vh", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
    %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x4xf32>, tensor<2x?x4xf32>) -> tensor<2x2x?xf32>
    %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x2x?xf32>) -> tensor<2x2x?xf32>
    %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x2x?xf32>) -> tensor<2x2x?xf32>
    %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x2x?xf32>, tensor<2x?x3xf32>) -> tensor<2x2x3xf32>
    func.return %y : tensor<2x2x3xf32>
  }
}
