// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --quantize-weights='keep="last" products=false' %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --quantize-weights='keep="last" products=false' %s > %t.once
// RUN: ncnn-opt --quantize-weights='keep="last" products=false' %t.once | diff %t.once -
// RUN: ncnn-opt --quantize-weights='keep="last" products=false' --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: quantize-weights: Gemm 'last' (stays float: it is to be kept)
// REMARK-NEXT: remark: quantize-weights: Gemm 'g' (weights of 8 bits)

// Only the layer that is not to be kept changes.
// CHECK-LABEL: func.func @gemm(%x: tensor<3x2xf32>) -> tensor<3x3xf32> {
// BEFORE-NEXT:   %B = ncnn.constant dense<[[1.000000e+00, -2.000000e+00], [5.000000e-01, 0.000000e+00]]> : tensor<2x2xf32>
// BEFORE-NEXT:   %g = ncnn.gemm %x B %B {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   %last = ncnn.gemm %g B %B {name = "last", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   %s = ncnn.gemm %last, %last {name = "s", transB = 1} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
// BEFORE-NEXT:   func.return %s : tensor<3x3xf32>
// AFTER-NEXT:    %B = ncnn.constant dense<[[1.000000e+00, -2.000000e+00], [5.000000e-01, 0.000000e+00]]> : tensor<2x2xf32>
// AFTER-NEXT:    %B_1 = ncnn.constant dense<[[64, -127], [32, 0]]> : tensor<2x2xi8>
// AFTER-NEXT:    %B_int8_scale = ncnn.constant dense<[6.350000e+01]> : tensor<1xf32>
// AFTER-NEXT:    %g = ncnn.gemm %x B %B_1 B_int8_scale %B_int8_scale {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2, quantize_term = 2} : (tensor<3x2xf32>, tensor<2x2xi8>, tensor<1xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %last = ncnn.gemm %g B %B {name = "last", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %s = ncnn.gemm %last, %last {name = "s", transB = 1} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
// AFTER-NEXT:    func.return %s : tensor<3x3xf32>
// CHECK-NEXT: }
func.func @gemm(%x: tensor<3x2xf32>) -> tensor<3x3xf32> {
  %B = ncnn.constant dense<[[1.0, -2.0], [0.5, 0.0]]> : tensor<2x2xf32>
  %g = ncnn.gemm %x B %B {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %last = ncnn.gemm %g B %B {name = "last", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %s = ncnn.gemm %last, %last {name = "s", transB = 1} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  func.return %s : tensor<3x3xf32>
}
