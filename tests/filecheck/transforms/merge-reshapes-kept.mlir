// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --merge-reshapes %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Two extents of the result are not those of the input along the same axes.
func.func @two_axes_moved(%x: tensor<?x?xf32>) -> tensor<?x?x1x1xf32> {
  %a = ncnn.expanddims %x {name = "a", axes = [2]} : (tensor<?x?xf32>) -> tensor<?x?x1xf32>
  %b = ncnn.expanddims %a {name = "b", axes = [2]} : (tensor<?x?x1xf32>) -> tensor<?x?x1x1xf32>
  func.return %b : tensor<?x?x1x1xf32>
}

// How many are left is asked twice.
func.func @two_rests(%x: tensor<?x?x?xf32>) -> tensor<?x?x2xf32> {
  %a = ncnn.reshape %x {name = "a", w = 0, h = -1} : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  %b = ncnn.reshape %a {name = "b", w = 2, h = 0, c = -1} : (tensor<?x?xf32>) -> tensor<?x?x2xf32>
  func.return %b : tensor<?x?x2xf32>
}

// Extents of inputs are not certain: what is dropped may be longer than 1.
func.func @squeeze_of_an_input(%x: tensor<1x4xf32>) -> tensor<4x1xf32> {
  %a = ncnn.squeeze %x {name = "a", axes = [0]} : (tensor<1x4xf32>) -> tensor<4xf32>
  %b = ncnn.expanddims %a {name = "b", axes = [1]} : (tensor<4xf32>) -> tensor<4x1xf32>
  func.return %b : tensor<4x1xf32>
}

// If the input has 2 dims and 3 rows already, a Reshape to 3 rows leaves it as it is: that there are
// 4 columns, only both together say.
func.func @rows_of_any_blob(%x: tensor<*xf32>) -> tensor<3x4xf32> {
  %a = ncnn.flatten %x {name = "a"} : (tensor<*xf32>) -> tensor<?xf32>
  %b = ncnn.reshape %a {name = "b", w = 4, h = 3} : (tensor<?xf32>) -> tensor<3x4xf32>
  func.return %b : tensor<3x4xf32>
}

func.func @rows_of_two_dims(%x: tensor<?x?xf32>) -> tensor<3x4xf32> {
  %a = ncnn.flatten %x {name = "a"} : (tensor<?x?xf32>) -> tensor<?xf32>
  %b = ncnn.reshape %a {name = "b", w = 4, h = 3} : (tensor<?xf32>) -> tensor<3x4xf32>
  func.return %b : tensor<3x4xf32>
}

