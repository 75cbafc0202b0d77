// RUN: ncnn-opt -O %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// Inputs of Input layers in the middle of a file keep their names, also where nothing but a Noop or a
// Split stands between them and an output.
// CHECK:      ReLU                     first                    1 1 data first
// CHECK-NEXT: Input                    middle                   0 1 in0
// CHECK-NEXT: Noop                     noop                     1 1 in0 out
// CHECK-NEXT: Input                    late                     0 1 in1
// CHECK-NEXT: Split                    splitncnn_0              1 2 in1 left right
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}, %in0: tensor<*xf32> {ncnn.blob = "in0"}, %in1: tensor<*xf32> {ncnn.blob = "in1"}) -> (tensor<4xf32> {ncnn.blob = "first"}, tensor<*xf32> {ncnn.blob = "out"}, tensor<*xf32> {ncnn.blob = "left"}, tensor<*xf32> {ncnn.blob = "right"}) {
  %first = ncnn.relu %data {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
  %m = ncnn.input %in0 {name = "middle", blobs = ["in0"]} : (tensor<*xf32>) -> tensor<*xf32>
  %out = ncnn.noop %m {name = "noop", blobs = ["out"]} : (tensor<*xf32>) -> tensor<*xf32>
  %l = ncnn.input %in1 {name = "late", blobs = ["in1"]} : (tensor<*xf32>) -> tensor<*xf32>
  %left, %right = ncnn.split %l {name = "split", blobs = ["left", "right"]} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  func.return %first, %out, %left, %right : tensor<4xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
