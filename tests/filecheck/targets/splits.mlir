// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// A value with several uses gets a Split. One of them may be an output, which keeps its name.

// CHECK:      7767517
// CHECK-NEXT: 8 12
// CHECK-NEXT: Input                    data                     0 1 data 0=8
// CHECK-NEXT: Split                    splitncnn_0              1 3 data data_splitncnn_0 data_splitncnn_1 data_splitncnn_2
// CHECK-NEXT: ReLU                     relu                     1 1 data_splitncnn_0 relu_1
// CHECK-NEXT: Split                    splitncnn_1              1 2 relu_1 relu_1_splitncnn_0 relu
// CHECK-NEXT: TanH                     tanh                     1 1 data_splitncnn_1 tanh
// CHECK-NEXT: Split                    splitncnn_2              1 2 tanh tanh_splitncnn_0 tanh_splitncnn_1
// CHECK-NEXT: BinaryOp                 twice                    2 1 tanh_splitncnn_0 tanh_splitncnn_1 twice
// CHECK-NEXT: Eltwise                  sum                      3 1 relu_1_splitncnn_0 twice data_splitncnn_2 sum 0=1
func.func @main(%data: tensor<8xf32> {ncnn.blob = "data"}) -> (tensor<8xf32> {ncnn.blob = "sum"}, tensor<8xf32> {ncnn.blob = "relu"}) {
  %relu = ncnn.relu %data {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  %tanh = ncnn.tanh %data {name = "tanh"} : (tensor<8xf32>) -> tensor<8xf32>
  %twice = ncnn.binaryop %tanh, %tanh {name = "twice", op_type = add} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %sum = ncnn.eltwise %relu, %twice, %data {name = "sum", op_type = sum} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %sum, %relu : tensor<8xf32>, tensor<8xf32>
}
