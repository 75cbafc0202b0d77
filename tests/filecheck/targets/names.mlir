// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// What has no name gets one that nothing else has: the layer's type and a number for a layer, the
// layer's for its blobs. Outputs and inputs come first.

// CHECK:      7767517
// CHECK-NEXT: 9 11
// CHECK-NEXT: Input                    x                        0 1 x 0=8
// CHECK-NEXT: Input                    in1                      0 1 in1 0=8
// CHECK-NEXT: ReLU                     relu_1                   1 1 x relu_1
// CHECK-NEXT: ReLU                     relu_0                   1 1 relu_1 relu_0_1
// CHECK-NEXT: Split                    splitncnn_0              1 2 relu_0_1 relu_0_1_splitncnn_0 relu_0
// CHECK-NEXT: TanH                     x                        1 1 relu_0_1_splitncnn_0 x_1
// CHECK-NEXT: Slice                    slice                    1 2 x_1 slice_0 slice_1 -23300=2,4,4
// CHECK-NEXT: Concat                   last                     3 1 slice_0 slice_1 in1 last
// CHECK-NEXT: Sigmoid                  sigmoid_0                1 1 last out0
func.func @main(%x: tensor<8xf32>, %0: tensor<8xf32>) -> (tensor<8xf32>, tensor<16xf32>) {
  %a = ncnn.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = ncnn.relu %a {name = "relu_0"} : (tensor<8xf32>) -> tensor<8xf32>
  %c = ncnn.tanh %b {name = "x"} : (tensor<8xf32>) -> tensor<8xf32>
  %d, %e = ncnn.slice %c {name = "slice", slices = [4, 4]} : (tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %f = ncnn.concat %d, %e, %0 {name = "last"} : (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) -> tensor<16xf32>
  %g = ncnn.sigmoid %f : (tensor<16xf32>) -> tensor<16xf32>
  func.return %b, %g : tensor<8xf32>, tensor<16xf32>
}
