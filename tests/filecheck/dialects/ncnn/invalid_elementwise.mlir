// RUN: INVALID

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: BinaryOp 'add': a single input needs with_scalar
%y = ncnn.binaryop %x {name = "add", op_type = add} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: BinaryOp 'add': with_scalar excludes a second input
%y = ncnn.binaryop %x, %x {name = "add", with_scalar = 1, b = 2.0} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: BinaryOp 'add': 3 inputs, but the layer has 1 to 2
%y = ncnn.binaryop %x, %x, %x {name = "add"} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: invalid_elementwise.mlir:[[# @LINE + 2]]:52
// CHECK: Expected integer literal or one of add, sub, mul, div, max, min, pow, rsub, rdiv, rpow, atan2, ratan2, fmod, rfmod, logaddexp, floor_divide, rfloor_divide, remainder, rremainder
%y = ncnn.binaryop %x, %x {name = "add", op_type = plus} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: BinaryOp 'add': op_type is -1, less than 0
%y = ncnn.binaryop %x, %x {name = "add", op_type = -1} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: Eltwise 'sum': 1 inputs, but the layer has at least 2
%y = ncnn.eltwise %x {name = "sum", op_type = sum} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: Eltwise 'sum': op_type is 3, greater than 2
%y = ncnn.eltwise %x, %x {name = "sum", op_type = 3} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: invalid_elementwise.mlir:[[# @LINE + 2]]:61
// CHECK: attribute expected
%y = ncnn.power %x {name = "power", power = 1.0, exponent = } : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
