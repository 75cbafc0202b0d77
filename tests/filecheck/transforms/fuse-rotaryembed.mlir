// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-rotaryembed %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-rotaryembed %s > %t.once
// RUN: ncnn-opt --fuse-rotaryembed %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-rotaryembed --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: fuse-rotaryembed: BinaryOp 'y', BinaryOp 'p', BinaryOp 'q', Concat 'j', UnaryOp 'n', Slice 's'
// REMARK-NEXT: remark: fuse-rotaryembed: Concat 'y', BinaryOp 'c', BinaryOp 'd', BinaryOp 'ac', BinaryOp 'bs', BinaryOp 'as', BinaryOp 'bc', Slice 's'

// Halves exchanged, as wide as the blob. Both halves of the tables are the same: one is left.
// CHECK-LABEL: func.func @at_once(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
// BEFORE-NEXT:   %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
// BEFORE-NEXT:   %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
// BEFORE-NEXT:   %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
// BEFORE-NEXT:   %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
// BEFORE-NEXT:   %cos = ncnn.constant {name = "cos"} dense<[[[1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x2x4xf32>
// BEFORE-NEXT:   %sin = ncnn.constant {name = "sin"} dense<[[[5.000000e+00, 6.000000e+00, 5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00, 7.000000e+00, 8.000000e+00]]]> : tensor<1x2x4xf32>
// BEFORE-NEXT:   %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
// BEFORE-NEXT:   %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
// BEFORE-NEXT:   %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x2x4xf32>
// AFTER-NEXT:    %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
// AFTER-NEXT:    %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
// AFTER-NEXT:    %cos = ncnn.constant {name = "cos"} dense<[[[1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x2x4xf32>
// AFTER-NEXT:    %sin = ncnn.constant {name = "sin"} dense<[[[5.000000e+00, 6.000000e+00, 5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00, 7.000000e+00, 8.000000e+00]]]> : tensor<1x2x4xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %cos {name = "y_cos", w = 4, h = 2} : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
// AFTER-NEXT:    %1 = ncnn.crop %0 {name = "y_cos", starts = [0], ends = [2], axes = [1]} : (tensor<2x4xf32>) -> tensor<2x2xf32>
// AFTER-NEXT:    %2 = ncnn.reshape %sin {name = "y_sin", w = 4, h = 2} : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
// AFTER-NEXT:    %3 = ncnn.crop %2 {name = "y_sin", starts = [0], ends = [2], axes = [1]} : (tensor<2x4xf32>) -> tensor<2x2xf32>
// AFTER-NEXT:    %y = ncnn.rotaryembed %x, %1, %3 {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x2x4xf32>
// CHECK-NEXT: }
func.func @at_once(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
  %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
  %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[5.0, 6.0, 5.0, 6.0], [7.0, 8.0, 7.0, 8.0]]]> : tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// Halves one after the other.
// CHECK-LABEL: func.func @of_parts(%in: tensor<2x4xf32>) -> tensor<2x2x2xf32> {
// BEFORE-NEXT:   %r = ncnn.reshape %in {name = "r", w = 2, h = 2, c = 2} : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = -1} : (tensor<2x2x2xf32>) -> (tensor<2x2x1xf32>, tensor<2x2x1xf32>)
// BEFORE-NEXT:   %cos = ncnn.constant {name = "cos"} dense<[[[1.000000e+00], [2.000000e+00]]]> : tensor<1x2x1xf32>
// BEFORE-NEXT:   %sin = ncnn.constant {name = "sin"} dense<[[[3.000000e+00], [4.000000e+00]]]> : tensor<1x2x1xf32>
// BEFORE-NEXT:   %ac = ncnn.binaryop %a, %cos {name = "ac", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
// BEFORE-NEXT:   %bs = ncnn.binaryop %b, %sin {name = "bs", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
// BEFORE-NEXT:   %as = ncnn.binaryop %a, %sin {name = "as", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
// BEFORE-NEXT:   %bc = ncnn.binaryop %b, %cos {name = "bc", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
// BEFORE-NEXT:   %y = ncnn.concat %c, %d {name = "y", axis = 2} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x2x2xf32>
// AFTER-NEXT:    %r = ncnn.reshape %in {name = "r", w = 2, h = 2, c = 2} : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    %cos = ncnn.constant {name = "cos"} dense<[[[1.000000e+00], [2.000000e+00]]]> : tensor<1x2x1xf32>
// AFTER-NEXT:    %sin = ncnn.constant {name = "sin"} dense<[[[3.000000e+00], [4.000000e+00]]]> : tensor<1x2x1xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %cos {name = "y_cos", w = 1, h = 2} : (tensor<1x2x1xf32>) -> tensor<2x1xf32>
// AFTER-NEXT:    %1 = ncnn.reshape %sin {name = "y_sin", w = 1, h = 2} : (tensor<1x2x1xf32>) -> tensor<2x1xf32>
// AFTER-NEXT:    %y = ncnn.rotaryembed %x, %0, %1 {name = "y"} : (tensor<2x2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    func.return %y : tensor<2x2x2xf32>
// CHECK-NEXT: }
func.func @of_parts(%in: tensor<2x4xf32>) -> tensor<2x2x2xf32> {
  %r = ncnn.reshape %in {name = "r", w = 2, h = 2, c = 2} : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
  %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = -1} : (tensor<2x2x2xf32>) -> (tensor<2x2x1xf32>, tensor<2x2x1xf32>)
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[3.0], [4.0]]]> : tensor<1x2x1xf32>
  %ac = ncnn.binaryop %a, %cos {name = "ac", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %bs = ncnn.binaryop %b, %sin {name = "bs", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %as = ncnn.binaryop %a, %sin {name = "as", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %bc = ncnn.binaryop %b, %cos {name = "bc", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %y = ncnn.concat %c, %d {name = "y", axis = 2} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}
