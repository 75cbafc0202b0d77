// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-rotaryembed %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The first half gets the other sign.
func.func @sign(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
  %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
  %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %a {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %b {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[5.0, 6.0, 5.0, 6.0], [7.0, 8.0, 7.0, 8.0]]]> : tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// The halves are not exchanged.
func.func @order(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
  %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
  %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %a, %n {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[5.0, 6.0, 5.0, 6.0], [7.0, 8.0, 7.0, 8.0]]]> : tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// One row for all steps, which BinaryOp repeats.
func.func @row(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
  %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
  %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[5.0, 6.0, 5.0, 6.0]]]> : tensor<1x1x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x1x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// How many steps there are is not certain.
func.func @steps(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
  %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = -1} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
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

// Another blob is multiplied by the cosines.
func.func @other(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
  %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
  %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[5.0, 6.0, 5.0, 6.0], [7.0, 8.0, 7.0, 8.0]]]> : tensor<1x2x4xf32>
  %z = ncnn.absval %x {name = "z"} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %p = ncnn.binaryop %z, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// A product is an output as well.
func.func @result(%in: tensor<2x8xf32>) -> (tensor<2x2x4xf32>, tensor<2x2x4xf32>) {
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
  func.return %y, %p : tensor<2x2x4xf32>, tensor<2x2x4xf32>
}

// The second part takes the sines for the cosines.
func.func @mixed(%in: tensor<2x4xf32>) -> tensor<2x2x2xf32> {
  %r = ncnn.reshape %in {name = "r", w = 2, h = 2, c = 2} : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
  %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = -1} : (tensor<2x2x2xf32>) -> (tensor<2x2x1xf32>, tensor<2x2x1xf32>)
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[3.0], [4.0]]]> : tensor<1x2x1xf32>
  %ac = ncnn.binaryop %a, %cos {name = "ac", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %bs = ncnn.binaryop %b, %sin {name = "bs", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %as = ncnn.binaryop %a, %cos {name = "as", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %bc = ncnn.binaryop %b, %cos {name = "bc", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %y = ncnn.concat %c, %d {name = "y", axis = 2} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// The first part is a sum.
func.func @sum(%in: tensor<2x4xf32>) -> tensor<2x2x2xf32> {
  %r = ncnn.reshape %in {name = "r", w = 2, h = 2, c = 2} : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
  %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = -1} : (tensor<2x2x2xf32>) -> (tensor<2x2x1xf32>, tensor<2x2x1xf32>)
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[3.0], [4.0]]]> : tensor<1x2x1xf32>
  %ac = ncnn.binaryop %a, %cos {name = "ac", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %bs = ncnn.binaryop %b, %sin {name = "bs", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %as = ncnn.binaryop %a, %sin {name = "as", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %bc = ncnn.binaryop %b, %cos {name = "bc", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = add} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %y = ncnn.concat %c, %d {name = "y", axis = 2} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}
