// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %v, %m, %x, %q = "test.op"() : () -> (tensor<8xf32>, tensor<4x6xf32>, tensor<8x4x6xf32>, tensor<8x2x4x6xf32>)
%v, %m, %x, %q = "test.op"() : () -> (tensor<8xf32>, tensor<4x6xf32>, tensor<8x4x6xf32>, tensor<8x2x4x6xf32>)
// CHECK-NEXT: %patch, %one = "test.op"() : () -> (tensor<2x2x3xf32>, tensor<1x1x6xf32>)
%patch, %one = "test.op"() : () -> (tensor<2x2x3xf32>, tensor<1x1x6xf32>)
// CHECK-NEXT: %pad = ncnn.constant #ncnn.elided : tensor<8xf32>
%pad = ncnn.constant #ncnn.elided : tensor<8xf32>

// CHECK-NEXT: %reshape = ncnn.reshape %x {name = "reshape", w = 12, h = -1, c = 0} : (tensor<8x4x6xf32>) -> tensor<8x2x12xf32>
%reshape = ncnn.reshape %x {name = "reshape", w = 12, h = -1, c = 0} : (tensor<8x4x6xf32>) -> tensor<8x2x12xf32>
// CHECK-NEXT: %reshape4 = ncnn.reshape %x {name = "reshape4", w = 6, h = 2, c = 8, d = 2} : (tensor<8x4x6xf32>) -> tensor<8x2x2x6xf32>
%reshape4 = ncnn.reshape %x {name = "reshape4", w = 6, h = 2, c = 8, d = 2} : (tensor<8x4x6xf32>) -> tensor<8x2x2x6xf32>
// CHECK-NEXT: %by_expression = ncnn.reshape %x, %m {name = "by_expression", shape_expr = "0w,*(0h,0c)"} : (tensor<8x4x6xf32>, tensor<4x6xf32>) -> tensor<?x?xf32>
%by_expression = ncnn.reshape %x, %m {name = "by_expression", shape_expr = "0w,*(0h,0c)"} : (tensor<8x4x6xf32>, tensor<4x6xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: %batched = ncnn.reshape %x {name = "batched", w = 6, h = 4, c = 8, input_batch_axis = 0, output_batch_axis = 1} : (tensor<8x4x6xf32>) -> tensor<*xf32>
%batched = ncnn.reshape %x {name = "batched", w = 6, h = 4, c = 8, input_batch_axis = 0, output_batch_axis = 1} : (tensor<8x4x6xf32>) -> tensor<*xf32>
// CHECK-NEXT: %flatten = ncnn.flatten %x {name = "flatten"} : (tensor<8x4x6xf32>) -> tensor<192xf32>
%flatten = ncnn.flatten %x {name = "flatten"} : (tensor<8x4x6xf32>) -> tensor<192xf32>
// CHECK-NEXT: %squeeze = ncnn.squeeze %one {name = "squeeze", squeeze_h = 1, squeeze_c = 1} : (tensor<1x1x6xf32>) -> tensor<6xf32>
%squeeze = ncnn.squeeze %one {name = "squeeze", squeeze_h = 1, squeeze_c = 1} : (tensor<1x1x6xf32>) -> tensor<6xf32>
// CHECK-NEXT: %squeeze_axes = ncnn.squeeze %one {name = "squeeze_axes", axes = [0, -2]} : (tensor<1x1x6xf32>) -> tensor<6xf32>
%squeeze_axes = ncnn.squeeze %one {name = "squeeze_axes", axes = [0, -2]} : (tensor<1x1x6xf32>) -> tensor<6xf32>
// CHECK-NEXT: %expand = ncnn.expanddims %m {name = "expand", axes = [0, -1]} : (tensor<4x6xf32>) -> tensor<1x4x6x1xf32>
%expand = ncnn.expanddims %m {name = "expand", axes = [0, -1]} : (tensor<4x6xf32>) -> tensor<1x4x6x1xf32>
// CHECK-NEXT: %permute = ncnn.permute %q {name = "permute", order_type = 23} : (tensor<8x2x4x6xf32>) -> tensor<6x4x2x8xf32>
%permute = ncnn.permute %q {name = "permute", order_type = 23} : (tensor<8x2x4x6xf32>) -> tensor<6x4x2x8xf32>
// CHECK-NEXT: %permute3 = ncnn.permute %x {name = "permute3", order_type = 3} : (tensor<8x4x6xf32>) -> tensor<4x6x8xf32>
%permute3 = ncnn.permute %x {name = "permute3", order_type = 3} : (tensor<8x4x6xf32>) -> tensor<4x6x8xf32>
// CHECK-NEXT: %crop = ncnn.crop %x {name = "crop", starts = [1, -4], ends = [3, -233], axes = [1, 2]} : (tensor<8x4x6xf32>) -> tensor<8x2x4xf32>
%crop = ncnn.crop %x {name = "crop", starts = [1, -4], ends = [3, -233], axes = [1, 2]} : (tensor<8x4x6xf32>) -> tensor<8x2x4xf32>
// CHECK-NEXT: %offsets = ncnn.crop %q {name = "offsets", woffset = 1, hoffset = 1, coffset = 2, outw = 3, outh = -233, outc = 5, woffset2 = 1, hoffset2 = 1, coffset2 = 1, doffset = 1, outd = 1} : (tensor<8x2x4x6xf32>) -> tensor<5x1x2x3xf32>
%offsets = ncnn.crop %q {name = "offsets", woffset = 1, hoffset = 1, coffset = 2, outw = 3, outh = -233, outc = 5, woffset2 = 1, hoffset2 = 1, coffset2 = 1, doffset = 1, outd = 1} : (tensor<8x2x4x6xf32>) -> tensor<5x1x2x3xf32>
// CHECK-NEXT: %crop_like = ncnn.crop %x, %patch {name = "crop_like", woffset = 1} : (tensor<8x4x6xf32>, tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
%crop_like = ncnn.crop %x, %patch {name = "crop_like", woffset = 1} : (tensor<8x4x6xf32>, tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT: %crop_expression = ncnn.crop %x, %m {name = "crop_expression", starts_expr = "0", ends_expr = "1w", axes_expr = "2"} : (tensor<8x4x6xf32>, tensor<4x6xf32>) -> tensor<?x?x?xf32>
%crop_expression = ncnn.crop %x, %m {name = "crop_expression", starts_expr = "0", ends_expr = "1w", axes_expr = "2"} : (tensor<8x4x6xf32>, tensor<4x6xf32>) -> tensor<?x?x?xf32>
// CHECK-NEXT: %padding = ncnn.padding %x {name = "padding", top = 1, bottom = 2, left = 3, right = 4, value = -inf, front = 5, behind = 6} : (tensor<8x4x6xf32>) -> tensor<19x7x13xf32>
%padding = ncnn.padding %x {name = "padding", top = 1, bottom = 2, left = 3, right = 4, value = -inf, front = 5, behind = 6} : (tensor<8x4x6xf32>) -> tensor<19x7x13xf32>
// CHECK-NEXT: %reflect = ncnn.padding %x {name = "reflect", top = 1, type = reflect} : (tensor<8x4x6xf32>) -> tensor<8x5x6xf32>
%reflect = ncnn.padding %x {name = "reflect", top = 1, type = reflect} : (tensor<8x4x6xf32>) -> tensor<8x5x6xf32>
// CHECK-NEXT: %by_channel = ncnn.padding %x per_channel_pad %pad {name = "by_channel", left = 1} : (tensor<8x4x6xf32>, tensor<8xf32>) -> tensor<8x4x7xf32>
%by_channel = ncnn.padding %x per_channel_pad %pad {name = "by_channel", left = 1} : (tensor<8x4x6xf32>, tensor<8xf32>) -> tensor<8x4x7xf32>
// CHECK-NEXT: %flip = ncnn.flip %x {name = "flip", axes = [0, 2]} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
%flip = ncnn.flip %x {name = "flip", axes = [0, 2]} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
// CHECK-NEXT: %diag = ncnn.diag %v {name = "diag", diagonal = -1} : (tensor<8xf32>) -> tensor<9x9xf32>
%diag = ncnn.diag %v {name = "diag", diagonal = -1} : (tensor<8xf32>) -> tensor<9x9xf32>
// CHECK-NEXT: %copyto = ncnn.copyto %x, %patch {name = "copyto", starts = [1, 2, 3], axes = [0, 1, 2]} : (tensor<8x4x6xf32>, tensor<2x2x3xf32>) -> tensor<8x4x6xf32>
%copyto = ncnn.copyto %x, %patch {name = "copyto", starts = [1, 2, 3], axes = [0, 1, 2]} : (tensor<8x4x6xf32>, tensor<2x2x3xf32>) -> tensor<8x4x6xf32>
// CHECK-NEXT: %copyto_offsets = ncnn.copyto %x, %patch {name = "copyto_offsets", woffset = 3, hoffset = 2, coffset = 1} : (tensor<8x4x6xf32>, tensor<2x2x3xf32>) -> tensor<8x4x6xf32>
%copyto_offsets = ncnn.copyto %x, %patch {name = "copyto_offsets", woffset = 3, hoffset = 2, coffset = 1, doffset = 0} : (tensor<8x4x6xf32>, tensor<2x2x3xf32>) -> tensor<8x4x6xf32>

// CHECK-NEXT: %no_extent = ncnn.reshape %x {name = "no_extent", w = -1} : (tensor<8x4x6xf32>) -> tensor<192xf32>
%no_extent = ncnn.reshape %x {name = "no_extent", w = -1, h = -233, c = -233, d = -233, shape_expr = "", input_batch_axis = 233} : (tensor<8x4x6xf32>) -> tensor<192xf32>
// CHECK-NEXT: %padding_default = ncnn.padding %x {name = "padding_default", top = 1} : (tensor<8x4x6xf32>) -> tensor<8x5x6xf32>
%padding_default = ncnn.padding %x {name = "padding_default", top = 1, bottom = 0, type = constant, value = 0.0} : (tensor<8x4x6xf32>) -> tensor<8x5x6xf32>
