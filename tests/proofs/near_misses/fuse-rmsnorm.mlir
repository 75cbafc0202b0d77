// Needs `shifts`
// fuse-rmsnorm-kept shift: a Reshape between.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FuseNormAffine_1(%x: tensor<2x3xf32>) -> tensor<2x1x3xf32> {
    %0 = ncnn.reshape %x {name = "new384054", w = 3, h = 1, c = 2} : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
    %y = ncnn.rmsnorm %0 {name = "y", affine_size = 3} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %b = ncnn.constant {name = "b"} #ncnn.elided : tensor<3xf32>
    %z = ncnn.binaryop %b, %y {name = "z", op_type = add} : (tensor<3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    func.return %z : tensor<2x1x3xf32>
  }
}
