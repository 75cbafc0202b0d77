// RUN: INVALID

// CHECK: cannot open weight file 'absent.bin': No such file or directory
util.global private @w {file = "absent.bin", offset = 4 : i64} = #flow.parameter.named<"w"> : tensor<4xf32>

// -----

// CHECK: weight file '{{.*}}Inputs/floats.bin' has 96 bytes, a tensor<24xf32> at byte 4 ends at 100
util.global private @w {file = "Inputs/floats.bin", offset = 4 : i64} = #flow.parameter.named<"w"> : tensor<24xf32>

// -----

// CHECK: only a parameter can have the attribute weight
util.global private @w {file = "Inputs/floats.bin", offset = 4 : i64} = dense<1.0> : tensor<4xf32>

// -----

// CHECK: expected a value with a type
util.global private @w = "w"

// -----

// CHECK: there is no util.global @v
%w = util.global.load @v : tensor<4xf32>

// -----

util.global private @w : tensor<4xf32>
// CHECK: the global has type tensor<4xf32>, not tensor<5xf32>
%w = util.global.load @w : tensor<5xf32>
