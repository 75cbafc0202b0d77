// RUN: INVALID

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Reduction 'sum': the axes use the old convention; fixbug0 must be 1
%y = ncnn.reduction %x {name = "sum", reduce_all = 0, axes = [1]} : (tensor<8x4x6xf32>) -> tensor<8x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Reduction 'sum': no blob has an axis 4
%y = ncnn.reduction %x {name = "sum", reduce_all = 0, axes = [4], fixbug0 = 1} : (tensor<8x4x6xf32>) -> tensor<8x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: invalid_reduction.mlir:[[# @LINE + 2]]:51
// CHECK: Expected integer literal or one of sum, asum, sumsq, mean, max, min, prod, l1, l2, logsum, logsumexp
%y = ncnn.reduction %x {name = "sum", operation = median} : (tensor<8x4x6xf32>) -> tensor<1xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Reduction 'sum': operation is 11, greater than 10
%y = ncnn.reduction %x {name = "sum", operation = 11} : (tensor<8x4x6xf32>) -> tensor<1xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: invalid_reduction.mlir:[[# @LINE + 2]]:46
// CHECK: '[' expected
%y = ncnn.reduction %x {name = "sum", axes = 1, fixbug0 = 1} : (tensor<8x4x6xf32>) -> tensor<8x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Softmax 'prob': the axis uses the old convention; fixbug0 must be 1
%y = ncnn.softmax %x {name = "prob", axis = 1} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: invalid_reduction.mlir:[[# @LINE + 2]]:45
// CHECK: ncnn.argmax has 1 input, got 2
%y = ncnn.argmax %x, %x {name = "argmax"} : (tensor<8x4x6xf32>, tensor<8x4x6xf32>) -> tensor<1x1xf32>

// -----

// "ab->c": the output has an index that the input has not, and indices begin with i.
%x = "test.op"() : () -> tensor<4x6xf32>
// CHECK: Einsum 'einsum': the runtime does not support the equation 'ab->c'
%y = ncnn.einsum %x {name = "einsum", equation = [97, 98, 45, 62, 99]} : (tensor<4x6xf32>) -> tensor<4xf32>
