// RUN: ncnn-opt --tune arm --fuse-multiheadattention %s | filecheck %s
// RUN: ncnn-opt --fuse-multiheadattention %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --tune x86 --fuse-multiheadattention %s | filecheck %s --check-prefix=KEPT

// Of any length, as it is never slower on arm.
// CHECK-LABEL: @any_length
// CHECK:      %o = ncnn.multiheadattention %x
// CHECK-SAME:   {name = "o", embed_dim = 2, num_heads = 2} : (tensor<?x2xf32>
// CHECK-NEXT: func.return %o
// KEPT:       ncnn.sdpa
// KEPT-NOT:   ncnn.multiheadattention
func.func @any_length(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<?x2xf32>, tensor<6x2xf32>) -> tensor<?x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<?x6xf32>) -> tensor<?x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<?x2x3xf32>) -> tensor<2x?x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x?x3xf32>) -> (tensor<2x?x1xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>)
  %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x?x1xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x?x1xf32>) -> tensor<?x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<?x2x1xf32>) -> tensor<?x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  func.return %o : tensor<?x2xf32>
}
