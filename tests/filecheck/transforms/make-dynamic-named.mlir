// RUN: ncnn-opt --make-dynamic='axes="x:h=n","mask:h=n","mask:w=n"' %s | filecheck %s
// RUN: not ncnn-opt --make-dynamic='axes="x:h","mask:h","mask:w"' %s 2>&1 | filecheck %s --check-prefix=APART
// RUN: not ncnn-opt --make-dynamic='axes="x:h=n","mask:h=n","mask:w=2*n"' %s 2>&1 | filecheck %s --check-prefix=WRONG

// The steps of the hidden states are the rows and the columns of the mask.
// APART: the shapes cannot be dynamic
// WRONG: the model was exported for 5 along axis w of 'mask', which other axes contradict: n is 5
// CHECK: func.func @main(%x: tensor<?x4xf32> {ncnn.blob = "x"}, %mask: tensor<?x?xf32> {ncnn.blob = "mask"})
func.func @main(%x: tensor<5x4xf32> {ncnn.blob = "x"}, %mask: tensor<5x5xf32> {ncnn.blob = "mask"}) -> tensor<5x5xf32> {
  // CHECK: %r = ncnn.reshape %x {name = "r", w = 2, h = 2, c = -1}
  %r = ncnn.reshape %x {name = "r", w = 2, h = 2, c = 5} : (tensor<5x4xf32>) -> tensor<5x2x2xf32>
  %f = ncnn.reshape %r {name = "f", w = 4, h = 5} : (tensor<5x2x2xf32>) -> tensor<5x4xf32>
  %p = ncnn.matmul %f, %x {name = "p", transB = 1} : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x5xf32>
  %s = ncnn.binaryop %p, %mask {name = "s", op_type = add} : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  func.return %s : tensor<5x5xf32>
}
