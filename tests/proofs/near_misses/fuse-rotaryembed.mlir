// Needs `_negated(minus, shapes) != cut.outputs[1]` or `all((user in self.layers or is_trivially_dead(user) for user in users))`
// for-release-rotary one_table: a Softmax between.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @rotations_1(%in: tensor<16xf32>, %fi: tensor<4xf32>, %gi: tensor<4xf32>) -> tensor<2x2x4xf32> {
    %f = ncnn.reshape %fi {name = "f", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
    %g = ncnn.reshape %gi {name = "g", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
    %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
    %0 = ncnn.softmax %b {name = "new318071", fixbug0 = 1} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %n = ncnn.unaryop %0 {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
    %e = ncnn.concat %f, %f {name = "e", axis = 2} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
    %d = ncnn.concat %f, %g {name = "d", axis = 2} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
    %cos = ncnn.unaryop %e {name = "cos", op_type = cos} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %sin = ncnn.unaryop %d {name = "sin", op_type = sin} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
    %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
    %y = ncnn.binaryop %p, %q {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    func.return %y : tensor<2x2x4xf32>
  }
}

// -----

// Needs `factors_of(op) != (1.0, 1.0)` or `is_sum(op)`
// for-release-rotary two_angles: op_type = 6; a Split between.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FormRotaryEmbed_1(%in: tensor<16xf32>, %fi: tensor<4xf32>, %gi: tensor<4xf32>) -> tensor<2x2x4xf32> {
    %f = ncnn.reshape %fi {name = "f", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
    %g = ncnn.reshape %gi {name = "g", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
    %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
    %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
    %e = ncnn.concat %f, %g {name = "e", axis = 2} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
    %cos = ncnn.unaryop %e {name = "cos", op_type = cos} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %sin = ncnn.unaryop %e {name = "sin", op_type = sin} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %0, %1 = ncnn.split %x {name = "new39928", blobs = ["new39928_0", "new39928_1"]} : (tensor<2x2x4xf32>) -> (tensor<2x2x4xf32>, tensor<2x2x4xf32>)
    %p = ncnn.binaryop %0, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
    %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
    %y = ncnn.binaryop %p, %q {name = "y", op_type = pow} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    func.return %y : tensor<2x2x4xf32>
  }
}

// -----

// Needs `shapes.same(*cut.outputs)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @halves_1(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
    %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
    %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x1xf32>, tensor<2x2x3xf32>)
    %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
    %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x3xf32>, tensor<2x2x1xf32>) -> tensor<2x2x4xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x4xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x4xf32>
    %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
    %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    func.return %y : tensor<2x2x4xf32>
  }
}

// -----

// Needs `positive_axis(axis, rank) == 2`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @is_last_1(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
    %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
    %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 1} : (tensor<2x2x4xf32>) -> (tensor<2x1x4xf32>, tensor<2x1x4xf32>)
    %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
    %j = ncnn.concat %n, %a {name = "j", axis = 1} : (tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> tensor<2x2x4xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x4xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x4xf32>
    %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
    %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    func.return %y : tensor<2x2x4xf32>
  }
}

// -----

// Needs `not _is_last(concat, concat.axis, shapes)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @rotations_2(%in: tensor<2x2xf32>) -> tensor<2x2x2xf32> {
    %r = ncnn.reshape %in {name = "r", w = 2, h = 2, c = 1} : (tensor<2x2xf32>) -> tensor<1x2x2xf32>
    %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<1x2x2xf32>) -> tensor<2x1x2xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x1x2xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>)
    %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    %j = ncnn.concat %n, %a {name = "j", axis = 1} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x2x1xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x1x2xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x1x2xf32>
    %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
    %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x1x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x2xf32>
    %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x2xf32>, tensor<2x1x2xf32>) -> tensor<2x2x2xf32>
    func.return %y : tensor<2x2x2xf32>
  }
}

// -----

