// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %s, %v, %roi = "test.op"() : () -> (tensor<8x7x7xf32>, tensor<8x7xf32>, tensor<8x4x4x4xf32>, tensor<4xf32>)
%x, %s, %v, %roi = "test.op"() : () -> (tensor<8x7x7xf32>, tensor<8x7xf32>, tensor<8x4x4x4xf32>, tensor<4xf32>)
// CHECK-NEXT: %maps = "test.op"() : () -> tensor<18x7x7xf32>
%maps = "test.op"() : () -> tensor<18x7x7xf32>

// CHECK-NEXT: %max = ncnn.pooling %x {name = "max", kernel_w = 3, stride_w = 2} : (tensor<8x7x7xf32>) -> tensor<8x3x3xf32>
%max = ncnn.pooling %x {name = "max", kernel_w = 3, stride_w = 2} : (tensor<8x7x7xf32>) -> tensor<8x3x3xf32>
// CHECK-NEXT: %avg = ncnn.pooling %x {name = "avg", pooling_type = avg, kernel_w = 3, stride_w = 2, pad_left = 1, pad_mode = valid, avgpool_count_include_pad = 1, kernel_h = 2, stride_h = 1, pad_top = 0, pad_right = 0, pad_bottom = 1} : (tensor<8x7x7xf32>) -> tensor<8x7x3xf32>
%avg = ncnn.pooling %x {name = "avg", pooling_type = avg, kernel_w = 3, stride_w = 2, pad_left = 1, pad_mode = valid, avgpool_count_include_pad = 1, kernel_h = 2, stride_h = 1, pad_top = 0, pad_right = 0, pad_bottom = 1} : (tensor<8x7x7xf32>) -> tensor<8x7x3xf32>
// CHECK-NEXT: %same = ncnn.pooling %x {name = "same", kernel_w = 2, stride_w = 2, pad_mode = same_upper} : (tensor<8x7x7xf32>) -> tensor<8x4x4xf32>
%same = ncnn.pooling %x {name = "same", kernel_w = 2, stride_w = 2, pad_mode = same_upper} : (tensor<8x7x7xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %global = ncnn.pooling %x {name = "global", pooling_type = avg, global_pooling = 1} : (tensor<8x7x7xf32>) -> tensor<8xf32>
%global = ncnn.pooling %x {name = "global", pooling_type = avg, global_pooling = 1} : (tensor<8x7x7xf32>) -> tensor<8xf32>
// CHECK-NEXT: %adaptive = ncnn.pooling %x {name = "adaptive", pooling_type = avg, adaptive_pooling = 1, out_w = 3, out_h = -233} : (tensor<8x7x7xf32>) -> tensor<8x7x3xf32>
%adaptive = ncnn.pooling %x {name = "adaptive", pooling_type = avg, adaptive_pooling = 1, out_w = 3, out_h = -233} : (tensor<8x7x7xf32>) -> tensor<8x7x3xf32>
// CHECK-NEXT: %max1d = ncnn.pooling1d %s {name = "max1d", kernel_w = 3, stride_w = 2, pad_left = 1, pad_mode = same_lower} : (tensor<8x7xf32>) -> tensor<8x4xf32>
%max1d = ncnn.pooling1d %s {name = "max1d", kernel_w = 3, stride_w = 2, pad_left = 1, pad_mode = same_lower} : (tensor<8x7xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %avg3d = ncnn.pooling3d %v {name = "avg3d", pooling_type = avg, kernel_w = 2, stride_w = 2, stride_h = 1, kernel_d = 4} : (tensor<8x4x4x4xf32>) -> tensor<8x1x3x2xf32>
%avg3d = ncnn.pooling3d %v {name = "avg3d", pooling_type = avg, kernel_w = 2, stride_w = 2, stride_h = 1, kernel_d = 4, pad_front = 0} : (tensor<8x4x4x4xf32>) -> tensor<8x1x3x2xf32>
// CHECK-NEXT: %spp = ncnn.spp %x {name = "spp", pooling_type = avg, pyramid_height = 3} : (tensor<8x7x7xf32>) -> tensor<2x1x21xf32>
%spp = ncnn.spp %x {name = "spp", pooling_type = avg, pyramid_height = 3} : (tensor<8x7x7xf32>) -> tensor<2x1x21xf32>
// CHECK-NEXT: %mean = ncnn.statisticspooling %x {name = "mean"} : (tensor<8x7x7xf32>) -> tensor<8xf32>
%mean = ncnn.statisticspooling %x {name = "mean"} : (tensor<8x7x7xf32>) -> tensor<8xf32>
// CHECK-NEXT: %deviation = ncnn.statisticspooling %x {name = "deviation", include_stddev = 1} : (tensor<8x7x7xf32>) -> tensor<16xf32>
%deviation = ncnn.statisticspooling %x {name = "deviation", include_stddev = 1} : (tensor<8x7x7xf32>) -> tensor<16xf32>
// CHECK-NEXT: %roipool = ncnn.roipooling %x, %roi {name = "roipool", pooled_width = 3, pooled_height = 2, spatial_scale = 0.0625} : (tensor<8x7x7xf32>, tensor<4xf32>) -> tensor<8x2x3xf32>
%roipool = ncnn.roipooling %x, %roi {name = "roipool", pooled_width = 3, pooled_height = 2, spatial_scale = 0.0625} : (tensor<8x7x7xf32>, tensor<4xf32>) -> tensor<8x2x3xf32>
// CHECK-NEXT: %roialign = ncnn.roialign %x, %roi {name = "roialign", pooled_width = 3, pooled_height = 2, spatial_scale = 0.25, sampling_ratio = 2, aligned = 1, version = 1} : (tensor<8x7x7xf32>, tensor<4xf32>) -> tensor<8x2x3xf32>
%roialign = ncnn.roialign %x, %roi {name = "roialign", pooled_width = 3, pooled_height = 2, spatial_scale = 0.25, sampling_ratio = 2, aligned = 1, version = 1} : (tensor<8x7x7xf32>, tensor<4xf32>) -> tensor<8x2x3xf32>
// CHECK-NEXT: %psroi = ncnn.psroipooling %maps, %roi {name = "psroi", pooled_width = 3, pooled_height = 3, spatial_scale = 0.125, output_dim = 2} : (tensor<18x7x7xf32>, tensor<4xf32>) -> tensor<2x3x3xf32>
%psroi = ncnn.psroipooling %maps, %roi {name = "psroi", pooled_width = 3, pooled_height = 3, spatial_scale = 0.125, output_dim = 2} : (tensor<18x7x7xf32>, tensor<4xf32>) -> tensor<2x3x3xf32>

// What is given for h as for w is a default; not so where it differs.
// CHECK-NEXT: %square = ncnn.pooling %x {name = "square", kernel_w = 3, stride_w = 2, pad_left = 1} : (tensor<8x7x7xf32>) -> tensor<8x4x4xf32>
%square = ncnn.pooling %x {name = "square", pooling_type = max, kernel_w = 3, stride_w = 2, pad_left = 1, global_pooling = 0, pad_mode = full, kernel_h = 3, stride_h = 2, pad_top = 1, pad_right = 1, pad_bottom = 1} : (tensor<8x7x7xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %psroi_default = ncnn.psroipooling %maps, %roi {name = "psroi_default", output_dim = 2} : (tensor<18x7x7xf32>, tensor<4xf32>) -> tensor<2x7x7xf32>
%psroi_default = ncnn.psroipooling %maps, %roi {name = "psroi_default", pooled_width = 7, pooled_height = 7, spatial_scale = 0.0625, output_dim = 2} : (tensor<18x7x7xf32>, tensor<4xf32>) -> tensor<2x7x7xf32>
