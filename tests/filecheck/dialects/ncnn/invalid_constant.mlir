// RUN: INVALID

// A slice of a file: the file is not there, ends too soon, or is no file.
// CHECK: invalid_constant.mlir:[[# @LINE + 2]]:50
// CHECK: cannot open weight file 'absent.bin': No such file or directory
%w = ncnn.constant #ncnn.weight<"absent.bin", 0> : tensor<4xf32>

// -----

// CHECK: invalid_constant.mlir:[[# @LINE + 2]]:46
// CHECK: cannot open weight file 'Inputs': {{.*}}directory
%w = ncnn.constant #ncnn.weight<"Inputs", 0> : tensor<4xf32>

// -----

// The file has 24 floats, 96 bytes.
// CHECK: weight file '{{.*}}Inputs/floats.bin' has 96 bytes, a tensor<24xf32> at byte 4 ends at 100
%w = ncnn.constant #ncnn.weight<"Inputs/floats.bin", 4> : tensor<24xf32>

// -----

// CHECK: weight file '{{.*}}Inputs/floats.bin' has 96 bytes, a tensor<4xf32> at byte 0 ends at 1032
%w = ncnn.constant #ncnn.weight<"Inputs/floats.bin", 0, table> : tensor<4xf32>

// -----

// CHECK: invalid_constant.mlir:[[# @LINE + 2]]:54
// CHECK: Expected integer literal
%w = ncnn.constant #ncnn.weight<"Inputs/floats.bin", -4> : tensor<4xf32>

// -----

// CHECK: invalid_constant.mlir:[[# @LINE + 2]]:52
// CHECK: Expected ','
%w = ncnn.constant #ncnn.weight<"Inputs/floats.bin"> : tensor<4xf32>

// -----

// CHECK: invalid_constant.mlir:[[# @LINE + 2]]:57
// CHECK: Expected one of 'plain', 'scaled', 'table' for the storage
%w = ncnn.constant #ncnn.weight<"Inputs/floats.bin", 0, packed> : tensor<4xf32>

// -----

// CHECK: 'scaled' storage holds f32, not tensor<4xf16>
%w = ncnn.constant #ncnn.weight<"Inputs/floats.bin", 0, scaled> : tensor<4xf16>

// -----

// CHECK: invalid_constant.mlir:[[# @LINE + 2]]:41
// CHECK: Expected ','
%w = ncnn.constant #ncnn.random<seed = 0> : tensor<4xf32>

// -----

// Values and types that do not fit each other, or are no weights at all.
// CHECK: the value has type tensor<4xf32>, but the constant tensor<5xf32>
%w = "ncnn.constant"() <{value = dense<1.0> : tensor<4xf32>}> : () -> tensor<5xf32>

// -----

// CHECK: invalid_constant.mlir:[[# @LINE + 4]]:1
// CHECK: Shape mismatch in dense literal. Expected [4] shape from the type, but got [3] shape.
%w = ncnn.constant dense<[1.0, 2.0, 3.0]> : tensor<4xf32>

// -----

// CHECK: a weight has elements of f32, f16, bf16 or i8, not i64
%w = ncnn.constant dense<1> : tensor<4xi64>

// -----

// CHECK: a weight has elements of f32, f16, bf16 or i8, not f64
%w = ncnn.constant #ncnn.elided : tensor<4xf64>

// -----

// CHECK: a constant has a static tensor type, not tensor<?xf32>
%w = ncnn.constant #ncnn.elided : tensor<?xf32>

// -----

// CHECK: a constant has a static tensor type, not tensor<*xf32>
%w = ncnn.constant {name = "memory"} #ncnn.elided : tensor<*xf32>

// -----

// CHECK: "words" is not a weight
%w = ncnn.constant "words" : tensor<4xf32>

// -----

// A weight has dims, not too many, and elements.
// CHECK: expected 1 to 5 dims and no extent of 0, got tensor<f32>
%scalar = ncnn.constant #ncnn.elided : tensor<f32>

// -----

// CHECK: expected 1 to 5 dims and no extent of 0, got tensor<3x0xf32>
%empty = ncnn.constant #ncnn.elided : tensor<3x0xf32>

// -----

// A weight may have more than the blob that it is used for here.
// CHECK: expected 1 to 4 dims and no extent of 0, got tensor<1x1x1x1x1xf32>
%weight = ncnn.constant #ncnn.elided : tensor<1x1x1x1x1xf32>
%y = ncnn.relu %weight {name = "y"} : (tensor<1x1x1x1x1xf32>) -> tensor<*xf32>
