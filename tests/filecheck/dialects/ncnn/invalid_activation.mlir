// RUN: INVALID

// Declared parameters: the wrong kind of value, a word that does not exist, too large, given twice.
%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:43
// CHECK: integer or float literal expected
%y = ncnn.relu %x {name = "relu", slope = "steep"} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:46
// CHECK: Expected integer literal or one of abs, neg, floor, ceil, square, sqrt, rsqrt, exp, log, sin, cos, tan, asin, acos, atan, reciprocal, tanh, log10, round, trunc, sign, expm1, sinh, asinh, cosh, acosh, atanh, log1p
%y = ncnn.unaryop %x {name = "op", op_type = cube} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: UnaryOp 'op': op_type is 28, greater than 27
%y = ncnn.unaryop %x {name = "op", op_type = 28} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:47
// CHECK: 2147483648 does not fit an int32 parameter
%y = ncnn.gelu %x {name = "gelu", fast_gelu = 2147483648} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:47
// CHECK: Expected integer literal
%y = ncnn.gelu %x {name = "gelu", fast_gelu = 1.0} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:47
// CHECK: Expected integer literal
%y = ncnn.gelu %x {name = "gelu", fast_gelu = true} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:57
// CHECK: 'min' is given twice
%y = ncnn.clip %x {name = "clip", min = 0.0, max = 6.0, min = 1.0} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:35
// CHECK: 'name' is given twice
%y = ncnn.clip %x {name = "clip", name = "clip2"} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: 3 : i32 should be of base attribute string
%y = ncnn.relu %x {name = 3 : i32} : (tensor<8xf32>) -> tensor<8xf32>

// -----

// The generic form has typed attributes: they are checked, too.
%x = "test.op"() : () -> tensor<8xf32>
// CHECK: expected a parameter of kind 'float', got 1 : i32
%y = "ncnn.relu"(%x) <{name = "relu", slope = 1 : i32}> : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: expected a parameter of kind 'float', got 1.000000e+00 : f64
%y = "ncnn.relu"(%x) <{name = "relu", slope = 1.0 : f64}> : (tensor<8xf32>) -> tensor<8xf32>

// -----

// How many inputs, outputs and names there are.
%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:41
// CHECK: ncnn.relu has 1 input, got 2
%y = ncnn.relu %x, %x {name = "relu"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>

// -----

// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:34
// CHECK: ncnn.relu has 1 input, got 0
%y = ncnn.relu {name = "relu"} : () -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: Expected 1 result, but got 2
%y, %z = ncnn.relu %x {name = "relu"} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: ReLU 'relu': 2 blob names for 1 blobs
%y = ncnn.relu %x {name = "relu", blobs = ["a", "b"]} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> i32
// CHECK: operand 'input' at position 0 does not verify:
// CHECK: expected a tensor (an ncnn blob), got i32
%y = ncnn.relu %x {name = "relu"} : (i32) -> tensor<8xf32>

// -----

// A weight that is there and does not fit, and one that is not there.
%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:39
// CHECK: ncnn.prelu needs the weight 'slope'
%y = ncnn.prelu %x {name = "prelu"} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
%s = ncnn.constant #ncnn.elided : tensor<4x2xf32>
// CHECK: PReLU 'prelu': weight 'slope' has shape 4x2, but the parameters need 8
%y = ncnn.prelu %x slope %s {name = "prelu"} : (tensor<8xf32>, tensor<4x2xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_activation.mlir:[[# @LINE + 2]]:19
// CHECK: Expected ':'
%y = ncnn.relu %x slope %x {name = "relu"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
