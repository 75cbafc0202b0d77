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
