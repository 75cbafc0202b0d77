// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// Outputs have the names that the function says, whatever their layers are called: also an input under
// another name, and one blob under two names. An input under its own name needs nothing.

// CHECK:      7767517
// CHECK-NEXT: 6 9
// CHECK-NEXT: Input                    data                     0 1 data 0=8
// CHECK-NEXT: Input                    same                     0 1 same 0=8
// CHECK-NEXT: Split                    splitncnn_0              1 2 data data_splitncnn_0 copy
// CHECK-NEXT: ReLU                     relu                     1 1 data_splitncnn_0 relu
// CHECK-NEXT: Split                    splitncnn_1              1 3 relu relu_splitncnn_0 a b
// CHECK-NEXT: TanH                     tanh                     1 1 relu_splitncnn_0 out
func.func @main(%data: tensor<8xf32> {ncnn.blob = "data"}, %same: tensor<8xf32> {ncnn.blob = "same"}) -> (tensor<8xf32> {ncnn.blob = "out"}, tensor<8xf32> {ncnn.blob = "copy"}, tensor<8xf32> {ncnn.blob = "same"}, tensor<8xf32> {ncnn.blob = "a"}, tensor<8xf32> {ncnn.blob = "b"}) {
  %relu = ncnn.relu %data {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  %tanh = ncnn.tanh %relu {name = "tanh"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %tanh, %data, %same, %relu, %relu : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
