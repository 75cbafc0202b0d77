// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %v, %like, %columns = "test.op"() : () -> (tensor<8x4x6xf32>, tensor<8xf32>, tensor<1x8x12xf32>, tensor<72x24xf32>)
%x, %v, %like, %columns = "test.op"() : () -> (tensor<8x4x6xf32>, tensor<8xf32>, tensor<1x8x12xf32>, tensor<72x24xf32>)
// CHECK-NEXT: %grid, %x4, %grid4 = "test.op"() : () -> (tensor<5x7x2xf32>, tensor<8x2x4x6xf32>, tensor<3x2x5x7xf32>)
%grid, %x4, %grid4 = "test.op"() : () -> (tensor<5x7x2xf32>, tensor<8x2x4x6xf32>, tensor<3x2x5x7xf32>)

// CHECK-NEXT: %scaled = ncnn.interp %x {name = "scaled", resize_type = bilinear, height_scale = 2.0, width_scale = 1.5, align_corner = 1} : (tensor<8x4x6xf32>) -> tensor<8x8x9xf32>
%scaled = ncnn.interp %x {name = "scaled", resize_type = bilinear, height_scale = 2.0, width_scale = 1.5, align_corner = 1} : (tensor<8x4x6xf32>) -> tensor<8x8x9xf32>
// CHECK-NEXT: %sized = ncnn.interp %v {name = "sized", resize_type = nearest, output_height = 4, output_width = 6} : (tensor<8xf32>) -> tensor<8x4x6xf32>
%sized = ncnn.interp %v {name = "sized", resize_type = nearest, output_height = 4, output_width = 6} : (tensor<8xf32>) -> tensor<8x4x6xf32>
// CHECK-NEXT: %like_other = ncnn.interp %x, %like {name = "like_other", resize_type = bicubic, dynamic_target_size = 1} : (tensor<8x4x6xf32>, tensor<1x8x12xf32>) -> tensor<8x8x12xf32>
%like_other = ncnn.interp %x, %like {name = "like_other", resize_type = bicubic, dynamic_target_size = 1} : (tensor<8x4x6xf32>, tensor<1x8x12xf32>) -> tensor<8x8x12xf32>
// CHECK-NEXT: %expression = ncnn.interp %x, %like {name = "expression", resize_type = nearest, size_expr = "*(0w,2),1h"} : (tensor<8x4x6xf32>, tensor<1x8x12xf32>) -> tensor<8x?x?xf32>
%expression = ncnn.interp %x, %like {name = "expression", resize_type = nearest, size_expr = "*(0w,2),1h"} : (tensor<8x4x6xf32>, tensor<1x8x12xf32>) -> tensor<8x?x?xf32>
// CHECK-NEXT: %pixelshuffle = ncnn.pixelshuffle %x {name = "pixelshuffle", upscale_factor = 2, mode = position_major} : (tensor<8x4x6xf32>) -> tensor<2x8x12xf32>
%pixelshuffle = ncnn.pixelshuffle %x {name = "pixelshuffle", upscale_factor = 2, mode = position_major} : (tensor<8x4x6xf32>) -> tensor<2x8x12xf32>
// CHECK-NEXT: %shuffle = ncnn.shufflechannel %x {name = "shuffle", group = 4, reverse = 1} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
%shuffle = ncnn.shufflechannel %x {name = "shuffle", group = 4, reverse = 1} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
// CHECK-NEXT: %reorg = ncnn.reorg %x {name = "reorg", stride = 2, mode = position_major} : (tensor<8x4x6xf32>) -> tensor<32x2x3xf32>
%reorg = ncnn.reorg %x {name = "reorg", stride = 2, mode = position_major} : (tensor<8x4x6xf32>) -> tensor<32x2x3xf32>
// CHECK-NEXT: %sampled = ncnn.gridsample %x, %grid {name = "sampled", sample_type = nearest, padding_mode = border, align_corner = 1} : (tensor<8x4x6xf32>, tensor<5x7x2xf32>) -> tensor<8x5x7xf32>
%sampled = ncnn.gridsample %x, %grid {name = "sampled", sample_type = nearest, padding_mode = border, align_corner = 1} : (tensor<8x4x6xf32>, tensor<5x7x2xf32>) -> tensor<8x5x7xf32>
// CHECK-NEXT: %sampled4 = ncnn.gridsample %x4, %grid4 {name = "sampled4", sample_type = bicubic, padding_mode = reflection, permute_fusion = 1} : (tensor<8x2x4x6xf32>, tensor<3x2x5x7xf32>) -> tensor<8x2x5x7xf32>
%sampled4 = ncnn.gridsample %x4, %grid4 {name = "sampled4", sample_type = bicubic, padding_mode = reflection, permute_fusion = 1} : (tensor<8x2x4x6xf32>, tensor<3x2x5x7xf32>) -> tensor<8x2x5x7xf32>
// CHECK-NEXT: %unfold = ncnn.unfold %x {name = "unfold", kernel_w = 3, dilation_w = 2, pad_left = 2, kernel_h = 2, pad_value = -1.0} : (tensor<8x4x6xf32>) -> tensor<48x36xf32>
%unfold = ncnn.unfold %x {name = "unfold", kernel_w = 3, dilation_w = 2, stride_w = 1, pad_left = 2, kernel_h = 2, pad_value = -1.0} : (tensor<8x4x6xf32>) -> tensor<48x36xf32>
// CHECK-NEXT: %fold = ncnn.fold %columns {name = "fold", kernel_w = 3, pad_left = 1, output_w = 6, output_h = 4} : (tensor<72x24xf32>) -> tensor<8x4x6xf32>
%fold = ncnn.fold %columns {name = "fold", kernel_w = 3, pad_left = 1, output_w = 6, output_h = 4} : (tensor<72x24xf32>) -> tensor<8x4x6xf32>

// CHECK-NEXT: %interp_default = ncnn.interp %x {name = "interp_default", resize_type = bilinear} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
%interp_default = ncnn.interp %x {name = "interp_default", resize_type = bilinear, height_scale = 1.0, width_scale = 1.0, output_height = 0, size_expr = ""} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
// CHECK-NEXT: %sample_default = ncnn.gridsample %x, %grid {name = "sample_default"} : (tensor<8x4x6xf32>, tensor<5x7x2xf32>) -> tensor<8x5x7xf32>
%sample_default = ncnn.gridsample %x, %grid {name = "sample_default", sample_type = bilinear, padding_mode = zeros, align_corner = 0, permute_fusion = 0} : (tensor<8x4x6xf32>, tensor<5x7x2xf32>) -> tensor<8x5x7xf32>
// CHECK-NEXT: %mode_default = ncnn.pixelshuffle %x {name = "mode_default", upscale_factor = 2} : (tensor<8x4x6xf32>) -> tensor<2x8x12xf32>
%mode_default = ncnn.pixelshuffle %x {name = "mode_default", upscale_factor = 2, mode = output_major} : (tensor<8x4x6xf32>) -> tensor<2x8x12xf32>
// CHECK-NEXT: %reorg_default = ncnn.reorg %x {name = "reorg_default"} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
%reorg_default = ncnn.reorg %x {name = "reorg_default", stride = 1, mode = input_major} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
