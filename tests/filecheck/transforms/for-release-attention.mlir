// A MultiHeadAttention of spelled-out attention: its parameter for the scale is of 20240820, and so is
// a query of another width than all heads together.
// RUN: ncnn-opt --tune arm --for-ncnn latest --fuse-multiheadattention %s | filecheck %s --check-prefixes=CHECK,NEW
// RUN: ncnn-opt --tune arm --for-ncnn 20240820 --fuse-multiheadattention %s | filecheck %s --check-prefixes=CHECK,NEW
// RUN: ncnn-opt --tune arm --for-ncnn 20240410 --fuse-multiheadattention %s | filecheck %s --check-prefixes=CHECK,OLD
// RUN: ncnn-opt --tune arm --for-ncnn 20240410 --fuse-multiheadattention --remarks=missed %s 2>&1 >/dev/null | filecheck %s --check-prefix=MISSED

// MISSED:      missed: fuse-multiheadattention: Gemm 'o', {{.*}} (parameter 6 requires ncnn 20240820)

// The scale of its own, one over the root of the features, is no parameter.
// CHECK-LABEL: func.func @usual_scale(
// CHECK: ncnn.multiheadattention
// CHECK-NOT: ncnn.softmax
func.func @usual_scale(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<?x2xf32>, tensor<6x2xf32>) -> tensor<?x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x?x3xf32>) -> (tensor<2x?x1xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>)
  %m = ncnn.matmul %q, %k {name = "m", transB = 1} : (tensor<2x?x1xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  %a = ncnn.softmax %m {name = "a", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %a, %v {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x?x1xf32>) -> tensor<?x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<?x2x1xf32>) -> tensor<?x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  func.return %o : tensor<?x2xf32>
}

// Another scale is one.
// CHECK-LABEL: func.func @other_scale(
// NEW: ncnn.multiheadattention {{.*}}scale = 0.5
// OLD: ncnn.softmax
func.func @other_scale(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<?x2xf32>, tensor<6x2xf32>) -> tensor<?x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x?x3xf32>) -> (tensor<2x?x1xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>)
  %m = ncnn.matmul %q, %k {name = "m", transB = 1} : (tensor<2x?x1xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  %s1 = ncnn.binaryop %m {name = "s1", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %a = ncnn.softmax %s1 {name = "a", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %a, %v {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x?x1xf32>) -> tensor<?x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<?x2x1xf32>) -> tensor<?x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  func.return %o : tensor<?x2xf32>
}

// Three columns in and out, two features of all heads.
// CHECK-LABEL: func.func @other_width(
// NEW: ncnn.multiheadattention
// OLD: ncnn.softmax
func.func @other_width(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %w = ncnn.constant dense<[[0.0, 1.0, 2.0], [10.0, 11.0, 12.0], [20.0, 21.0, 22.0], [30.0, 31.0, 32.0], [40.0, 41.0, 42.0], [50.0, 51.0, 52.0]]> : tensor<6x3xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 3} : (tensor<?x3xf32>, tensor<6x3xf32>) -> tensor<?x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x?x3xf32>) -> (tensor<2x?x1xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>)
  %m = ncnn.matmul %q, %k {name = "m", transB = 1} : (tensor<2x?x1xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  %a = ncnn.softmax %m {name = "a", axis = 2, fixbug0 = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = ncnn.matmul %a, %v {name = "y"} : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x?x1xf32>) -> tensor<?x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<?x2x1xf32>) -> tensor<?x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 3, constantK = 2} : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  func.return %o : tensor<?x3xf32>
}
