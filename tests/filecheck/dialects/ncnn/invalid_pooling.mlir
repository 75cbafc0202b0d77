// RUN: INVALID

%x = "test.op"() : () -> tensor<8x7x7xf32>
// CHECK: Pooling 'pool': stride_h is 0, less than 1
%y = ncnn.pooling %x {name = "pool", kernel_w = 2, stride_w = 0} : (tensor<8x7x7xf32>) -> tensor<8x?x?xf32>

// -----

%x = "test.op"() : () -> tensor<8x7x7xf32>
// CHECK: Pooling 'pool': kernel_h is 0, less than 1
%y = ncnn.pooling %x {name = "pool"} : (tensor<8x7x7xf32>) -> tensor<8x?x?xf32>

// -----

%x = "test.op"() : () -> tensor<8x7x7xf32>
// CHECK: invalid_pooling.mlir:[[# @LINE + 2]]:53
// CHECK: Expected integer literal or one of max, avg
%y = ncnn.pooling %x {name = "pool", pooling_type = min, kernel_w = 2} : (tensor<8x7x7xf32>) -> tensor<8x6x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x7x7xf32>
// CHECK: Pooling 'pool': pooling_type is 2, greater than 1
%y = ncnn.pooling %x {name = "pool", pooling_type = 2, global_pooling = 1} : (tensor<8x7x7xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8x7x7xf32>
// CHECK: Pooling 'pool': pad_mode is 4, greater than 3
%y = ncnn.pooling %x {name = "pool", kernel_w = 2, pad_mode = 4} : (tensor<8x7x7xf32>) -> tensor<8x6x6xf32>

// -----

%x = "test.op"() : () -> tensor<8x7xf32>
// CHECK: Pooling1D 'pool': the output extent -233 is not positive
%y = ncnn.pooling1d %x {name = "pool", adaptive_pooling = 1, out_w = -233} : (tensor<8x7xf32>) -> tensor<8x7xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4x4xf32>
// CHECK: Pooling3D 'pool': kernel_d is 0, less than 1
%y = ncnn.pooling3d %x {name = "pool", kernel_w = 2, kernel_d = 0} : (tensor<8x4x4x4xf32>) -> tensor<8x4x3x3xf32>

// -----

%x = "test.op"() : () -> tensor<8x7x7xf32>
// CHECK: SPP 'spp': pyramid_height is 0, less than 1
%y = ncnn.spp %x {name = "spp", pyramid_height = 0} : (tensor<8x7x7xf32>) -> tensor<2x1x1xf32>

// -----

// The runtime takes more, but overflows.
%x = "test.op"() : () -> tensor<8x7x7xf32>
// CHECK: SPP 'spp': pyramid_height is 16, greater than 15
%y = ncnn.spp %x {name = "spp", pyramid_height = 16} : (tensor<8x7x7xf32>) -> tensor<2x1x?xf32>

// -----

%x = "test.op"() : () -> tensor<8x7x7xf32>
// CHECK: ROIAlign 'align': 1 inputs, but the layer has 2
%y = ncnn.roialign %x {name = "align", pooled_width = 3, pooled_height = 3} : (tensor<8x7x7xf32>) -> tensor<8x3x3xf32>

// -----

%x, %roi = "test.op"() : () -> (tensor<8x7x7xf32>, tensor<4xf32>)
// CHECK: ROIAlign 'align': pooled_height is 0, less than 1
%y = ncnn.roialign %x, %roi {name = "align", pooled_width = 3} : (tensor<8x7x7xf32>, tensor<4xf32>) -> tensor<8x3x3xf32>

// -----

%x, %roi = "test.op"() : () -> (tensor<8x7x7xf32>, tensor<4xf32>)
// CHECK: ROIAlign 'align': version is 2, greater than 1
%y = ncnn.roialign %x, %roi {name = "align", pooled_width = 3, pooled_height = 3, version = 2} : (tensor<8x7x7xf32>, tensor<4xf32>) -> tensor<8x3x3xf32>
