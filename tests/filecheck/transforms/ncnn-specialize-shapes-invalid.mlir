// RUN: not ncnn-opt --fix-shapes dat=3,4 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=NEAREST
// NEAREST: ncnn-opt: error: {{.*}}ncnn-specialize-shapes-invalid.mlir: there is no input 'dat'; did you mean 'data'?

// RUN: not ncnn-opt --fix-shapes data=4 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=MISFIT
// MISFIT: ncnn-opt: error: {{.*}}ncnn-specialize-shapes-invalid.mlir: Convolution 'conv' takes 2,?,? or 2 by its weights, and gets 4; try --fix-shapes data=2,224,224

// RUN: not ncnn-opt --fix-shapes data=2,x,1 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=EXTENT
// EXTENT: ncnn-opt: error: --fix-shapes data=2,x,1: extents are positive numbers or ?, not '2,x,1'

// RUN: not ncnn-opt --max-shape 2,2,1 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=NAME
// NAME: ncnn-opt: error: --max-shape takes INPUT=EXTENTS, as data=3,224,224, not '2,2,1'

// RUN: not ncnn-opt --fix-shapes data=2,9,? --max-shape data=?,8,8 %s 2>&1 | filecheck %s --check-prefix=MORE
// MORE: an extent of 'data' is to be 9, and at most 8

// RUN: not ncnn-opt --fix-shapes data=2,9,? --max-shape data=8,8 %s 2>&1 | filecheck %s --check-prefix=DIMS
// DIMS: 'data' is to have 3 dims, and at most 2

// RUN: not ncnn-opt --fix-shapes data=2,9,9 --input-shape data=2,8,8 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=TWICE
// TWICE: ncnn-opt: error: --fix-shapes and --input-shape both give the shape of 'data', and differ; omit one

// RUN: not ncnn-opt --max-shape data=2,9,9 --input-shape data=2,9,9 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=BOUNDED
// BOUNDED: ncnn-opt: error: --max-shape and --input-shape both give the shape of 'data'; omit one

// A file of options for several commands has equal shapes for both.
// RUN: ncnn-opt --fix-shapes data=2,9,9 --input-shape data=2,9,9 --elide-weights %s | filecheck %s --check-prefix=EQUAL
// EQUAL: %data: tensor<2x9x9xf32> {{{.*}}ncnn.promised

// RUN: not ncnn-opt --fix-shapes data=2,9,9 --dynamic data=h %s 2>&1 | filecheck %s --match-full-lines --check-prefix=DYNAMIC
// DYNAMIC: ncnn-opt: error: --dynamic is for a model of any size, --fix-shapes and --max-shape not

// A promise is kept, in later runs as well.
// RUN: ncnn-opt --fix-shapes data=2,9,? %s -o %t.mlir
// RUN: not ncnn-opt --input-shape data=2,8,8 %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=KEPT
// RUN: not ncnn-opt --fix-shapes data=2,8,8 %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=KEPT
// RUN: ncnn-opt --input-shape data=2,9,7 --elide-weights %t.mlir | filecheck %s --check-prefix=MORE-IS-SAID
// KEPT: ncnn-opt: error: {{.*}}.mlir: input 'data' is specialized to 2,9,?
// MORE-IS-SAID: %data: tensor<2x9x7xf32>
// RUN: ncnn-opt --max-shape data=2,9,9 %s -o %t.mlir
// RUN: not ncnn-opt --make-dynamic='axes="data:h"' %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=BOUND
// BOUND: ncnn-opt: error: {{.*}}.mlir: input 'data' is specialized to at most 2,9,9

func.func @main(%data: tensor<*xf32> {ncnn.blob = "data"}) -> tensor<*xf32> {
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %y = ncnn.convolution %data weight %w {name = "conv", num_output = 1, kernel_w = 1} : (tensor<*xf32>, tensor<1x2x1x1xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