// Needs `factors_of(second) != (1.0, 1.0)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FormRotaryEmbedOfParts_1(%in: tensor<2x4xf32>) -> tensor<2x2x2xf32> {
    %r = ncnn.reshape %in {name = "r", w = 2, h = 2, c = 2} : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
    %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = -1} : (tensor<2x2x2xf32>) -> (tensor<2x2x1xf32>, tensor<2x2x1xf32>)
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x1xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x1xf32>
    %ac = ncnn.binaryop %a, %cos {name = "ac", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
    %bs = ncnn.binaryop %b, %sin {name = "bs", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
    %as = ncnn.binaryop %a, %sin {name = "as", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
    %bc = ncnn.binaryop %b, %cos {name = "bc", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
    %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
    %d = ncnn.binaryop %as, %bc {name = "d", op_type = sub} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
    %y = ncnn.concat %c, %d {name = "y", axis = 2} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x2xf32>
    func.return %y : tensor<2x2x2xf32>
  }
}

// -----

// Needs `not _is_last(op, op.axis, shapes)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FormRotaryEmbedOfParts_2(%in: tensor<2x4xf32>) -> tensor<2x2x2xf32> {
    %r = ncnn.reshape %in {name = "r", w = 2, h = 2, c = 2} : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
    %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = -1} : (tensor<2x2x2xf32>) -> (tensor<2x2x1xf32>, tensor<2x2x1xf32>)
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x1xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x1xf32>
    %ac = ncnn.binaryop %a, %cos {name = "ac", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
    %bs = ncnn.binaryop %b, %sin {name = "bs", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
    %as = ncnn.binaryop %a, %sin {name = "as", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
    %bc = ncnn.binaryop %b, %cos {name = "bc", op_type = mul} : (tensor<2x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
    %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
    %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
    %y0 = ncnn.concat %c, %d {name = "y0", axis = 1} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<*xf32>
    %y = ncnn.reshape %y0 {name = "y", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
    func.return %y : tensor<2x2x2xf32>
  }
}

// -----

// Needs `value == b`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @rotation_of_parts_1(%in: tensor<1x4xf32>) -> tensor<1x2x2xf32> {
    %r = ncnn.reshape %in {name = "r", w = 2, h = 2, c = 1} : (tensor<1x4xf32>) -> tensor<1x2x2xf32>
    %x = ncnn.permute %r {name = "x"} : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = -1} : (tensor<1x2x2xf32>) -> (tensor<1x2x1xf32>, tensor<1x2x1xf32>)
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x1xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x1xf32>
    %ac = ncnn.binaryop %a, %cos {name = "ac", op_type = mul} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %bs = ncnn.binaryop %b, %sin {name = "bs", op_type = mul} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %as = ncnn.binaryop %a, %b {name = "as", op_type = mul} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %bc = ncnn.binaryop %b, %cos {name = "bc", op_type = mul} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %y = ncnn.concat %c, %d {name = "y", axis = 2} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x2xf32>
    func.return %y : tensor<1x2x2xf32>
  }
}

// -----

// Needs `whole[3] != 2`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @Pairs__is_cut_1(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
    %x = ncnn.reshape %in {name = "x", w = 3, h = 2, c = 2, d = 3} : (tensor<*xf32>) -> tensor<2x3x2x3xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [1, 1], axis = 3} : (tensor<2x3x2x3xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
    %ar = ncnn.squeeze %a {name = "ar", axes = [3]} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
    %br = ncnn.reshape %b {name = "br", w = 2, h = 3, c = 2} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x3x2xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x3x2xf32>
    %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
    %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %as = ncnn.binaryop %ar, %sin {name = "as", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
    %bc = ncnn.binaryop %br, %cos {name = "bc", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
    %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, c = 2, d = 3} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
    %de = ncnn.expanddims %d {name = "de", axes = [3]} : (tensor<2x3x2xf32>) -> tensor<2x3x2x1xf32>
    %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
    %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
    func.return %y : tensor<2x3x4xf32>
  }
}

// -----

// Needs `any(((shapes.of(value) or (None,))[-1] != 1 for value in op.inputs))`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FormRotaryEmbedOfPairs_1(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 2, c = 2, d = 3} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
    %ar = ncnn.squeeze %a {name = "ar", axes = [3]} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
    %br = ncnn.reshape %b {name = "br", w = 2, h = 3, c = 2} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x3x2xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x3x2xf32>
    %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
    %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %as = ncnn.binaryop %ar, %sin {name = "as", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
    %bc = ncnn.binaryop %br, %cos {name = "bc", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
    %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %ce = ncnn.reshape %c {name = "ce", w = 2, h = 1, c = 2, d = 3} : (tensor<2x3x2xf32>) -> tensor<2x3x1x2xf32>
    %de = ncnn.reshape %d {name = "de", w = 2, h = 1, c = 2, d = 3} : (tensor<2x3x2xf32>) -> tensor<2x3x1x2xf32>
    %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x1x2xf32>, tensor<2x3x1x2xf32>) -> tensor<*xf32>
    %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x4xf32>
    func.return %y : tensor<2x3x4xf32>
  }
}

