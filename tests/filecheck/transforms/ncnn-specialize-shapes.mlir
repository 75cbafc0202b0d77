// RUN: ncnn-opt --ncnn-specialize-shapes='fixed="x:3x?x?" at_most="x:?x8x?","z:2x4"' %s > %t.mlir
// RUN: filecheck %s --match-full-lines --input-file=%t.mlir --check-prefix=IR
// RUN: ncnn-opt %t.mlir | diff %t.mlir -
// RUN: ncnn-opt %s --fix-shapes x=3,?,? --max-shape x=?,8,? --max-shape=z=2,4 | diff %t.mlir -
// RUN: xdsl-opt -p 'ncnn-specialize-shapes{fixed="x:3x?x?" at_most="x:?x8x?","z:2x4"}' %s | filecheck %s --match-full-lines --check-prefix=IR
// RUN: ncnn-opt %t.mlir -o %t.param
// RUN: filecheck %s --match-full-lines --input-file=%t.param --check-prefix=FILE
// RUN: ncnn-opt %s --fix-shapes x=3,8,9 -o %t.fixed.param
// RUN: filecheck %s --match-full-lines --input-file=%t.fixed.param --check-prefix=HINTS
// RUN: ncnn-opt -O %s --fix-shapes x=3,8,9 --print-pipeline | filecheck %s --match-full-lines --check-prefix=PIPELINE

// A file says how large inputs are, or at most are; that they always are is said in IR only.
// IR:         func.func @main(%x: tensor<3x8x?xf32> {ncnn.blob = "x", ncnn.promised, ncnn.at_most = array<i64: 1>}, %z: tensor<2x4xf32> {ncnn.blob = "z", ncnn.promised, ncnn.at_most = array<i64: 0, 1>}) -> (tensor<3x8x?xf32> {ncnn.blob = "y"}, tensor<2x4xf32> {ncnn.blob = "t"}) {
// IR-NEXT:      %y = ncnn.relu %x {name = "relu"} : (tensor<3x8x?xf32>) -> tensor<3x8x?xf32>
// IR-NEXT:      %t = ncnn.tanh %z {name = "tanh"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// FILE:       Input                    x                        0 1 x 1=8 2=3
// FILE-NEXT:  Input                    z                        0 1 z 0=4 1=2
// HINTS:      Input                    x                        0 1 x 0=9 1=8 2=3 -23330=4,3,9,8,3
// HINTS-NEXT: Input                    z                        0 1 z
// HINTS-NEXT: ReLU                     relu                     1 1 x y -23330=4,3,9,8,3
// HINTS-NEXT: TanH                     tanh                     1 1 z t
// PIPELINE:   ncnn-specialize-shapes{fixed="x:3x8x9"},limit-growth,ncnn-for-release,eliminate-split,eliminate-batches,ncnn-recognize,canonicalize,pad-channels,ncnn-for-release{release=any},convert-storage{storage=keep},ncnn-infer-shapes

func.func @main(%x: tensor<?x?x?xf32> {ncnn.blob = "x"}, %z: tensor<*xf32> {ncnn.blob = "z"}) -> (tensor<?x?x?xf32> {ncnn.blob = "y"}, tensor<*xf32> {ncnn.blob = "t"}) {
  %y = ncnn.relu %x {name = "relu"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %t = ncnn.tanh %z {name = "tanh"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %y, %t : tensor<?x?x?xf32>, tensor<*xf32>
}
