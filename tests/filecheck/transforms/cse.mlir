// RUN: ncnn-opt --cse %s | filecheck %s --match-full-lines --check-prefixes=CHECK,CSE
// RUN: ncnn-opt --cse --eliminate-duplicate-layers %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BOTH

// xDSL's cse shares weights, and takes layers without names for the same. A name makes a difference to it:
// eliminate-duplicate-layers is what does not see them. Outputs keep their names with both.
// CHECK-LABEL:  func.func @main(%x: tensor<2xf32> {ncnn.blob = "x"}) -> (tensor<2xf32> {ncnn.blob = "c"}, tensor<2xf32> {ncnn.blob = "d"}, tensor<2xf32> {ncnn.blob = "e"}, tensor<2xf32> {ncnn.blob = "f"}) {
// CHECK-NEXT:     %w = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:     %a = ncnn.scale %x scale %w {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CSE-NEXT:       %b = ncnn.scale %x scale %w {name = "b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:     %c = ncnn.tanh %a : (tensor<2xf32>) -> tensor<2xf32>
// CSE-NEXT:       %d = ncnn.tanh %b : (tensor<2xf32>) -> tensor<2xf32>
// CSE-NEXT:       %f = ncnn.tanh %a {name = "f"} : (tensor<2xf32>) -> tensor<2xf32>
// CSE-NEXT:       func.return %c, %d, %c, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
// BOTH-NEXT:      func.return %c, %c, %c, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT:   }
func.func @main(%x: tensor<2xf32> {ncnn.blob = "x"}) -> (tensor<2xf32> {ncnn.blob = "c"}, tensor<2xf32> {ncnn.blob = "d"}, tensor<2xf32> {ncnn.blob = "e"}, tensor<2xf32> {ncnn.blob = "f"}) {
  %w = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %v = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = ncnn.scale %x scale %w {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.scale %x scale %v {name = "b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.tanh %a : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.tanh %b : (tensor<2xf32>) -> tensor<2xf32>
  %e = ncnn.tanh %a : (tensor<2xf32>) -> tensor<2xf32>
  %f = ncnn.tanh %a {name = "f"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c, %d, %e, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
