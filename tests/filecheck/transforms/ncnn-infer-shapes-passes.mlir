// RUN: ncnn-opt %s -O --input-shape data=3,8,9 -o %t.param
// RUN: filecheck %s --match-full-lines --input-file=%t.param --check-prefix=KNOWN
// RUN: ncnn-opt %s -O --input-shape data=3,?,9 -o %t.param
// RUN: filecheck %s --match-full-lines --input-file=%t.param --check-prefix=VAGUE
// RUN: ncnn-opt %s -O --input-shape data=3,8,9 --no-shape-hints -o %t.param
// RUN: filecheck %s --match-full-lines --input-file=%t.param --check-prefix=NONE
// RUN: ncnn-opt %s -O --no-shape-hints -o %t.param
// RUN: filecheck %s --match-full-lines --input-file=%t.param --check-prefix=STRIPPED

// With other passes shapes are there before them, and hints come after them: what passes make has
// some, too, and the Split of the file has gone with its own. Those that say something else go.
// KNOWN:         7767517
// KNOWN-NEXT:    4 5
// KNOWN-NEXT:    Input                    data                     0 1 data 0=9 1=8 2=3 -23330=4,3,9,8,3
// KNOWN-NEXT:    Convolution              conv                     1 1 data relu 0=2 1=1 3=2 6=6 9=1 -23330=4,3,5,4,2
// KNOWN-NEXT:    Split                    splitncnn_0              1 2 relu relu_splitncnn_0 relu_splitncnn_1 -23330=8,3,5,4,2,3,5,4,2
// KNOWN-NEXT:    BinaryOp                 sum                      2 1 relu_splitncnn_0 relu_splitncnn_1 sum -23330=4,3,5,4,2
//
// VAGUE:         7767517
// VAGUE-NEXT:    4 5
// VAGUE-NEXT:    Input                    data                     0 1 data 0=9 2=3
// VAGUE-NEXT:    Convolution              conv                     1 1 data relu 0=2 1=1 3=2 6=6 9=1
// VAGUE-NEXT:    Split                    splitncnn_0              1 2 relu relu_splitncnn_0 relu_splitncnn_1
// VAGUE-NEXT:    BinaryOp                 sum                      2 1 relu_splitncnn_0 relu_splitncnn_1 sum
//
// NONE:          7767517
// NONE-NEXT:     4 5
// NONE-NEXT:     Input                    data                     0 1 data 0=9 1=8 2=3
// NONE-NEXT:     Convolution              conv                     1 1 data relu 0=2 1=1 3=2 6=6 9=1
// NONE-NEXT:     Split                    splitncnn_0              1 2 relu relu_splitncnn_0 relu_splitncnn_1
// NONE-NEXT:     BinaryOp                 sum                      2 1 relu_splitncnn_0 relu_splitncnn_1 sum
//
// STRIPPED:      7767517
// STRIPPED-NEXT: 4 5
// STRIPPED-NEXT: Input                    data                     0 1 data 0=5 1=5 2=3
// STRIPPED-NEXT: Convolution              conv                     1 1 data relu 0=2 1=1 3=2 6=6 9=1
// STRIPPED-NEXT: Split                    splitncnn_0              1 2 relu relu_splitncnn_0 relu_splitncnn_1
// STRIPPED-NEXT: BinaryOp                 sum                      2 1 relu_splitncnn_0 relu_splitncnn_1 sum
func.func @main(%data: tensor<3x5x5xf32> {ncnn.blob = "data", ncnn.params = {"30" = array<i32: 3, 5, 5, 3>}}) -> (tensor<2x3x3xf32> {ncnn.blob = "sum"}) {
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]], [[3.0]]], [[[4.0]], [[5.0]], [[6.0]]]]> : tensor<2x3x1x1xf32>
  %conv = ncnn.convolution %data weight %w {name = "conv", num_output = 2, kernel_w = 1, stride_w = 2, shape_hints = [3, 3, 3, 2]} : (tensor<3x5x5xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x3xf32>
  %relu = ncnn.relu %conv {name = "relu", shape_hints = [3, 3, 3, 2]} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %a, %b = ncnn.split %relu {name = "split", blobs = ["a", "b"], shape_hints = [3, 3, 3, 2, 3, 3, 3, 2]} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>)
  %sum = ncnn.binaryop %a, %b {name = "sum", op_type = add, shape_hints = [3, 3, 3, 2]} : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  func.return %sum : tensor<2x3x3xf32>
}