// The blob between has another reader, or is an output.
func.func @second_reader(%x: tensor<?x?x?xf32>) -> (tensor<3x4xf32>, tensor<?xf32>) {
  %a = ncnn.flatten %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?xf32>
  %b = ncnn.reshape %a {name = "b", w = 4, h = 3} : (tensor<?xf32>) -> tensor<3x4xf32>
  %relu = ncnn.relu %a {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %b, %relu : tensor<3x4xf32>, tensor<?xf32>
}

func.func @output_between(%x: tensor<?x?x?xf32>) -> (tensor<3x4xf32>, tensor<?xf32>) {
  %a = ncnn.flatten %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?xf32>
  %b = ncnn.reshape %a {name = "b", w = 4, h = 3} : (tensor<?xf32>) -> tensor<3x4xf32>
  func.return %b, %a : tensor<3x4xf32>, tensor<?xf32>
}

// A Permute puts elements elsewhere.
func.func @permute(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = ncnn.flatten %a {name = "b"} : (tensor<?x?xf32>) -> tensor<?xf32>
  func.return %b : tensor<?xf32>
}

// A BatchNorm between sees channels.
func.func @batchnorm_between(%x: tensor<?x?x?xf32>) -> tensor<2x2xf32> {
  %v = ncnn.constant dense<1.0> : tensor<4xf32>
  %a = ncnn.flatten %x {name = "a"} : (tensor<?x?x?xf32>) -> tensor<?xf32>
  %bn = ncnn.batchnorm %a slope %v mean %v var %v bias %v {name = "bn"} : (tensor<?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
  %b = ncnn.reshape %bn {name = "b", w = 2, h = 2} : (tensor<?xf32>) -> tensor<2x2xf32>
  func.return %b : tensor<2x2xf32>
}

// Batches, feature masks, and a parameter that nobody knows.
func.func @batch(%x: tensor<?x?x?xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %a = ncnn.reshape %x {name = "a", w = -1, output_batch_axis = 0, h = 2} : (tensor<?x?x?xf32>) -> tensor<*xf32>
  %b = ncnn.reshape %a {name = "b", w = 4, h = 3} : (tensor<*xf32>) -> tensor<3x4xf32>
  %c = ncnn.flatten %x {name = "c", featmask = 1} : (tensor<?x?x?xf32>) -> tensor<?xf32>
  %d = ncnn.reshape %c {name = "d", w = 4, h = 3} : (tensor<?xf32>) -> tensor<3x4xf32>
  %e = ncnn.flatten %x {name = "e"} : (tensor<?x?x?xf32>) -> tensor<?xf32>
  %f = ncnn.reshape %e {name = "f", w = 4, h = 3, extra = {"9" = 1 : i32}} : (tensor<?xf32>) -> tensor<3x4xf32>
  func.return %b, %d, %f : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}

// Extents of another blob, of which nothing is promised, or only that they are no more.
func.func @reads_extents(%x: tensor<6x4xf32>, %y: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %a = ncnn.reshape %x, %y {name = "a", shape_expr = "1w,1h,1c"} : (tensor<6x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %a : tensor<2x3x4xf32>
}
func.func @reads_bounded_extents(%x: tensor<6x4xf32>, %y: tensor<2x3x4xf32> {ncnn.promised, ncnn.at_most = array<i64: 1, 2>}) -> tensor<2x3x4xf32> {
  %a = ncnn.reshape %x, %y {name = "a", shape_expr = "1w,1h,1c"} : (tensor<6x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %a : tensor<2x3x4xf32>
}

// A batch of blobs.
func.func @batches(%x: tensor<2x3x4xf32> {ncnn.promised}) -> tensor<*xf32> {
  %a = ncnn.reshape %x {name = "a", shape_expr = "0w,0h,0c", output_batch_axis = 0} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  func.return %a : tensor<*xf32>
}

// An input may be a batch, even one with promised extents: the constant is repeated for each blob.
func.func @repeated(%x: tensor<2x6xf32> {ncnn.promised}) -> tensor<2x6xf32> {
  %c = ncnn.constant dense<1.0> : tensor<12xf32>
  %y = ncnn.reshape %c, %x {name = "y", shape_expr = "1w,1h"} : (tensor<12xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  func.return %y : tensor<2x6xf32>
}

// Extents that no one knows, of an input and of its transpose: unknown equals nothing.
func.func @reads_unknown_extents(%x: tensor<*xf32>) -> (tensor<?x?xf32>, tensor<*xf32>) {
  %r = ncnn.permute %x {name = "r", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %m = ncnn.reshape %x, %r {name = "m", shape_expr = "1w,1h"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
  %w = ncnn.relu %x {name = "w"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %m, %w : tensor<?x?xf32>, tensor<*xf32>
}

// Extents of a blob behind a batch of other blobs.
func.func @reads_extents_behind_batch(%x: tensor<6x4xf32>) -> (tensor<?x?xf32>, tensor<*xf32>) {
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %g = ncnn.reshape %r {name = "g", w = 4, h = 6, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<*xf32>
  %u = ncnn.cumulativesum %r {name = "u", axis = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %m = ncnn.reshape %x, %g {name = "m", shape_expr = "1w,1h"} : (tensor<6x4xf32>, tensor<*xf32>) -> tensor<?x?xf32>
  func.return %m, %u : tensor<?x?xf32>, tensor<*xf32>
}

// The shape of the result is known by the number of elements, the extent that it asks for is not.
func.func @reads_width_of_unknown_blob(%x: tensor<*xf32>) -> (tensor<8xf32>, tensor<*xf32>) {
  %r = ncnn.reshape %x {name = "r", w = 8} : (tensor<*xf32>) -> tensor<?xf32>
  %v = ncnn.reshape %x {name = "v", w = 4, h = 2, c = 1, input_batch_axis = 0, output_batch_axis = 0} : (tensor<*xf32>) -> tensor<2x4xf32>
  %m = ncnn.reshape %v, %r {name = "m", shape_expr = "1w"} : (tensor<2x4xf32>, tensor<?xf32>) -> tensor<8xf32>
  %u = ncnn.relu %x {name = "u"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %m, %u : tensor<8xf32>, tensor<*xf32>
}
