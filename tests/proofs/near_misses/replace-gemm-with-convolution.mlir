// Needs `len(before) != 3`
// Written for this condition.
builtin.module {
  func.func @rows_between_1(%x: tensor<2x2x3x1xf32>) -> tensor<2x2x2xf32> {
    %i = ncnn.relu %x {name = "i"} : (tensor<2x2x3x1xf32>) -> tensor<2x2x3x1xf32>
    %z = ncnn.reshape %i {name = "z", w = 1, h = 3, c = 2, d = 2} : (tensor<2x2x3x1xf32>) -> tensor<2x2x3x1xf32>
    %r = ncnn.reshape %z {name = "r", w = 3, h = 4} : (tensor<2x2x3x1xf32>) -> tensor<4x3xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
    %g = ncnn.gemm %r B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 3} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
    %b = ncnn.reshape %g {name = "b", w = 2, h = 2, c = 2} : (tensor<4x2xf32>) -> tensor<2x2x2xf32>
    %y = ncnn.permute %b {name = "y", order_type = 4} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    func.return %y : tensor<2x2x2xf32>
  }
}

// -----

// Needs `len(after) != 3`
// Written for this condition.
builtin.module {
  func.func @rows_between_2(%x: tensor<2x2x3xf32>) -> tensor<*xf32> {
    %i = ncnn.reshape %x {name = "i", w = 3, h = 2, c = 2} : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
    %z = ncnn.relu %i {name = "z"} : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
    %r = ncnn.reshape %z {name = "r", w = 3, h = 4} : (tensor<2x2x3xf32>) -> tensor<4x3xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
    %g = ncnn.gemm %r B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 3} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
    %b = ncnn.reshape %g {name = "b", w = 1, h = 2, c = 2, d = 2} : (tensor<4x2xf32>) -> tensor<2x2x2x1xf32>
    %y = ncnn.permute %b {name = "y", order_type = 4} : (tensor<2x2x2x1xf32>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}

// -----

// Needs `shapes.rank(layer.operands[0]) == 2`
// replace-gemm-with-convolution-rows like: a blob is declared as (-9223372036854775808, 2); the input has shape (1, -9223372036854775808, 1).
builtin.module attributes {ncnn.tune = "none"} {
  func.func @is_on_rows_1(%x: tensor<1x?x1xf32>, %z: tensor<3x?x?xf32>) -> tensor<2x?x?xf32> {
    %w = ncnn.constant #ncnn.elided : tensor<2x1xf32>
    %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 1} : (tensor<1x?x1xf32>, tensor<2x1xf32>) -> tensor<1x2xf32>
    %i = ncnn.reshape %g, %z {name = "i", shape_expr = "2,1w,1h"} : (tensor<1x2xf32>, tensor<3x?x?xf32>) -> tensor<?x?x2xf32>
    %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
    func.return %y : tensor<2x?x?xf32>
  }
}

// -----

// Needs `not is_on_rows(user, shapes)` or `_is_kept(before, i, after, place)`
// replace-gemm-with-convolution-kept factor: promised shapes.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @gemms_after_1(%x: tensor<?x?x3xf32> {ncnn.promised}) -> tensor<2x?x?xf32> {
    %r = ncnn.reshape %x {name = "r", shape_expr = "0w,-1"} : (tensor<?x?x3xf32>) -> tensor<?x3xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
    %b = ncnn.constant #ncnn.elided : tensor<1x2xf32>
    %g = ncnn.gemm %r B %w C %b {name = "g", alpha = 2.0, transB = 1, constantB = 1, constantC = 1, constantN = 2, constantK = 3, constant_broadcast_type_C = 4} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
    %i = ncnn.reshape %g, %x {name = "i", shape_expr = "0w,1h,1c"} : (tensor<?x2xf32>, tensor<?x?x3xf32>) -> tensor<?x?x2xf32>
    %y = ncnn.permute %i {name = "y", order_type = 4} : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
    func.return %y : tensor<2x?x?xf32>
  }
}

// -----

// Needs `len(image) != 3` or `not is_image_of(source, layouts, image, shapes)` or `user.constantN < width`
// replace-gemm-with-convolution-rows-kept wider_behind: a Split between.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @ConvolveAfterImage_1(%x: tensor<1x?x?xf32>) -> tensor<?x3xf32> {
    %v = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
    %c = ncnn.convolution %x weight %v {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
    %f = ncnn.reshape %c {name = "f", w = -1, h = 2} : (tensor<2x?x?xf32>) -> tensor<2x?xf32>
    %0, %1 = ncnn.split %f {name = "new163878", blobs = ["new163878_0", "new163878_1"]} : (tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>)
    %p = ncnn.permute %0 {name = "p", order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
    %y = ncnn.gemm %p B %w {name = "y", constantB = 1, constantN = 3, constantK = 2} : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
    func.return %y : tensor<?x3xf32>
  }
}

// -----

// Needs `len(shape) != 3` or `len(image) != 3` or `user.constantN < width`
// replace-gemm-with-convolution-rows-kept wider_behind: a Split between.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @is_image_of_1(%x: tensor<1x?x?xf32>) -> tensor<?x3xf32> {
    %v = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
    %c = ncnn.convolution %x weight %v {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
    %f = ncnn.reshape %c {name = "f", w = -1, h = 2} : (tensor<2x?x?xf32>) -> tensor<2x?xf32>
    %0, %1 = ncnn.split %f {name = "new163878", blobs = ["new163878_0", "new163878_1"]} : (tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>)
    %p = ncnn.permute %0 {name = "p", order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
    %y = ncnn.gemm %p B %w {name = "y", constantB = 1, constantN = 3, constantK = 2} : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
    func.return %y : tensor<?x3xf32>
  }
}

// -----

// Needs `len(rows) == 2` or `axis_before(layouts, 1, shapes, others_stay=True) == 0` or `shapes.rank(layer.operands[0]) == 2`
// replace-gemm-with-convolution-rows between: the Reshape is missing; a AbsVal between.
builtin.module attributes {ncnn.tune = "none"} {
  func.func @is_image_of_2(%x: tensor<1x?x?xf32>) -> tensor<2x?x?xf32> {
    %v = ncnn.constant #ncnn.elided : tensor<2x1x1x1xf32>
    %c = ncnn.convolution %x weight %v {name = "c", num_output = 2, kernel_w = 1} : (tensor<1x?x?xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
    %s = ncnn.sigmoid %c {name = "s"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %p = ncnn.permute %s {name = "p", order_type = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %w = ncnn.constant #ncnn.elided : tensor<2x2xf32>
    %g = ncnn.gemm %p B %w {name = "g", transB = 1, constantB = 1, constantN = 2, constantK = 2} : (tensor<2x?x?xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %0 = ncnn.absval %g {name = "new443749"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %q = ncnn.permute %0 {name = "q", order_type = 1} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %y = ncnn.reshape %q, %c {name = "y", shape_expr = "1w,1h,2"} : (tensor<2x2xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    func.return %y : tensor<2x?x?xf32>
  }
}
