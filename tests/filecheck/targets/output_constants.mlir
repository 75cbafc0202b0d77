// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// Outputs without a name that no layer names get a number; what layers call them may be taken.

// CHECK:      Input                    out0                     0 1 out0 0=4
// CHECK-NEXT: Input                    y                        0 1 y 0=4
// CHECK-NEXT: MemoryData               memorydata_0             0 1 out1 0=4
// CHECK-NEXT: AbsVal                   a                        1 1 out0 p
// CHECK-NEXT: AbsVal                   p                        1 1 y p_1
func.func @main(%x: tensor<4xf32> {ncnn.blob = "out0"}, %y : tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "p"}, tensor<4xf32>, tensor<4xf32>) {
  %c = ncnn.constant dense<1.0> : tensor<4xf32>
  %0 = ncnn.absval %x {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = ncnn.absval %y {name = "p"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
