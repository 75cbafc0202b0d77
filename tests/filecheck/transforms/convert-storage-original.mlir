// RUN: ncnn-opt --fuse-conv-mul --round-weights --remarks %s 2>&1 | filecheck %s --check-prefixes=CHECK,REMARK --match-full-lines
// RUN: ncnn-opt --fuse-conv-mul --storage original %s > %t.original
// RUN: ncnn-opt --fuse-conv-mul --round-weights %s | diff %t.original -
// RUN: ncnn-opt --fuse-conv-mul %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --fuse-conv-mul --storage keep %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --fuse-conv-mul --keep-precision %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt -p 'fuse-conv-mul,convert-storage{storage=keep}' %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --fuse-conv-mul --round-weights %s > %t.once
// RUN: ncnn-opt --fuse-conv-mul --round-weights %t.once | diff %t.once -

// Two factors, one rounding: 3 * 683 * 3 = 6147 is 6148 in float16, by way of 2048 it would be 6144.
// REMARK: remark: fuse-conv-mul: Convolution 'c', BinaryOp 'm'
// REMARK: remark: fuse-conv-mul: Convolution 'c', BinaryOp 'n'
// REMARK: remark: convert-storage: Convolution 'c' (weight 'weight' f16 again, rounded once)
// REMARK: remark: convert-storage: Convolution 'c' (weight 'weight' bf16 again, rounded once)
// REMARK: remark: convert-storage: Convolution 'c' (weight 'weight' stays f32: f16 would not hold it as well as before)
// KEPT: dense<{{.*}}6.147000e+03{{.*}}> : tensor<1x1x1x1xf32>
// CHECK: func.func @once(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[6.148000e+03]]]]> : tensor<1x1x1x1xf16>
func.func @once(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[683.0]]]]> : tensor<1x1x1x1xf16>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 1, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<1x1x1x1xf16>) -> tensor<1x?x?xf32>
  %m = ncnn.binaryop %c {name = "m", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %n = ncnn.binaryop %m {name = "n", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  func.return %n : tensor<1x?x?xf32>
}

// bfloat16 has 8 bits: 129 * 3 = 387 becomes 388.
// CHECK: func.func @brain(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[3.880000e+02]]]]> : tensor<1x1x1x1xbf16>
func.func @brain(%x: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %w = ncnn.constant dense<[[[[129.0]]]]> : tensor<1x1x1x1xbf16>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 1, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<1x1x1x1xbf16>) -> tensor<1x?x?xf32>
  %m = ncnn.binaryop %c {name = "m", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  func.return %m : tensor<1x?x?xf32>
}

// A row below 2^-14 beside a usual one: its bits would be lost.
// CHECK: func.func @small(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<{{.*}}> : tensor<2x1x1x1xf32>
func.func @small(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant dense<[[[[683.0]]], [[[683.0]]]]> : tensor<2x1x1x1xf16>
  %k = ncnn.constant {name = "k"} dense<[[[3.0]], [[1.0e-08]]]> : tensor<2x1x1xf32>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf16>) -> tensor<2x?x?xf32>
  %m = ncnn.binaryop %c, %k {name = "m", op_type = mul} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %m : tensor<2x?x?xf32>
}