// -----

// Needs `(shapes.of(value) or (None,))[-1] != 1`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @FormRotaryEmbedOfPairs_2(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 2, c = 2, d = 3} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
    %ar = ncnn.squeeze %a {name = "ar", axes = [3]} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
    %br = ncnn.reshape %b {name = "br", w = 2, h = 3, c = 2} : (tensor<2x3x2x1xf32>) -> tensor<2x3x2xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x3x2xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x3x2xf32>
    %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
    %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %as = ncnn.binaryop %ar, %sin {name = "as", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
    %bc = ncnn.binaryop %br, %cos {name = "bc", op_type = mul} : (tensor<2x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
    %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %ce = ncnn.reshape %c {name = "ce", w = 2, h = 1, c = 2, d = 3} : (tensor<2x3x2xf32>) -> tensor<2x3x1x2xf32>
    %de = ncnn.reshape %d {name = "de", w = 2, h = 1, c = 2, d = 3} : (tensor<2x3x2xf32>) -> tensor<2x3x1x2xf32>
    %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x1x2xf32>, tensor<2x3x1x2xf32>) -> tensor<*xf32>
    %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x4xf32>
    func.return %y : tensor<2x3x4xf32>
  }
}

// -----

// Needs `not _is_last(cut, cut.axis, shapes)` or `not _is_last(concat, concat.axis, shapes)`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @halves_2(%in: tensor<2x8xf32>) -> tensor<2x2x4xf32> {
    %r = ncnn.reshape %in {name = "r", w = 4, h = 2, c = 2} : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
    %x = ncnn.permute %r {name = "x", order_type = 2} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 1} : (tensor<2x2x4xf32>) -> (tensor<2x1x4xf32>, tensor<2x1x4xf32>)
    %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
    %j = ncnn.concat %n, %a {name = "j", axis = 1} : (tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> tensor<2x2x4xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x4xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x4xf32>
    %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
    %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    func.return %y : tensor<2x2x4xf32>
  }
}

// -----

// Needs `any((provably_equal(shape, each) for each in wanted))` or `not any((provably_equal(part, each) for each in (pairs, (*pairs, 1))))`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @pairs_of_1(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 2, c = 2, d = 3} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
    %ar = ncnn.reshape %a {name = "ar", w = 2, h = 2, c = 3} : (tensor<2x3x2x1xf32>) -> tensor<3x2x2xf32>
    %br = ncnn.reshape %b {name = "br", w = 2, h = 2, c = 3} : (tensor<2x3x2x1xf32>) -> tensor<3x2x2xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x2xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x2xf32>
    %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<3x2x2xf32>, tensor<1x2x2xf32>) -> tensor<3x2x2xf32>
    %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
    %as = ncnn.binaryop %ar, %sin {name = "as", op_type = mul} : (tensor<3x2x2xf32>, tensor<1x2x2xf32>) -> tensor<3x2x2xf32>
    %bc = ncnn.binaryop %br, %cos {name = "bc", op_type = mul} : (tensor<3x2x2xf32>, tensor<1x2x2xf32>) -> tensor<3x2x2xf32>
    %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
    %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
    %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, c = 2, d = 3} : (tensor<3x2x2xf32>) -> tensor<2x3x2x1xf32>
    %de = ncnn.reshape %d {name = "de", w = 1, h = 2, c = 2, d = 3} : (tensor<3x2x2xf32>) -> tensor<2x3x2x1xf32>
    %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
    %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
    func.return %y : tensor<2x3x4xf32>
  }
}

// -----

