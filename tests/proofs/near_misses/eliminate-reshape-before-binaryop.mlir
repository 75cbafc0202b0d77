// Needs `not provably_equal(expanded, expand(after, beside))`
// eliminate-reshape-before-binaryop-kept unknown_channels: a further Reshape; a further Reshape.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @expands_alike_1(%x: tensor<?x?x?xf32>, %y: tensor<*xf32>) -> tensor<?x1x1xf32> {
    %reshape = ncnn.reshape %y {name = "new80969", w = 1, h = 1, c = -1} : (tensor<*xf32>) -> tensor<?x1x1xf32>
    %flat = ncnn.flatten %reshape {name = "flat"} : (tensor<?x1x1xf32>) -> tensor<?xf32>
    %reshape_1 = ncnn.reshape %flat {name = "reshape", w = 1, h = 1, c = -1} : (tensor<?xf32>) -> tensor<?x1x1xf32>
    %reshape_2 = ncnn.reshape %x {name = "new805242", w = 1, h = 1, c = -1} : (tensor<?x?x?xf32>) -> tensor<?x1x1xf32>
    %mul = ncnn.binaryop %reshape_2, %reshape_1 {name = "mul", op_type = mul} : (tensor<?x1x1xf32>, tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
    func.return %mul : tensor<?x1x1xf32>
  }
}
