// RUN: INVALID

// What the assembly format needs.
%x = "test.op"() : () -> tensor<4x6x7xf32>
// CHECK: invalid.mlir:[[# @LINE + 2]]:20
// CHECK: Expected 'weight'
%y = fused.conv %x {name = "conv"} : (tensor<4x6x7xf32>) -> tensor<8x6x7xf32>

// -----

%x = "test.op"() : () -> tensor<4x6x7xf32>
// CHECK: invalid.mlir:[[# @LINE + 2]]:17
// CHECK: Expected `max`, or `avg`.
%y = fused.pool min %x {name = "pool"} : (tensor<4x6x7xf32>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<4xf32>
// CHECK: Duplicate key 'name' in dictionary attribute
%y = fused.pool max %x {name = "pool", name = "pool"} : (tensor<4xf32>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<4xf32>
// CHECK: fused.elementwise needs an epilogue here
%y = fused.elementwise residuals(%x) : (tensor<4xf32>) -> tensor<4xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>)
// CHECK: fused.conv has 1 result, got 2
%y, %z = fused.conv %x weight %w : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> (tensor<8x4x5xf32>, tensor<8x4x5xf32>)

// -----

%x = "test.op"() : () -> tensor<4xf32>
// CHECK: 'residual_axes' is not allowed in braces
%y = fused.elementwise %x {residual_axes = []} : (tensor<4xf32>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<4x6x7xf32>
// CHECK: invalid.mlir:[[# @LINE + 2]]:52
// CHECK: 'strides' is not allowed in braces
%y = fused.pool max %x global {strides = [2, 2]} : (tensor<4x6x7xf32>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<4xf32>
// CHECK: 1 operands, but 2 types
%y = fused.elementwise %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

// -----

// Shapes.
%x, %w = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>)
// CHECK: fused.conv 'conv': the result is tensor<8x6x7xf32>, but 8x4x5 follows from the operands
%y = fused.conv %x weight %w {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x3x3x3xf32>)
// CHECK: fused.conv 'conv': the input has 4 channels, but the weight needs 3 x 1
%y = fused.conv %x weight %w {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x3x3x3xf32>) -> tensor<8x4x5xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<6x6x7xf32>, tensor<8x2x3x3xf32>)
// CHECK: fused.conv 'conv': 3 groups do not divide 8 output channels
%y = fused.conv %x weight %w groups 3 {name = "conv"} : (tensor<6x6x7xf32>, tensor<8x2x3x3xf32>) -> tensor<8x4x5xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x4x3xf32>)
// CHECK: fused.conv 'conv': tensor<8x4x3xf32> cannot be an operand of a convolution along 2 axes
%y = fused.conv %x weight %w {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3xf32>) -> tensor<8x4x5xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>)
// CHECK: fused.conv 'conv': strides has 3 numbers, not 2
%y = fused.conv %x weight %w strides [2, 2, 2] {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x2x3xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>)
// CHECK: fused.conv 'conv': pads has 2 numbers, not 4
%y = fused.conv %x weight %w pads [1, 1] {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>)
// CHECK: fused.conv 'conv': pads: -1 is less than 0
%y = fused.conv %x weight %w pads [1, 1, -1, 1] {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x5xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>)
// CHECK: fused.conv_transpose 'conv': the result is tensor<8x8x9xf32>, but 8x13x15 follows from the operands
%y = fused.conv_transpose %x weight %w strides [2, 2] {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x8x9xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<4x6xf32>, tensor<8x4xf32>)
// CHECK: fused.linear 'fc': tensor<4x6xf32> does not have rows of 4 elements
%y = fused.linear %x weight %w {name = "fc"} : (tensor<4x6xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<2x3x4xf32>, tensor<8x25xf32>)
// CHECK: fused.linear 'fc': tensor<2x3x4xf32> does not have 25 elements
%y = fused.linear %x weight %w {name = "fc"} : (tensor<2x3x4xf32>, tensor<8x25xf32>) -> tensor<8xf32>

// -----

