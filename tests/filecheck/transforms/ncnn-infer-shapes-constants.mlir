// RUN: ncnn-opt --ncnn-infer-shapes %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --ncnn-infer-shapes %s -o %t.once.param
// RUN: ncnn-opt --ncnn-infer-shapes %t.once.param -o %t.twice.param
// RUN: diff %t.once.param %t.twice.param

// A constant without a name that somebody reads as a blob is a layer in the file, as one that has a
// name: it gets hints. A weight is none.
// CHECK:      func.func @main(%x: tensor<2x3xf32> {ncnn.params = {"30" = array<i32: 2, 3, 2, 1>}}) -> tensor<2x3xf32> {
// CHECK-NEXT:   %c = ncnn.constant {shape_hints = [2, 3, 1, 1]} dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00]]> : tensor<1x3xf32>
// CHECK-NEXT:   %a = ncnn.binaryop %x, %c {name = "a", op_type = add, shape_hints = [2, 3, 2, 1]} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %w = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %y = ncnn.bias %a bias %w {name = "y", shape_hints = [2, 3, 2, 1]} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %a = ncnn.binaryop %x, %c {name = "a", op_type = add} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %w = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = ncnn.bias %a bias %w {name = "y"} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
