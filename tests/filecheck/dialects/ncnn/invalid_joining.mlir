// RUN: INVALID

// CHECK: Concat 'concat': 0 inputs, but the layer has at least 1
%y = ncnn.concat {name = "concat"} : () -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Slice 'slice': a part of extent 0
%a, %b = ncnn.slice %x {name = "slice", slices = [0, 8]} : (tensor<8x4x6xf32>) -> (tensor<?x4x6xf32>, tensor<8x4x6xf32>)

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Slice 'slice': axis is 4, greater than 3
%a = ncnn.slice %x {name = "slice", slices = [8], axis = 4} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Slice 'slice': 0 outputs, but the layer has at least 1
ncnn.slice %x {name = "slice", slices = [8]} : (tensor<8x4x6xf32>) -> ()

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Tile 'tile': the repeat count 0 is not positive
%y = ncnn.tile %x {name = "tile", tiles = 0} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Tile 'tile': 5 repeats, but a blob has at most 4 axes
%y = ncnn.tile %x {name = "tile", repeats = [1, 1, 1, 1, 2]} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
