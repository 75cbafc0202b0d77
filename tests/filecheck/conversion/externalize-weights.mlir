// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --externalize-weights %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --externalize-weights %s > %t.once
// RUN: ncnn-opt --externalize-weights %t.once | diff %t.once -

// Values in the text.
// CHECK-LABEL: func.func @weights(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   func.return %w : tensor<2xf32>
// AFTER-NEXT:    %w = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    func.return %w : tensor<2xf32>
// CHECK-NEXT: }
func.func @weights(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  func.return %w : tensor<2xf32>
}
