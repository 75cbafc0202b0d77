// Needs `type(a) is not type(b)`
// cse main: a ReLU between.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @are_equivalent_1(%x: tensor<2xf32> {ncnn.blob = "x"}) -> (tensor<2xf32> {ncnn.blob = "c"}, tensor<2xf32> {ncnn.blob = "d"}, tensor<2xf32> {ncnn.blob = "e"}, tensor<2xf32> {ncnn.blob = "f"}) {
    %w = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
    %v = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
    %a = ncnn.scale %x scale %w {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %b = ncnn.scale %x scale %v {name = "b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %c = ncnn.tanh %a : (tensor<2xf32>) -> tensor<2xf32>
    %0 = ncnn.relu %b {name = "new210226"} : (tensor<2xf32>) -> tensor<2xf32>
    %d = ncnn.tanh %0 : (tensor<2xf32>) -> tensor<2xf32>
    %e = ncnn.tanh %a : (tensor<2xf32>) -> tensor<2xf32>
    %f = ncnn.tanh %a {name = "f"} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %c, %d, %e, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
}
