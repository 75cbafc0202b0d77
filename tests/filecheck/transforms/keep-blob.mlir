// RUN: ncnn-opt --split-input-file --keep-blob blob %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --split-input-file --keep-blob blob %s > %t.once
// RUN: ncnn-opt --split-input-file -p "keep-blobs{names=blob}" %s | diff %t.once -
// RUN: ncnn-opt --split-input-file --keep-blob blob %t.once | diff %t.once -
// RUN: ncnn-opt --split-input-file --keep-blob blob --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Without the option both layers would be the convolution's.
// REMARK: remark: keep-blobs: blob
// CHECK-LABEL: func.func @main(%x: tensor<1x1x1xf32> {ncnn.blob = "x"}) -> (tensor<2x1x1xf32> {ncnn.blob = "relu"}, tensor<2x1x1xf32> {ncnn.blob = "blob"}) {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[1.000000e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT:   %drop = ncnn.dropout %conv {name = "drop", blobs = ["blob"], scale = 2.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT:   %relu = ncnn.relu %drop {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT:   func.return %relu, %drop : tensor<2x1x1xf32>, tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @main(%x: tensor<1x1x1xf32> {ncnn.blob = "x"}) -> (tensor<2x1x1xf32> {ncnn.blob = "relu"}) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %drop = ncnn.dropout %conv {name = "drop", blobs = ["blob"], scale = 2.0} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}

// -----

// An eliminated layer's blob stays under its name, as does that of a Split.
// REMARK-NEXT: remark: keep-blobs: blob
// CHECK-LABEL: func.func @main(%x: tensor<4xf32> {ncnn.blob = "x"}) -> (tensor<4xf32> {ncnn.blob = "out"}, tensor<4xf32> {ncnn.blob = "blob"}) {
// CHECK-NEXT:   %exp = ncnn.exp %x {name = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %noop = ncnn.noop %exp {name = "noop", blobs = ["blob"]} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %s0, %s1 = ncnn.split %noop {name = "split", blobs = ["other", "s1"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:   %out = ncnn.binaryop %s0, %s1 {name = "out", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %out, %noop : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%x: tensor<4xf32> {ncnn.blob = "x"}) -> (tensor<4xf32> {ncnn.blob = "out"}) {
  %exp = ncnn.exp %x {name = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  %noop = ncnn.noop %exp {name = "noop", blobs = ["blob"]} : (tensor<4xf32>) -> tensor<4xf32>
  %s0, %s1 = ncnn.split %noop {name = "split", blobs = ["other", "s1"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %out = ncnn.binaryop %s0, %s1 {name = "out", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %out : tensor<4xf32>
}
