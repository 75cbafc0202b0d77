// RUN: ncnn-opt --fuse-affine-linear --round-weights %s | filecheck %s
// RUN: ncnn-opt --fuse-affine-linear %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --fuse-affine-linear --keep-precision %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --fuse-affine-linear --storage fp32 %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --fuse-affine-linear --round-weights %s | ncnn-opt --fuse-affine-linear | filecheck %s

// 683 * 3 = 2049 is 2048 in float16, and 30 / 3 = 10: the bias is -2048 * 10, not -2049 * 10.
// CHECK: func.func @shifted
// CHECK-NEXT: %w = ncnn.constant dense<{{\[\[\[\[}}2.048000e+03]]]]> : tensor<1x1x1x1xf16>
// CHECK-NEXT: %w_bias = ncnn.constant dense<[-2.048000e+04]> : tensor<1xf32>
// KEPT: func.func @shifted
// KEPT-NEXT: %w = ncnn.constant dense<{{\[\[\[\[}}2.049000e+03]]]]> : tensor<1x1x1x1xf32>
// KEPT-NEXT: %w_bias = ncnn.constant dense<[-2.049000e+04]> : tensor<1xf32>
func.func @shifted(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[683.0]]]]> : tensor<1x1x1x1xf16>
  %m = ncnn.binaryop %x {name = "m", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %s = ncnn.binaryop %m {name = "s", op_type = sub, with_scalar = 1, b = 30.0} : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %c = ncnn.convolution %s weight %w {name = "c", num_output = 1, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<1x1x1x1xf16>) -> tensor<1x?x?xf32>
  func.return %c : tensor<1x?x?xf32>
}
