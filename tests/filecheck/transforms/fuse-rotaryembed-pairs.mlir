// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-rotaryembed %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-rotaryembed %s > %t.once
// RUN: ncnn-opt --fuse-rotaryembed %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-rotaryembed --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: fuse-rotaryembed: Concat 'j', Reshape 'ce', ExpandDims 'de', BinaryOp 'c', BinaryOp 'd', Squeeze 'ar', Slice 's', BinaryOp 'ac', Reshape 'br', BinaryOp 'bs', BinaryOp 'bc', BinaryOp 'as'
// REMARK-NEXT: remark: fuse-rotaryembed: Concat 'j', BinaryOp 'c', BinaryOp 'd', Slice 's', BinaryOp 'ac', BinaryOp 'bs', BinaryOp 'bc', BinaryOp 'as'

// Neighbours as pairs: a Slice separates them, ExpandDims and a Concat interleave them again.
// CHECK-LABEL: func.func @pairs(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %in {name = "x", w = 2, h = 2, c = 2, d = 3} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
// BEFORE-NEXT:   %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
// BEFORE-NEXT:   %ar = ncnn.squeeze %a {name = "ar", axes = [3]} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %br = ncnn.reshape %b {name = "br", w = 2, h = 3, c = 2} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %cos = ncnn.constant {name = "cos"} dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]]> : tensor<1x3x2xf32>
// BEFORE-NEXT:   %sin = ncnn.constant {name = "sin"} dense<[[[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]]> : tensor<1x3x2xf32>
// BEFORE-NEXT:   %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %as = ncnn.binaryop %ar, %sin {name = "as", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %bc = ncnn.binaryop %br, %cos {name = "bc", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
// BEFORE-NEXT:   %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, c = 2, d = 3} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
// BEFORE-NEXT:   %de = ncnn.expanddims %d {name = "de", axes = [3]} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
// BEFORE-NEXT:   %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3x4xf32>
// AFTER-NEXT:    %x = ncnn.reshape %in {name = "x", w = 2, h = 2, c = 2, d = 3} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
// AFTER-NEXT:    %cos = ncnn.constant {name = "cos"} dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]]> : tensor<1x3x2xf32>
// AFTER-NEXT:    %sin = ncnn.constant {name = "sin"} dense<[[[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]]> : tensor<1x3x2xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {name = "j_x", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %1 = ncnn.reshape %cos {name = "j_cos", w = 2, h = 3} : (tensor<1x3x2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %2 = ncnn.reshape %sin {name = "j_sin", w = 2, h = 3} : (tensor<1x3x2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %3 = ncnn.rotaryembed %0, %1, %2 {name = "j", interleaved = neighbours} : (tensor<2x3x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %j = ncnn.reshape %3 {blobs = ["j"], w = 2, h = 2, c = 2, d = 3} : (tensor<2x3x4xf32>) -> tensor<2x3x2x2xf32>
// AFTER-NEXT:    %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @pairs(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 2, d = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
  %ar = ncnn.squeeze %a {name = "ar", axes = [3]} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
  %br = ncnn.reshape %b {name = "br", w = 2, h = 3, c = 2} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<1x3x2xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[7.0, 8.0], [9.0, 1.0], [2.0, 3.0]]]> : tensor<1x3x2xf32>
  %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %as = ncnn.binaryop %ar, %sin {name = "as", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %bc = ncnn.binaryop %br, %cos {name = "bc", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, d = 3, c = 2} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %de = ncnn.expanddims %d {name = "de", axes = [3]} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
  %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Computed in 4 dims, for any number of steps.
// CHECK-LABEL: func.func @steps(%in: tensor<*xf32>, %cos: tensor<*xf32>, %sin: tensor<*xf32>) -> tensor<?x3x2x2xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %in {name = "x", w = 2, h = 2, c = -1, d = 3} : (tensor<*xf32>) -> tensor<?x3x2x2xf32>
// BEFORE-NEXT:   %t = ncnn.reshape %cos {name = "t", w = 1, h = 2, c = 1, d = 3} : (tensor<*xf32>) -> tensor<1x3x2x1xf32>
// BEFORE-NEXT:   %u = ncnn.reshape %sin {name = "u", w = 1, h = 2, c = 1, d = 3} : (tensor<*xf32>) -> tensor<1x3x2x1xf32>
// BEFORE-NEXT:   %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = -1} : (tensor<?x3x2x2xf32>) -> (tensor<?x3x2x1xf32>, tensor<?x3x2x1xf32>)
// BEFORE-NEXT:   %ac = ncnn.binaryop %a, %t {name = "ac", op_type = mul} : (tensor<?x3x2x1xf32>, tensor<1x3x2x1xf32>) -> tensor<?x3x2x1xf32>
// BEFORE-NEXT:   %bs = ncnn.binaryop %b, %u {name = "bs", op_type = mul} : (tensor<?x3x2x1xf32>, tensor<1x3x2x1xf32>) -> tensor<?x3x2x1xf32>
// BEFORE-NEXT:   %as = ncnn.binaryop %a, %u {name = "as", op_type = mul} : (tensor<?x3x2x1xf32>, tensor<1x3x2x1xf32>) -> tensor<?x3x2x1xf32>
// BEFORE-NEXT:   %bc = ncnn.binaryop %b, %t {name = "bc", op_type = mul} : (tensor<?x3x2x1xf32>, tensor<1x3x2x1xf32>) -> tensor<?x3x2x1xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<?x3x2x1xf32>, tensor<?x3x2x1xf32>) -> tensor<?x3x2x1xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %bc, %as {name = "d", op_type = add} : (tensor<?x3x2x1xf32>, tensor<?x3x2x1xf32>) -> tensor<?x3x2x1xf32>
// BEFORE-NEXT:   %j = ncnn.concat %c, %d {name = "j", axis = 3} : (tensor<?x3x2x1xf32>, tensor<?x3x2x1xf32>) -> tensor<?x3x2x2xf32>
// BEFORE-NEXT:   func.return %j : tensor<?x3x2x2xf32>
// AFTER-NEXT:    %x = ncnn.reshape %in {name = "x", w = 2, h = 2, c = -1, d = 3} : (tensor<*xf32>) -> tensor<?x3x2x2xf32>
// AFTER-NEXT:    %t = ncnn.reshape %cos {name = "t", w = 1, h = 2, c = 1, d = 3} : (tensor<*xf32>) -> tensor<1x3x2x1xf32>
// AFTER-NEXT:    %u = ncnn.reshape %sin {name = "u", w = 1, h = 2, c = 1, d = 3} : (tensor<*xf32>) -> tensor<1x3x2x1xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {name = "j_x", w = 4, h = 3, c = -1} : (tensor<?x3x2x2xf32>) -> tensor<?x3x4xf32>
// AFTER-NEXT:    %1 = ncnn.reshape %t {name = "j_cos", w = 2, h = 3} : (tensor<1x3x2x1xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %2 = ncnn.reshape %u {name = "j_sin", w = 2, h = 3} : (tensor<1x3x2x1xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %3 = ncnn.rotaryembed %0, %1, %2 {name = "j", interleaved = neighbours} : (tensor<?x3x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x3x4xf32>
// AFTER-NEXT:    %j = ncnn.reshape %3 {blobs = ["j"], w = 2, h = 2, c = 0, d = 3} : (tensor<?x3x4xf32>) -> tensor<?x3x2x2xf32>
// AFTER-NEXT:    func.return %j : tensor<?x3x2x2xf32>
// CHECK-NEXT: }
func.func @steps(%in: tensor<*xf32>, %cos: tensor<*xf32>, %sin: tensor<*xf32>) -> tensor<?x3x2x2xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 2, d = 3, c = -1} : (tensor<*xf32>) -> tensor<?x3x2x2xf32>
  %t = ncnn.reshape %cos {name = "t", w = 1, h = 2, d = 3, c = 1} : (tensor<*xf32>) -> tensor<1x3x2x1xf32>
  %u = ncnn.reshape %sin {name = "u", w = 1, h = 2, d = 3, c = 1} : (tensor<*xf32>) -> tensor<1x3x2x1xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = -1} : (tensor<?x3x2x2xf32>) -> (tensor<?x3x2x1xf32>, tensor<?x3x2x1xf32>)
  %ac = ncnn.binaryop %a, %t {name = "ac", op_type = mul} : (tensor<?x3x2x1xf32>, tensor<1x3x2x1xf32>) -> tensor<?x3x2x1xf32>
  %bs = ncnn.binaryop %b, %u {name = "bs", op_type = mul} : (tensor<?x3x2x1xf32>, tensor<1x3x2x1xf32>) -> tensor<?x3x2x1xf32>
  %as = ncnn.binaryop %a, %u {name = "as", op_type = mul} : (tensor<?x3x2x1xf32>, tensor<1x3x2x1xf32>) -> tensor<?x3x2x1xf32>
  %bc = ncnn.binaryop %b, %t {name = "bc", op_type = mul} : (tensor<?x3x2x1xf32>, tensor<1x3x2x1xf32>) -> tensor<?x3x2x1xf32>
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<?x3x2x1xf32>, tensor<?x3x2x1xf32>) -> tensor<?x3x2x1xf32>
  %d = ncnn.binaryop %bc, %as {name = "d", op_type = add} : (tensor<?x3x2x1xf32>, tensor<?x3x2x1xf32>) -> tensor<?x3x2x1xf32>
  %j = ncnn.concat %c, %d {name = "j", axis = 3} : (tensor<?x3x2x1xf32>, tensor<?x3x2x1xf32>) -> tensor<?x3x2x2xf32>
  func.return %j : tensor<?x3x2x2xf32>
}
