// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-rotaryembed %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The first features get the other sign.
func.func @sign(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
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
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, d = 3, c = 2} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %de = ncnn.expanddims %d {name = "de", axes = [3]} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
  %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Both get it.
func.func @rsub(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
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
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = sub} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, d = 3, c = 2} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %de = ncnn.expanddims %d {name = "de", axes = [3]} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
  %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// The second features come first.
func.func @order(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
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
  %j = ncnn.concat %de, %ce {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
  %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Cosines and sines are exchanged in the second sum.
func.func @tables(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 2, d = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
  %ar = ncnn.squeeze %a {name = "ar", axes = [3]} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
  %br = ncnn.reshape %b {name = "br", w = 2, h = 3, c = 2} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<1x3x2xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[7.0, 8.0], [9.0, 1.0], [2.0, 3.0]]]> : tensor<1x3x2xf32>
  %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %as = ncnn.binaryop %ar, %cos {name = "as", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %bc = ncnn.binaryop %br, %sin {name = "bc", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, d = 3, c = 2} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %de = ncnn.expanddims %d {name = "de", axes = [3]} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
  %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// The second sum is of the other features.
func.func @parts(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 2, d = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
  %ar = ncnn.squeeze %a {name = "ar", axes = [3]} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
  %br = ncnn.reshape %b {name = "br", w = 2, h = 3, c = 2} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<1x3x2xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[7.0, 8.0], [9.0, 1.0], [2.0, 3.0]]]> : tensor<1x3x2xf32>
  %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %as = ncnn.binaryop %br, %sin {name = "as", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %bc = ncnn.binaryop %ar, %cos {name = "bc", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, d = 3, c = 2} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %de = ncnn.expanddims %d {name = "de", axes = [3]} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
  %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// A table of one row for all steps.
func.func @row(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 2, d = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
  %ar = ncnn.squeeze %a {name = "ar", axes = [3]} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
  %br = ncnn.reshape %b {name = "br", w = 2, h = 3, c = 2} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[7.0, 8.0], [9.0, 1.0], [2.0, 3.0]]]> : tensor<1x3x2xf32>
  %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x1x2xf32>) -> tensor<2x3x2xf32>
  %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %as = ncnn.binaryop %ar, %sin {name = "as", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %bc = ncnn.binaryop %br, %cos {name = "bc", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x1x2xf32>) -> tensor<2x3x2xf32>
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, d = 3, c = 2} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %de = ncnn.expanddims %d {name = "de", axes = [3]} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
  %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Another feature mask.
func.func @features(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
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
  %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub, featmask = 1} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, d = 3, c = 2} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %de = ncnn.expanddims %d {name = "de", axes = [3]} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
  %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
  %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// An unknown parameter.
func.func @extra(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 2, d = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3, extra = {"9" = 1 : i32}} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
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

// A product is an output.
func.func @output(%in: tensor<*xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x2xf32>) {
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
  func.return %y, %as : tensor<2x3x4xf32>, tensor<2x3x2xf32>
}

// The Concat is along the pairs: halves, not neighbours.
func.func @rows(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
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
  %j = ncnn.concat %ce, %de {name = "j", axis = 2} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x4x1xf32>
  %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x4x1xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}
