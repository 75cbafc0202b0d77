// RUN: ncnn-opt --ncnn-infer-shapes %s > %t.mlir
// RUN: filecheck %s --match-full-lines --input-file=%t.mlir --check-prefix=IR
// RUN: ncnn-opt --ncnn-infer-shapes %t.mlir | diff %t.mlir -
// RUN: ncnn-opt %s -o %t.param --ncnn-infer-shapes
// RUN: filecheck %s --match-full-lines --input-file=%t.param --check-prefix=FILE
// RUN: ncnn-opt %t.param --input-shape x=3,?,4 --input-shape more=2 --input-shape late_in=4,3 -o %t.vague.param
// RUN: filecheck %s --match-full-lines --input-file=%t.vague.param --check-prefix=VAGUE
// RUN: ncnn-opt %t.param --no-shape-hints -o %t.none.param
// RUN: filecheck %s --match-full-lines --input-file=%t.none.param --check-prefix=NONE
// RUN: ncnn-opt %t.param -o %t.same.param
// RUN: diff %t.param %t.same.param

// A layer whose outputs all have known extents gets hints: for each output dims, w, h, c, or, where
// one is 4-D, dims, w, h, d, c for each. One that has other hints, or is not known any more, loses
// them. Weights are no layers. An Input layer has those of all its blobs, and says extents only if
// they are all the same; the Split that export writes has its maker's.
// IR:         func.func @main(%x: tensor<3x2x4xf32> {ncnn.blob = "x", ncnn.params = {"30" = array<i32: 3, 4, 2, 3>}}, %y: tensor<2x3xf32> {ncnn.blob = "y", ncnn.layer = "two", ncnn.params = {"30" = array<i32: 2, 3, 2, 1, 1, 5, 1, 1>}}, %more: tensor<5xf32> {ncnn.blob = "more", ncnn.layer = "two", ncnn.params = {"30" = array<i32: 2, 3, 2, 1, 1, 5, 1, 1>}}, %late: tensor<2x3xf32> {ncnn.blob = "late"}) -> (tensor<3x2x4xf32> {ncnn.blob = "relu"}, tensor<*xf32> {ncnn.blob = "boxes"}) {
// IR-NEXT:      %relu = ncnn.relu %x {name = "relu", shape_hints = [3, 4, 2, 3]} : (tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
// IR-NEXT:      %deep = ncnn.reshape %x {name = "deep", w = 2, h = 2, c = 3, d = 2, shape_hints = [4, 2, 2, 2, 3]} : (tensor<3x2x4xf32>) -> tensor<3x2x2x2xf32>
// IR-NEXT:      %c = ncnn.constant {name = "c", shape_hints = [1, 2, 1, 1]} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// IR-NEXT:      %sum = ncnn.binaryop %y, %c {name = "sum", op_type = add, shape_hints = [2, 3, 2, 1]} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
// IR-NEXT:      %n0, %n1 = ncnn.noop %deep, %sum {name = "both", blobs = ["n0", "n1"], shape_hints = [4, 2, 2, 2, 3, 2, 3, 2, 1, 1]} : (tensor<3x2x2x2xf32>, tensor<2x3xf32>) -> (tensor<3x2x2x2xf32>, tensor<2x3xf32>)
// IR-NEXT:      %w = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// IR-NEXT:      %scale = ncnn.scale %n0 scale %w {name = "scale", shape_hints = [4, 2, 2, 2, 3]} : (tensor<3x2x2x2xf32>, tensor<3xf32>) -> tensor<3x2x2x2xf32>
// IR-NEXT:      %in = ncnn.input %late {name = "late_in", w = 3, h = 2, shape_hints = [2, 3, 2, 1]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// IR-NEXT:      %boxes = ncnn.custom "Boxes"(%scale, %n1, %more, %in) {name = "boxes"} : (tensor<3x2x2x2xf32>, tensor<2x3xf32>, tensor<5xf32>, tensor<2x3xf32>) -> tensor<*xf32>
// IR-NEXT:      func.return %relu, %boxes : tensor<3x2x4xf32>, tensor<*xf32>
//
// FILE:       Input                    x                        0 1 x 0=4 1=2 2=3 -23330=4,3,4,2,3
// FILE-NEXT:  Input                    two                      0 2 y more -23330=8,2,3,2,1,1,5,1,1
// FILE-NEXT:  Split                    splitncnn_0              1 2 x x_splitncnn_0 x_splitncnn_1 -23330=8,3,4,2,3,3,4,2,3
// FILE-NEXT:  ReLU                     relu                     1 1 x_splitncnn_0 relu -23330=4,3,4,2,3
// FILE-NEXT:  Reshape                  deep                     1 1 x_splitncnn_1 deep 0=2 1=2 2=3 11=2 -23330=5,4,2,2,2,3
// FILE-NEXT:  MemoryData               c                        0 1 c 0=2 -23330=4,1,2,1,1
// FILE-NEXT:  BinaryOp                 sum                      2 1 y c sum -23330=4,2,3,2,1
// FILE-NEXT:  Noop                     both                     2 2 deep sum n0 n1 -23330=10,4,2,2,2,3,2,3,2,1,1
// FILE-NEXT:  Scale                    scale                    1 1 n0 scale 0=3 -23330=5,4,2,2,2,3
// FILE-NEXT:  Input                    late_in                  0 1 late_in 0=3 1=2 -23330=4,2,3,2,1
// FILE-NEXT:  Boxes                    boxes                    4 1 scale n1 more late_in boxes
//
// VAGUE:      Input                    x                        0 1 x 0=4 2=3
// VAGUE-NEXT: Input                    two                      0 2 y more
// VAGUE-NEXT: Split                    splitncnn_0              1 2 x x_splitncnn_0 x_splitncnn_1
// VAGUE-NEXT: ReLU                     relu                     1 1 x_splitncnn_0 relu
// VAGUE-NEXT: Reshape                  deep                     1 1 x_splitncnn_1 deep 0=2 1=2 2=3 11=2 -23330=5,4,2,2,2,3
// VAGUE-NEXT: MemoryData               c                        0 1 c 0=2 -23330=4,1,2,1,1
// VAGUE-NEXT: BinaryOp                 sum                      2 1 y c sum
// VAGUE-NEXT: Noop                     both                     2 2 deep sum n0 n1
// VAGUE-NEXT: Scale                    scale                    1 1 n0 scale 0=3 -23330=5,4,2,2,2,3
// VAGUE-NEXT: Input                    late_in                  0 1 late_in 0=3 1=4 -23330=4,2,3,4,1
// VAGUE-NEXT: Boxes                    boxes                    4 1 scale n1 more late_in boxes
//
// NONE:       Input                    x                        0 1 x 0=4 1=2 2=3
// NONE-NEXT:  Input                    two                      0 2 y more
// NONE-NEXT:  Split                    splitncnn_0              1 2 x x_splitncnn_0 x_splitncnn_1
// NONE-NEXT:  ReLU                     relu                     1 1 x_splitncnn_0 relu
// NONE-NEXT:  Reshape                  deep                     1 1 x_splitncnn_1 deep 0=2 1=2 2=3 11=2
// NONE-NEXT:  MemoryData               c                        0 1 c 0=2
// NONE-NEXT:  BinaryOp                 sum                      2 1 y c sum
// NONE-NEXT:  Noop                     both                     2 2 deep sum n0 n1
// NONE-NEXT:  Scale                    scale                    1 1 n0 scale 0=3
// NONE-NEXT:  Input                    late_in                  0 1 late_in 0=3 1=2
// NONE-NEXT:  Boxes                    boxes                    4 1 scale n1 more late_in boxes
func.func @main(%x: tensor<3x2x4xf32> {ncnn.blob = "x"}, %y: tensor<2x3xf32> {ncnn.blob = "y", ncnn.layer = "two"}, %more: tensor<5xf32> {ncnn.blob = "more", ncnn.layer = "two"}, %late: tensor<2x3xf32> {ncnn.blob = "late"}) -> (tensor<3x2x4xf32> {ncnn.blob = "relu"}, tensor<*xf32> {ncnn.blob = "boxes"}) {
  %relu = ncnn.relu %x {name = "relu", shape_hints = [3, 9, 9, 9]} : (tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %deep = ncnn.reshape %x {name = "deep", w = 2, h = 2, c = 3, d = 2} : (tensor<3x2x4xf32>) -> tensor<3x2x2x2xf32>
  %c = ncnn.constant {name = "c"} dense<[1.0, 2.0]> : tensor<2xf32>
  %sum = ncnn.binaryop %y, %c {name = "sum", op_type = add} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  %n0, %n1 = ncnn.noop %deep, %sum {name = "both", blobs = ["n0", "n1"]} : (tensor<3x2x2x2xf32>, tensor<2x3xf32>) -> (tensor<3x2x2x2xf32>, tensor<2x3xf32>)
  %w = ncnn.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %scale = ncnn.scale %n0 scale %w {name = "scale"} : (tensor<3x2x2x2xf32>, tensor<3xf32>) -> tensor<3x2x2x2xf32>
  %in = ncnn.input %late {name = "late_in", w = 3, h = 2} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %boxes = ncnn.custom "Boxes"(%scale, %n1, %more, %in) {name = "boxes", shape_hints = [2, 6, 9, 1]} : (tensor<3x2x2x2xf32>, tensor<2x3xf32>, tensor<5xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  func.return %relu, %boxes : tensor<3x2x4xf32>, tensor<*xf32>
}
