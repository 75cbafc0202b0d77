// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines
// RUN: ncnn-opt %t.param | filecheck %s --match-full-lines --check-prefix=BACK

// A constant with a name is a MemoryData layer, and so is one that is used as a blob; 21=0 where only a tag
// can tell what is stored. As a weight it is written once more, with its layer. Unused ones are not.

// CHECK:      7767517
// CHECK-NEXT: 9 9
// CHECK-NEXT: Input                    data                     0 1 data 0=2 1=2
// CHECK-NEXT: MemoryData               table                    0 1 table 0=2 1=2
// CHECK-NEXT: MemoryData               tagged                   0 1 tagged 0=2 1=2 21=0
// CHECK-NEXT: MemoryData               half                     0 1 half 0=2 21=0
// CHECK-NEXT: MemoryData               memorydata_0             0 1 memorydata_0 0=2
// CHECK-NEXT: BinaryOp                 a                        2 1 data table a
// CHECK-NEXT: BinaryOp                 b                        2 1 a tagged b
// CHECK-NEXT: BinaryOp                 c                        2 1 b memorydata_0 c
// CHECK-NEXT: Bias                     sum                      1 1 c sum 0=2

// BACK: %table = ncnn.constant {name = "table"} dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// BACK: %tagged = ncnn.constant {name = "tagged", load_type = 0} dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// BACK: %half = ncnn.constant {name = "half", load_type = 0} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>
// BACK: %memorydata = ncnn.constant {name = "memorydata_0"} dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>
// BACK: %sum_bias = ncnn.constant dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>
func.func @main(%data: tensor<2x2xf32> {ncnn.blob = "data"}) -> (tensor<2x2xf32> {ncnn.blob = "sum"}, tensor<2xf16> {ncnn.blob = "half"}) {
  %unused = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %table = ncnn.constant {name = "table"} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %tagged = ncnn.constant {name = "tagged", load_type = 0} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %half = ncnn.constant {name = "half"} dense<[1.0, 2.0]> : tensor<2xf16>
  %plain = ncnn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %a = ncnn.binaryop %data, %table {name = "a", op_type = add} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = ncnn.binaryop %a, %tagged {name = "b", op_type = add} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = ncnn.binaryop %b, %plain {name = "c", op_type = add} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %sum = ncnn.bias %c bias %plain {name = "sum"} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %sum, %half : tensor<2x2xf32>, tensor<2xf16>
}
