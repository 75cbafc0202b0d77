// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %v, %m, %x, %q = "test.op"() : () -> (tensor<8xf32>, tensor<4x6xf32>, tensor<8x4x6xf32>, tensor<8x2x4x6xf32>)
%v, %m, %x, %q = "test.op"() : () -> (tensor<8xf32>, tensor<4x6xf32>, tensor<8x4x6xf32>, tensor<8x2x4x6xf32>)

// CHECK-NEXT: %concat = ncnn.concat %x, %x, %x {name = "concat", axis = -1} : (tensor<8x4x6xf32>, tensor<8x4x6xf32>, tensor<8x4x6xf32>) -> tensor<8x4x18xf32>
%concat = ncnn.concat %x, %x, %x {name = "concat", axis = -1} : (tensor<8x4x6xf32>, tensor<8x4x6xf32>, tensor<8x4x6xf32>) -> tensor<8x4x18xf32>
// CHECK-NEXT: %halves0, %halves1 = ncnn.slice %x {name = "halves", blobs = ["halves_0", "halves_1"], slices = [-233, -233]} : (tensor<8x4x6xf32>) -> (tensor<4x4x6xf32>, tensor<4x4x6xf32>)
%halves0, %halves1 = ncnn.slice %x {name = "halves", blobs = ["halves_0", "halves_1"], slices = [-233, -233]} : (tensor<8x4x6xf32>) -> (tensor<4x4x6xf32>, tensor<4x4x6xf32>)
// CHECK-NEXT: %parts0, %parts1, %parts2 = ncnn.slice %x {name = "parts", blobs = ["p0", "p1", "p2"], axis = 2, indices = [1, -2]} : (tensor<8x4x6xf32>) -> (tensor<8x4x1xf32>, tensor<8x4x3xf32>, tensor<8x4x2xf32>)
%parts0, %parts1, %parts2 = ncnn.slice %x {name = "parts", blobs = ["p0", "p1", "p2"], axis = 2, indices = [1, -2]} : (tensor<8x4x6xf32>) -> (tensor<8x4x1xf32>, tensor<8x4x3xf32>, tensor<8x4x2xf32>)
// CHECK-NEXT: %tile = ncnn.tile %x {name = "tile", axis = 1, tiles = 3} : (tensor<8x4x6xf32>) -> tensor<8x12x6xf32>
%tile = ncnn.tile %x {name = "tile", axis = 1, tiles = 3} : (tensor<8x4x6xf32>) -> tensor<8x12x6xf32>
// CHECK-NEXT: %repeats = ncnn.tile %v {name = "repeats", repeats = [2, 3, 1]} : (tensor<8xf32>) -> tensor<2x3x8xf32>
%repeats = ncnn.tile %v {name = "repeats", repeats = [2, 3, 1]} : (tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: %tile_default = ncnn.tile %x {name = "tile_default"} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
%tile_default = ncnn.tile %x {name = "tile_default", axis = 0, tiles = 1, repeats = []} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
