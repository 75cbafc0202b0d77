// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// Inputs that a layer ignores go to a layer that does so, and only where no other reads the blob:
// Concat would join them, a layer of an unknown type may read them.

// CHECK:      Input                    x                        0 1 x 0=4
// CHECK-NEXT: Input                    k                        0 1 k 0=2
// CHECK-NEXT: Split                    splitncnn_0              1 4 x x_splitncnn_0 x_splitncnn_1 x_splitncnn_2 x_splitncnn_3
// CHECK-NEXT: Split                    splitncnn_1              1 5 k k_splitncnn_0 k_splitncnn_1 k_splitncnn_2 k_splitncnn_3 k_splitncnn_4
// CHECK-NEXT: Slice                    slice                    3 2 x_splitncnn_0 k_splitncnn_0 k_splitncnn_1 a b -23300=2,-233,-233
// CHECK-NEXT: Noop                     noop_0                   2 1 x_splitncnn_1 k_splitncnn_2 noop_0
// CHECK-NEXT: Concat                   concat                   1 1 noop_0 concat
// CHECK-NEXT: Noop                     noop_1                   2 1 x_splitncnn_2 k_splitncnn_3 noop_1
// CHECK-NEXT: Other                    custom                   1 1 noop_1 custom
// CHECK-NEXT: Noop                     noop_2                   2 1 x_splitncnn_3 k_splitncnn_4 x_1
// CHECK-NEXT: Split                    splitncnn_2              1 2 x_1 x_1_splitncnn_0 x_1_splitncnn_1
// CHECK-NEXT: MatMul                   square                   2 1 x_1_splitncnn_0 x_1_splitncnn_1 square
func.func @main(%x: tensor<4xf32>, %k: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) {
  %0 = ncnn.noop %x, %k {further_inputs} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  %1 = ncnn.noop %0, %k {further_inputs} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  %a, %b = ncnn.slice %1 {name = "slice", blobs = ["a", "b"], slices = [-233, -233]} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %2 = ncnn.noop %x, %k {further_inputs} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  %concat = ncnn.concat %2 {name = "concat"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = ncnn.noop %x, %k {further_inputs} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  %custom = ncnn.custom "Other"(%3) {name = "custom"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = ncnn.noop %x, %k {blobs = ["x"], further_inputs} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  %square = ncnn.matmul %4, %4 {name = "square"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<1xf32>
  func.return %a, %b, %concat, %custom, %square : tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1xf32>
}
