// RUN: ncnn-opt --make-dynamic='axes="in0:2*h","in0:w"' %s | filecheck %s

// CHECK: func.func @main(%in0: tensor<3x?x?xf32> {ncnn.blob = "in0"}) -> (
func.func @main(%in0: tensor<3x12x16xf32> {ncnn.blob = "in0"}) -> (tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<3x6x16xf32>, tensor<3x11x16xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<4x3x3x3xf32>
  %a = ncnn.convolution %in0 weight %w {name = "a", num_output = 4, kernel_w = 3, stride_w = 2, pad_left = 1} : (tensor<3x12x16xf32>, tensor<4x3x3x3xf32>) -> tensor<4x6x8xf32>

  // Axes that become one: what is left.
  // CHECK: %flat = ncnn.reshape %a {name = "flat", w = -1, h = 4} : (tensor<4x?x?xf32>) -> tensor<4x?xf32>
  %flat = ncnn.reshape %a {name = "flat", w = 48, h = 4} : (tensor<4x6x8xf32>) -> tensor<4x48xf32>
  %rows = ncnn.permute %flat {name = "rows", order_type = 1} : (tensor<4x48xf32>) -> tensor<48x4xf32>
  // Constants stay, and the number of rows is the input's.
  // CHECK: %heads = ncnn.reshape %rows {name = "heads", w = 2, h = 2, c = -1}
  %heads = ncnn.reshape %rows {name = "heads", w = 2, h = 2, c = 48} : (tensor<48x4xf32>) -> tensor<48x2x2xf32>
  %tail = ncnn.reshape %heads {name = "tail", w = 4, h = 48} : (tensor<48x2x2xf32>) -> tensor<48x4xf32>
  %turned = ncnn.permute %tail {name = "turned", order_type = 1} : (tensor<48x4xf32>) -> tensor<4x48xf32>
  // One that becomes the two that it was made of: their extents are those of another blob.
  // CHECK: %map = ncnn.reshape %turned, %a {name = "map", shape_expr = "1w,1h,4"}
  %map = ncnn.reshape %turned {name = "map", w = 8, h = 6, c = 4} : (tensor<4x48xf32>) -> tensor<4x6x8xf32>

  // A window that is all of it.
  // CHECK: %mean = ncnn.pooling %a {name = "mean", pooling_type = avg, kernel_w = 8, adaptive_pooling = 1, out_w = 1, kernel_h = 6}
  %mean = ncnn.pooling %a {name = "mean", pooling_type = avg, kernel_w = 8, kernel_h = 6} : (tensor<4x6x8xf32>) -> tensor<4x1x1xf32>
  // CHECK: %low, %high = ncnn.slice %in0 {name = "halves", blobs = ["low", "high"], slices = [-233, -233], axis = 1}
  %low, %high = ncnn.slice %in0 {name = "halves", blobs = ["low", "high"], slices = [6, 6], axis = 1} : (tensor<3x12x16xf32>) -> (tensor<3x6x16xf32>, tensor<3x6x16xf32>)
  // CHECK: %cut = ncnn.crop %in0 {name = "cut", starts = [1], ends = [-233], axes = [1]}
  %cut = ncnn.crop %in0 {name = "cut", starts = [1], ends = [12], axes = [1]} : (tensor<3x12x16xf32>) -> tensor<3x11x16xf32>
  // Resized to what it is joined with; a static blob, too.
  // CHECK: %up = ncnn.interp %mean, %a {name = "up", resize_type = nearest, size_expr = "1w,1h"}
  %up = ncnn.interp %mean {name = "up", resize_type = nearest, output_height = 6, output_width = 8} : (tensor<4x1x1xf32>) -> tensor<4x6x8xf32>
  %sum = ncnn.binaryop %up, %a {name = "sum", op_type = add} : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  // CHECK: func.return
  func.return %map, %sum, %low, %cut : tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<3x6x16xf32>, tensor<3x11x16xf32>
}
