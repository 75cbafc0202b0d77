// RUN: INVALID

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Reshape 'reshape': an output cannot have 0 dims
%y = ncnn.reshape %x {name = "reshape"} : (tensor<8x4x6xf32>) -> tensor<192xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Reshape 'reshape': shape_expr '*(0w,0h' is not an expression
%y = ncnn.reshape %x {name = "reshape", shape_expr = "*(0w,0h"} : (tensor<8x4x6xf32>) -> tensor<?xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Reshape 'reshape': an output cannot have 5 dims
%y = ncnn.reshape %x {name = "reshape", shape_expr = "0w,0h,0c,1,1"} : (tensor<8x4x6xf32>) -> tensor<*xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Squeeze 'squeeze': 5 axes, but a blob has at most 4
%y = ncnn.squeeze %x {name = "squeeze", axes = [0, 1, 2, 3, 0]} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: ExpandDims 'expand': no blob has an axis -5
%y = ncnn.expanddims %x {name = "expand", axes = [-5]} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Permute 'permute': order_type is 24, greater than 23
%y = ncnn.permute %x {name = "permute", order_type = 24} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Crop 'crop': 2 starts, but 1 ends
%y = ncnn.crop %x {name = "crop", starts = [1, 2], ends = [3], axes = [0, 1]} : (tensor<8x4x6xf32>) -> tensor<*xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Crop 'crop': 2 starts along 1 axes
%y = ncnn.crop %x {name = "crop", starts = [1, 2], ends = [3, 4], axes = [0]} : (tensor<8x4x6xf32>) -> tensor<*xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: invalid_reshaping.mlir:[[# @LINE + 2]]:44
// CHECK: Expected integer literal or one of constant, replicate, reflect
%y = ncnn.padding %x {name = "pad", type = circular} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Padding 'pad': type is 3, greater than 2
%y = ncnn.padding %x {name = "pad", type = 3} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: CopyTo 'copyto': 1 inputs, but the layer has 2
%y = ncnn.copyto %x {name = "copyto"} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: invalid_reshaping.mlir:[[# @LINE + 2]]:43
// CHECK: Expected integer literal
%y = ncnn.flip %x {name = "flip", axes = [2.0]} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

// The runtime infers each of two extents from the other one, which is -1.
%x = "test.op"() : () -> tensor<6x4xf32>
// CHECK: Reshape 'reshape': w and h are -1, but only one extent can be inferred; give all others as numbers, or as 0 to copy the input's extent
%y = ncnn.reshape %x {name = "reshape", w = -1, h = -1, c = 2} : (tensor<6x4xf32>) -> tensor<2x?x?xf32>

// -----

%x = "test.op"() : () -> tensor<6x4xf32>
// CHECK: Reshape 'reshape': w and c are -1, but only one extent can be inferred
%y = ncnn.reshape %x {name = "reshape", shape_expr = "-1,0h,-1"} : (tensor<6x4xf32>) -> tensor<?x?x?xf32>
