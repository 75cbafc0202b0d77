// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-batches %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The sum along the outermost axis of each blob is not known to be one along an axis of one blob.
func.func @layer(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %s = ncnn.cumulativesum %r {name = "s", axis = 0} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %s {name = "y", w = 4, h = 6, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x4xf32>
  func.return %y : tensor<6x4xf32>
}

// How many blobs there are depends on the input, of which the type says nothing certain.
func.func @number(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = -1, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %s = ncnn.relu %r {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %s {name = "y", w = 4, h = -1, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x4xf32>
  func.return %y : tensor<6x4xf32>
}

// The batch is an output.
func.func @output(%x: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<*xf32>) {
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %s = ncnn.relu %r {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %s {name = "y", w = 4, h = 6, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x4xf32>
  func.return %y, %s : tensor<6x4xf32>, tensor<*xf32>
}

// A slice of both axes: LayerNorm of a blob with an axis more would take it for one of three.
func.func @slices(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %r = ncnn.reshape %x {name = "r", w = 2, h = 2, d = 3, c = 2, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %s = ncnn.layernorm %r {name = "s", affine_size = 4} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %s {name = "y", w = 4, h = 6, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x4xf32>
  func.return %y : tensor<6x4xf32>
}

// One mask for each blob, for both of its heads: an SDPA of four heads has none such.
func.func @mask(%x: tensor<4x3x4xf32>, %m: tensor<2x9xf32>) -> tensor<4x3x4xf32> {
  %z = ncnn.reshape %m {name = "z", w = 3, h = 3, c = 2, output_batch_axis = 0} : (tensor<2x9xf32>) -> tensor<*xf32>
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, d = 2, c = 2, output_batch_axis = 0} : (tensor<4x3x4xf32>) -> tensor<*xf32>
  %a = ncnn.sdpa %r, %r, %r, %z {name = "a", attn_mask = 1} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %a {name = "y", w = 4, h = 3, c = 4, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<4x3x4xf32>
  func.return %y : tensor<4x3x4xf32>
}

// The mask is an input: it may be a batch of two masks, one for each of the blobs.
func.func @mask_of_input(%x: tensor<2x3x4xf32>, %m: tensor<3x3xf32>) -> tensor<2x3x4xf32> {
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, d = 1, c = 2, output_batch_axis = 0} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  %a = ncnn.sdpa %r, %r, %r, %m {name = "a", attn_mask = 1} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<3x3xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %a {name = "y", w = 4, h = 3, c = 2, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// The input may be a batch: its rows are those of all blobs.
func.func @rows_of_inputs(%x: tensor<6x4xf32>) -> tensor<*xf32> {
  %y = ncnn.reshape %x {name = "y", w = 4, h = -1, input_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// The batch of the input becomes the innermost axis of a blob, or another axis becomes the batch.
func.func @moved(%x: tensor<6x4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %y = ncnn.reshape %x {name = "y", shape_expr = "0n,0w,0h", input_batch_axis = 2} : (tensor<6x4xf32>) -> tensor<*xf32>
  %z = ncnn.reshape %x {name = "z", shape_expr = "0w,0n,0h", input_batch_axis = 0, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  func.return %y, %z : tensor<*xf32>, tensor<*xf32>
}

// A batch as a reference: the runtime makes two blobs of the one blob.
func.func @reference(%x: tensor<6x4xf32>) -> tensor<6x8xf32> {
  %c = ncnn.constant dense<1.0> : tensor<12xf32>
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %d = ncnn.reshape %c, %r {name = "d", shape_expr = "1w,1h"} : (tensor<12xf32>, tensor<*xf32>) -> tensor<*xf32>
  %s = ncnn.concat %r, %d {name = "s", axis = 1} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %s {name = "y", w = 8, h = 6, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x8xf32>
  func.return %y : tensor<6x8xf32>
}

// Of an expression, too: how many rows the input has is not certain.
func.func @expression(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %r = ncnn.reshape %x {name = "r", shape_expr = "4,3,//(0h,3)", output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %r {name = "y", shape_expr = "4,*(0h,0n)", input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x4xf32>
  func.return %y : tensor<6x4xf32>
}

// Each blob has four axes: no MatMul has five.
func.func @product(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %m = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r = ncnn.reshape %x {name = "r", shape_expr = "2,1,2,3,2", output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %s = ncnn.matmul %r, %m {name = "s"} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %s {name = "y", shape_expr = "4,6", input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x4xf32>
  func.return %y : tensor<6x4xf32>
}
