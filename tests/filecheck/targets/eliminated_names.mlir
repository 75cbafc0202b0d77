// RUN: ncnn-opt --eliminate-split --eliminate-dropout %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// Outputs keep their names whatever is eliminated, also where nothing but the eliminated layer had them.

// CHECK:      7767517
// CHECK-NEXT: 5 7
// CHECK-NEXT: Input                    x                        0 1 x 0=8
// CHECK-NEXT: Split                    splitncnn_0              1 2 x x_splitncnn_0 x_splitncnn_1
// CHECK-NEXT: AbsVal                   abs                      1 1 x_splitncnn_0 abs
// CHECK-NEXT: Split                    splitncnn_1              1 2 abs a b
// CHECK-NEXT: ReLU                     relu                     1 1 x_splitncnn_1 drop

func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<8xf32>) -> tensor<8xf32>
  %a, %b = ncnn.split %abs {name = "split", blobs = ["a", "b"]} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %relu = ncnn.relu %x {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  %drop = ncnn.dropout %relu {name = "drop"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %a, %b, %drop : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
