// Code for other compilers, through a pipeline of upstream's mlir-opt.
// REQUIRES: mlir-opt-19, mlir-opt-22
// RUN: ncnn-opt --convert-ncnn-to-fused --convert-fused-to-linalg --convert-ncnn-to-linalg --externalize-weights="style=args" %s > %t.mlir
// RUN: mlir-opt-19 %t.mlir --canonicalize --cse --one-shot-bufferize="bufferize-function-boundaries=1" --convert-linalg-to-loops | filecheck %s
// RUN: mlir-opt-22 %t.mlir --canonicalize --cse --one-shot-bufferize="bufferize-function-boundaries=1" --convert-linalg-to-loops | filecheck %s
// CHECK: func.func @main(%{{.*}}: memref<4x8x8xf32{{.*}}>, %{{.*}}: memref<6x4x3x3xf32{{.*}}>, %{{.*}}: memref<6xf32{{.*}}>) -> memref<6x8x8xf32>
// CHECK-NOT: linalg
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK: math.exp
// CHECK-NOT: tensor

// Of any extents as well.
// RUN: ncnn-opt --ncnn-infer-shapes="input_shape=\"x:4x?x?\"" --convert-ncnn-to-fused --convert-fused-to-linalg --convert-ncnn-to-linalg --externalize-weights="style=args" %s > %t.any.mlir
// RUN: mlir-opt-19 %t.any.mlir --canonicalize --cse --one-shot-bufferize="bufferize-function-boundaries=1" --convert-linalg-to-loops | filecheck %s --check-prefix=ANY
// RUN: mlir-opt-22 %t.any.mlir --canonicalize --cse --one-shot-bufferize="bufferize-function-boundaries=1" --convert-linalg-to-loops | filecheck %s --check-prefix=ANY
// ANY: func.func @main(%{{.*}}: memref<4x?x?xf32{{.*}}>
// ANY: memref.dim
// ANY: scf.for
// ANY-NOT: linalg

func.func @main(%x: tensor<4x8x8xf32> {ncnn.blob = "x"}) -> (tensor<6x8x8xf32> {ncnn.blob = "y"}) {
  %weight = ncnn.constant #ncnn.elided : tensor<6x4x3x3xf32>
  %bias = ncnn.constant #ncnn.elided : tensor<6xf32>
  %conv = ncnn.convolution %x weight %weight bias %bias {name = "conv", num_output = 6, kernel_w = 3, pad_left = 1} : (tensor<4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<6x8x8xf32>
  %y = ncnn.softmax %conv {name = "y", axis = 0, fixbug0 = 1} : (tensor<6x8x8xf32>) -> tensor<6x8x8xf32>
  func.return %y : tensor<6x8x8xf32>
}
