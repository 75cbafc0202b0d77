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