// Needs `not any((provably_equal(part, each) for each in (pairs, (*pairs, 1))))` or `any((provably_equal(shape, each) for each in wanted))`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @are_tables_1(%in: tensor<*xf32>) -> tensor<2x3x4xf32> {
    %x = ncnn.reshape %in {name = "x", w = 2, h = 2, c = 2, d = 3} : (tensor<*xf32>) -> tensor<2x3x2x2xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [1, -233], axis = 3} : (tensor<2x3x2x2xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>)
    %ar = ncnn.reshape %a {name = "ar", w = 2, h = 2, c = 3} : (tensor<2x3x2x1xf32>) -> tensor<3x2x2xf32>
    %br = ncnn.reshape %b {name = "br", w = 2, h = 2, c = 3} : (tensor<2x3x2x1xf32>) -> tensor<3x2x2xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x2xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x2xf32>
    %ac = ncnn.binaryop %ar, %cos {name = "ac", op_type = mul} : (tensor<3x2x2xf32>, tensor<1x2x2xf32>) -> tensor<3x2x2xf32>
    %bs = ncnn.binaryop %sin, %br {name = "bs", op_type = mul} : (tensor<1x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
    %as = ncnn.binaryop %ar, %sin {name = "as", op_type = mul} : (tensor<3x2x2xf32>, tensor<1x2x2xf32>) -> tensor<3x2x2xf32>
    %bc = ncnn.binaryop %br, %cos {name = "bc", op_type = mul} : (tensor<3x2x2xf32>, tensor<1x2x2xf32>) -> tensor<3x2x2xf32>
    %c = ncnn.binaryop %ac, %bs {name = "c", op_type = sub} : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
    %d = ncnn.binaryop %as, %bc {name = "d", op_type = add} : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
    %ce = ncnn.reshape %c {name = "ce", w = 1, h = 2, c = 2, d = 3} : (tensor<3x2x2xf32>) -> tensor<2x3x2x1xf32>
    %de = ncnn.reshape %d {name = "de", w = 1, h = 2, c = 2, d = 3} : (tensor<3x2x2xf32>) -> tensor<2x3x2x1xf32>
    %j = ncnn.concat %ce, %de {name = "j", axis = 3} : (tensor<2x3x2x1xf32>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x2xf32>
    %y = ncnn.reshape %j {name = "y", w = 4, h = 3, c = 2} : (tensor<2x3x2x2xf32>) -> tensor<2x3x4xf32>
    func.return %y : tensor<2x3x4xf32>
  }
}

// -----

// Needs `rank == 3` or `len(shape) != 3`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @is_last_2(%in: tensor<*xf32>) -> tensor<2x2x4x1xf32> {
    %x = ncnn.reshape %in {name = "x", w = 1, h = 4, c = 2, d = 2} : (tensor<*xf32>) -> tensor<2x2x4x1xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4x1xf32>) -> (tensor<2x2x2x1xf32>, tensor<2x2x2x1xf32>)
    %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
    %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2x1xf32>, tensor<2x2x2x1xf32>) -> tensor<2x2x4x1xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x4xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x4xf32>
    %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4x1xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4x1xf32>
    %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4x1xf32>) -> tensor<2x2x4x1xf32>
    %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4x1xf32>, tensor<2x2x4x1xf32>) -> tensor<2x2x4x1xf32>
    func.return %y : tensor<2x2x4x1xf32>
  }
}

// -----

// Needs `len(shape) != 3` or `rank == 3`
// Written for this condition.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @tables_1(%in: tensor<*xf32>) -> tensor<2x2x4x1xf32> {
    %x = ncnn.reshape %in {name = "x", w = 1, h = 4, c = 2, d = 2} : (tensor<*xf32>) -> tensor<2x2x4x1xf32>
    %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4x1xf32>) -> (tensor<2x2x2x1xf32>, tensor<2x2x2x1xf32>)
    %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
    %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2x1xf32>, tensor<2x2x2x1xf32>) -> tensor<2x2x4x1xf32>
    %cos = ncnn.constant {name = "cos"} #ncnn.elided : tensor<1x2x4xf32>
    %sin = ncnn.constant {name = "sin"} #ncnn.elided : tensor<1x2x4xf32>
    %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4x1xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4x1xf32>
    %q = ncnn.binaryop %sin, %j {name = "q", op_type = mul} : (tensor<1x2x4xf32>, tensor<2x2x4x1xf32>) -> tensor<2x2x4x1xf32>
    %y = ncnn.binaryop %q, %p {name = "y", op_type = add} : (tensor<2x2x4x1xf32>, tensor<2x2x4x1xf32>) -> tensor<2x2x4x1xf32>
    func.return %y : tensor<2x2x4x1xf32>
  }
}
