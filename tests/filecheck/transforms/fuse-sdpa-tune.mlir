// RUN: ncnn-opt --fuse-sdpa --remarks %s 2>&1 | filecheck %s --check-prefixes=FUSED,NAMED
// RUN: ncnn-opt -O --tune x86 --for-ncnn latest --remarks %s 2>&1 | filecheck %s --check-prefixes=FUSED
// RUN: ncnn-opt -O --tune none --for-ncnn 20260113 --remarks %s 2>&1 | filecheck %s --check-prefixes=FUSED,NAMED
// RUN: ncnn-opt -O %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt -O --tune x86 %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt -O --tune x86 --for-ncnn 20250916 %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt -O --tune arm --for-ncnn latest %s | filecheck %s --check-prefix=KEPT

// An SDPA takes longer than the products on arm, of float16, so that -O makes none but for x86.
// NAMED: remark: fuse-sdpa: {{.*}} (slow on arm: layer/arm/sdpa_arm.cpp: {{.*}})
// FUSED: ncnn.sdpa
// FUSED-NOT: ncnn.softmax
// KEPT-NOT: ncnn.sdpa
// KEPT: ncnn.softmax
func.func @scaled(%q: tensor<2x?x4xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x3xf32>) -> tensor<2x?x3xf32> {
  %qh = ncnn.reshape %q {name = "qh", w = 4, h = -1, c = 2} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  %kh = ncnn.reshape %k {name = "kh", w = 4, h = -1, c = 2} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  %vh = ncnn.reshape %v {name = "vh", w = 3, h = -1, c = 2} : (tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  %s = ncnn.matmul %qh, %kh {name = "s", transB = 1} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.binaryop %s {name = "t", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = ncnn.softmax %t {name = "p", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %p, %vh {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  func.return %y : tensor<2x?x3xf32>
}
