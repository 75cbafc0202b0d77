// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-product-with-square %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Another operation, two blobs, a number, a parameter that nobody knows.
func.func @others(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.binaryop %x, %x {name = "a", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.binaryop %x, %y {name = "b", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.binaryop %x {name = "c", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.binaryop %x, %x {name = "d", op_type = mul, extra = {"9" = 1 : i32}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a, %b, %c, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
