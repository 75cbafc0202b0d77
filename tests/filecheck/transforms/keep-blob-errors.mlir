// RUN: not ncnn-opt --keep-blob blub %s 2>&1 | filecheck %s --check-prefix=NEAREST
// NEAREST: keep-blob-errors.mlir: there is no blob 'blub'; did you mean 'blob'?

// RUN: not ncnn-opt --keep-blob xyzzy %s 2>&1 | filecheck %s --check-prefix=NOTHING --match-full-lines
// NOTHING: {{.*}}keep-blob-errors.mlir: there is no blob 'xyzzy'

// A layer is no blob, but it makes one.
// RUN: not ncnn-opt --keep-blob conv %s 2>&1 | filecheck %s --check-prefix=LAYER
// LAYER: there is no blob 'conv'; the layer of that name makes 'blob'

// A weight is no blob of the graph.
// RUN: not ncnn-opt --keep-blob w %s 2>&1 | filecheck %s --check-prefix=WEIGHT
// WEIGHT: there is no blob 'w'

// RUN: not ncnn-opt --keep-blob blob,blub %s 2>&1 | filecheck %s --check-prefix=NEAREST
// RUN: not ncnn-opt --keep-blob blob --keep-blob=blub %s 2>&1 | filecheck %s --check-prefix=NEAREST

// RUN: not ncnn-opt %s --keep-blob 2>&1 | filecheck %s --check-prefix=NONE
// NONE: error: argument --keep-blob: expected one argument

// RUN: not ncnn-opt -p keep-blobs %s 2>&1 | filecheck %s --check-prefix=NONE-PASS
// NONE-PASS: error: in the pipeline 'keep-blobs': keep-blobs needs names=BLOB[,BLOB…]

// RUN: not ncnn-opt -p "keep-blobs{blobs=a}" %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error: in the pipeline 'keep-blobs{blobs=a}': keep-blobs has the option names, not 'blobs'

// As a flag it takes what the pass takes, too.
// RUN: ncnn-opt --keep-blob blob %s > %t.kept

// Inputs and outputs are there already.
// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --keep-blob x,relu --keep-blob relu %s | diff %t.before -
// RUN: ncnn-opt --keep-blob x,relu --remarks %s 2>&1 | filecheck %s --check-prefix=DONE
// DONE-NOT: remark

func.func @main(%x: tensor<1x1x1xf32> {ncnn.blob = "x"}) -> (tensor<2x1x1xf32> {ncnn.blob = "relu"}) {
  %w = ncnn.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", blobs = ["blob"], num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %relu : tensor<2x1x1xf32>
}