%x, %w, %b = "test.op"() : () -> (tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>)
// CHECK: fused.linear 'fc': the bias is tensor<4xf32>, but there are 8 output channels
%y = fused.linear %x weight %w bias %b {name = "fc"} : (tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<4x6x7xf32>
// CHECK: fused.elementwise: the result is tensor<4x6x8xf32>, but 4x6x7 follows from the operands
%y = fused.elementwise %x : (tensor<4x6x7xf32>) -> tensor<4x6x8xf32>

// -----

%x, %r = "test.op"() : () -> (tensor<4x1xf32>, tensor<1x7xf32>)
// CHECK: fused.elementwise: the result is tensor<4x8xf32>, but 4x7 follows from the operands
%y = fused.elementwise residuals(%x, %r) : (tensor<4x1xf32>, tensor<1x7xf32>) -> tensor<4x8xf32> epilogue(%a: f32, %b: f32) {
  %0 = arith.addf %a, %b : f32
  fused.yield %0 : f32
}

// -----

%x = "test.op"() : () -> tensor<4x6x7xf32>
// CHECK: fused.pool 'pool': the kernel is missing
%y = fused.pool max %x {name = "pool"} : (tensor<4x6x7xf32>) -> tensor<4x5x6xf32>

// -----

%x = "test.op"() : () -> tensor<4x6x7xf32>
// CHECK: fused.pool 'pool': kernel has no effect here; remove it
%y = fused.pool max %x kernel [2, 2] global {name = "pool"} : (tensor<4x6x7xf32>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<4x6x7xf32>
// CHECK: fused.pool 'pool': global and adaptive exclude each other
%y = fused.pool max %x global adaptive {name = "pool"} : (tensor<4x6x7xf32>) -> tensor<4xf32>

// -----

%x = "test.op"() : () -> tensor<4x6x7xi8>
// CHECK: fused.pool 'pool': avg needs floats, not i8
%y = fused.pool avg %x global {name = "pool"} : (tensor<4x6x7xi8>) -> tensor<4xi8>

// -----

// Elements.
%x, %w = "test.op"() : () -> (tensor<4xi8>, tensor<8x4xf32>)
// CHECK: fused.linear 'fc': cannot multiply i8 and f32
%y = fused.linear %x weight %w {name = "fc"} : (tensor<4xi8>, tensor<8x4xf32>) -> tensor<8xf32>

// -----

%x, %w = "test.op"() : () -> (tensor<4xi8>, tensor<8x4xi8>)
// CHECK: fused.linear 'fc': argument 0 of the epilogue is f32, not i32
%y = fused.linear %x weight %w {name = "fc"} : (tensor<4xi8>, tensor<8x4xi8>) -> tensor<8xf32> epilogue(%acc: f32) {
  fused.yield %acc : f32
}

// -----

%x, %w, %b = "test.op"() : () -> (tensor<4xi8>, tensor<8x4xi8>, tensor<8xf32>)
// CHECK: fused.linear 'fc': a bias of f32 cannot be added to sums of i32
%y = fused.linear %x weight %w bias %b {name = "fc"} : (tensor<4xi8>, tensor<8x4xi8>, tensor<8xf32>) -> tensor<8xi32>

// -----

%x, %w = "test.op"() : () -> (tensor<4xi8>, tensor<8x4xi8>)
// CHECK: fused.linear 'fc': the epilogue yields i32, the result has f32
%y = fused.linear %x weight %w {name = "fc"} : (tensor<4xi8>, tensor<8x4xi8>) -> tensor<8xf32>

// -----

// Residuals.
%x, %r = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<7xf32>)
// CHECK: fused.elementwise: residual 0 (tensor<7xf32>) does not broadcast to the result (tensor<4x6x7xf32>): 7 along axis 0, not 1 or 4
%y = fused.elementwise %x residuals(%r) : (tensor<4x6x7xf32>, tensor<7xf32>) -> tensor<4x6x7xf32> epilogue(%a: f32, %b: f32) {
  fused.yield %a : f32
}

// -----

%x, %r = "test.op"() : () -> (tensor<4x6xf32>, tensor<4x6x7xf32>)
// CHECK: fused.elementwise: residual 0 (tensor<4x6x7xf32>) has more axes than the result (tensor<4x6xf32>)
%y = fused.elementwise %x residuals(%r) : (tensor<4x6xf32>, tensor<4x6x7xf32>) -> tensor<4x6xf32> epilogue(%a: f32, %b: f32) {
  fused.yield %a : f32
}

// -----

%x, %r = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<6x7xf32>)
// CHECK: fused.elementwise: residual 0 (tensor<6x7xf32>) has 2 axes, 1 are given
%y = fused.elementwise %x residuals(%r at [1]) : (tensor<4x6x7xf32>, tensor<6x7xf32>) -> tensor<4x6x7xf32> epilogue(%a: f32, %b: f32) {
  fused.yield %a : f32
}

// -----

%x, %r = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<6x4xf32>)
// CHECK: fused.elementwise: residual 0 (tensor<6x4xf32>) at [1, 0]
%y = fused.elementwise %x residuals(%r at [1, 0]) : (tensor<4x6x7xf32>, tensor<6x4xf32>) -> tensor<4x6x7xf32> epilogue(%a: f32, %b: f32) {
  fused.yield %a : f32
}

// -----

// The epilogue.
%x, %r = "test.op"() : () -> (tensor<4xf32>, tensor<4xf32>)
// CHECK: fused.elementwise: the epilogue has 1 arguments, not 2
%y = fused.elementwise %x residuals(%r) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32) {
  fused.yield %a : f32
}

// -----

%x, %r = "test.op"() : () -> (tensor<4xf32>, tensor<4xi8>)
// CHECK: fused.elementwise: argument 1 of the epilogue is f32, not i8
%y = fused.elementwise %x residuals(%r) : (tensor<4xf32>, tensor<4xi8>) -> tensor<4xf32> epilogue(%a: f32, %b: f32) {
  fused.yield %a : f32
}

// -----

%x = "test.op"() : () -> tensor<4xf32>
// CHECK: fused.elementwise: 'test.op' in the epilogue is not a scalar operation of arith or math
%y = fused.elementwise %x : (tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32) {
  %0 = "test.op"(%a) : (f32) -> f32
  fused.yield %0 : f32
}

// -----

%x = "test.op"() : () -> tensor<4xi32>
// CHECK: fused.elementwise: 'arith.addui_extended' in the epilogue is not a scalar operation of arith or math
%y = fused.elementwise %x : (tensor<4xi32>) -> tensor<4xi32> epilogue(%a: i32) {
  %0, %1 = arith.addui_extended %a, %a : i32, i1
  fused.yield %0 : i32
}

// -----

%x = "test.op"() : () -> tensor<4xf32>
// CHECK: Operation math.tanh terminates block in single-block region but is not a terminator
%y = fused.elementwise %x : (tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32) {
  %0 = math.tanh %a : f32
}

// -----

// An epilogue sees nothing but its arguments.
%x, %s = "test.op"() : () -> (tensor<4xf32>, f32)
// CHECK: Operation using value defined out of its IsolatedFromAbove parent
%y = fused.elementwise %x : (tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32) {
  %0 = arith.addf %a, %s : f32
  fused.yield %0 : f32
}
