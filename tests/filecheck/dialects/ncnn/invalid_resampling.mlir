// RUN: INVALID

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: invalid_resampling.mlir:[[# @LINE + 2]]:53
// CHECK: Expected integer literal or one of none, nearest, bilinear, bicubic
%y = ncnn.interp %x {name = "resize", resize_type = linear} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Interp 'resize': resize_type is 4, greater than 3
%y = ncnn.interp %x {name = "resize", resize_type = 4} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: invalid_resampling.mlir:[[# @LINE + 2]]:51
// CHECK: string literal expected for the parameter
%y = ncnn.interp %x {name = "resize", size_expr = 0w} : (tensor<8x4x6xf32>) -> tensor<8x?x?xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: PixelShuffle 'ps': upscale_factor is 0, less than 1
%y = ncnn.pixelshuffle %x {name = "ps", upscale_factor = 0} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: PixelShuffle 'ps': mode is 2, greater than 1
%y = ncnn.pixelshuffle %x {name = "ps", upscale_factor = 2, mode = 2} : (tensor<8x4x6xf32>) -> tensor<2x8x12xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: ShuffleChannel 'shuffle': group is 0, less than 1
%y = ncnn.shufflechannel %x {name = "shuffle", group = 0} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Reorg 'reorg': stride is 46341, greater than 46340
%y = ncnn.reorg %x {name = "reorg", stride = 46341} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>

// -----

%x, %grid = "test.op"() : () -> (tensor<8x4x6xf32>, tensor<5x7x2xf32>)
// CHECK: GridSample 'sample': sample_type is 0, less than 1
%y = ncnn.gridsample %x, %grid {name = "sample", sample_type = none} : (tensor<8x4x6xf32>, tensor<5x7x2xf32>) -> tensor<8x5x7xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: GridSample 'sample': 1 inputs, but the layer has 2
%y = ncnn.gridsample %x {name = "sample"} : (tensor<8x4x6xf32>) -> tensor<8x5x7xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x6xf32>
// CHECK: Unfold 'unfold': kernel_w is 0, less than 1
%y = ncnn.unfold %x {name = "unfold"} : (tensor<8x4x6xf32>) -> tensor<8x24xf32>

// -----

%x = "test.op"() : () -> tensor<72x24xf32>
// CHECK: Fold 'fold': stride_h is -1, less than 1
%y = ncnn.fold %x {name = "fold", kernel_w = 3, stride_h = -1, output_w = 6, output_h = 4} : (tensor<72x24xf32>) -> tensor<8x4x6xf32>
