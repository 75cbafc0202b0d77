// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// What the file had without a Split stays without; other values get one.

// CHECK:      7767517
// CHECK-NEXT: 6 7
// CHECK-NEXT: Input                    data                     0 1 data 0=8
// CHECK-NEXT: ReLU                     relu                     1 1 data relu
// CHECK-NEXT: TanH                     tanh                     1 1 relu tanh
// CHECK-NEXT: BinaryOp                 mul                      2 1 relu tanh mul 0=2
// CHECK-NEXT: Split                    splitncnn_0              1 2 mul mul_splitncnn_0 mul_splitncnn_1
// CHECK-NEXT: BinaryOp                 add                      2 1 mul_splitncnn_0 mul_splitncnn_1 out
func.func @main(%data: tensor<8xf32> {ncnn.blob = "data"}) -> (tensor<8xf32> {ncnn.blob = "out"}) attributes {ncnn.shared_blobs = ["relu"]} {
  %relu = ncnn.relu %data {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  %tanh = ncnn.tanh %relu {name = "tanh"} : (tensor<8xf32>) -> tensor<8xf32>
  %mul = ncnn.binaryop %relu, %tanh {name = "mul", op_type = mul} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %out = ncnn.binaryop %mul, %mul {name = "add", blobs = ["out"], op_type = add} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %out : tensor<8xf32>
}
