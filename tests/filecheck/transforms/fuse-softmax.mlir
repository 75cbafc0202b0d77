// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-softmax %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-softmax %s > %t.once
// RUN: ncnn-opt --fuse-softmax %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-softmax --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Exponentials over their sum, along one axis.

// Less the maximum.
// REMARK: remark: fuse-softmax: BinaryOp 'y', UnaryOp 'e', BinaryOp 'd', Reduction 'm', Reduction 's'
// CHECK-LABEL: func.func @shifted(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// BEFORE-NEXT:   %m = ncnn.reduction %x {name = "m", operation = max, reduce_all = 0, axes = [-2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %e = ncnn.unaryop %d {name = "e", op_type = exp} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %s = ncnn.reduction %e {name = "s", reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %e, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3x4xf32>
// AFTER-NEXT:    %y = ncnn.softmax %x {name = "y", axis = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @shifted(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %m = ncnn.reduction %x {name = "m", operation = max, reduce_all = 0, axes = [-2], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %d = ncnn.binaryop %x, %m {name = "d", op_type = sub} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  %e = ncnn.unaryop %d {name = "e", op_type = exp} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %s = ncnn.reduction %e {name = "s", operation = sum, reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %y = ncnn.binaryop %e, %s {name = "y", op_type = div} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// As it is.
// CHECK-LABEL: func.func @plain(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// BEFORE-NEXT:   %e = ncnn.exp %x {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %s = ncnn.reduction %e {name = "s", reduce_all = 0, axes = [-1], fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %s, %e {name = "y", op_type = rdiv} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.softmax %x {name = "y", axis = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @plain(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = ncnn.exp %x {name = "e"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = ncnn.reduction %e {name = "s", operation = sum, reduce_all = 0, axes = [-1], keepdims = 0, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2xf32>
  %y = ncnn.binaryop %s, %e {name = "y", op_type = rdiv} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
