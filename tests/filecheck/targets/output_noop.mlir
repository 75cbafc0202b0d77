// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// An input without other uses, given out under another name: one new name is no Split's business.

// CHECK:      7767517
// CHECK-NEXT: 4 4
// CHECK-NEXT: Input                    data                     0 1 data 0=8
// CHECK-NEXT: Input                    more                     0 1 more 0=8
// CHECK-NEXT: Noop                     noopncnn_0               1 1 data copy
// CHECK-NEXT: ReLU                     relu                     1 1 more relu
func.func @main(%data: tensor<8xf32> {ncnn.blob = "data"}, %more: tensor<8xf32> {ncnn.blob = "more"}) -> (tensor<8xf32> {ncnn.blob = "copy"}, tensor<8xf32> {ncnn.blob = "relu"}) {
  %relu = ncnn.relu %more {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %data, %relu : tensor<8xf32>, tensor<8xf32>
}
