// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-reshape-before-binaryop %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// The other blob may have another number of channels: then it would be the innermost axis.
func.func @unknown_channels(%x: tensor<?x?x?xf32>, %y: tensor<*xf32>) -> tensor<?x?x?xf32> {
  %flat = ncnn.flatten %y {name = "flat"} : (tensor<*xf32>) -> tensor<?xf32>
  %reshape = ncnn.reshape %flat {name = "reshape", w = 1, h = 1, c = -1} : (tensor<?xf32>) -> tensor<?x1x1xf32>
  %mul = ncnn.binaryop %x, %reshape {name = "mul", op_type = mul} : (tensor<?x?x?xf32>, tensor<?x1x1xf32>) -> tensor<?x?x?xf32>
  func.return %mul : tensor<?x?x?xf32>
}

// The file says how many channels the inputs have, the runtime takes others as well.
func.func @channels_of_an_input(%x: tensor<2x4x4xf32>, %y: tensor<2xf32>) -> tensor<2x4x4xf32> {
  %reshape = ncnn.reshape %y {name = "reshape", w = 1, h = 1, c = -1} : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %x, %reshape {name = "mul", op_type = mul} : (tensor<2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<2x4x4xf32>
  func.return %mul : tensor<2x4x4xf32>
}

// Without the Reshape it would be the outermost axis, which is as long.
func.func @ambiguous(%x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<2x2x2xf32> {
  %cube = ncnn.reshape %x {name = "cube", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
  %rows = ncnn.reshape %y {name = "rows", w = 2, h = 1, c = 1} : (tensor<*xf32>) -> tensor<1x1x2xf32>
  %flat = ncnn.flatten %rows {name = "flat"} : (tensor<1x1x2xf32>) -> tensor<2xf32>
  %reshape = ncnn.reshape %flat {name = "reshape", w = 2, h = 1, c = 1} : (tensor<2xf32>) -> tensor<1x1x2xf32>
  %add = ncnn.binaryop %cube, %reshape {name = "add", op_type = add} : (tensor<2x2x2xf32>, tensor<1x1x2xf32>) -> tensor<2x2x2xf32>
  func.return %add : tensor<2x2x2xf32>
}

// The middle axis.
func.func @rows(%x: tensor<2x?x?xf32>, %y: tensor<*xf32>) -> tensor<2x?x?xf32> {
  %flat = ncnn.flatten %y {name = "flat"} : (tensor<*xf32>) -> tensor<?xf32>
  %reshape = ncnn.reshape %flat {name = "reshape", w = 1, h = -1, c = 1} : (tensor<?xf32>) -> tensor<1x?x1xf32>
  %add = ncnn.binaryop %x, %reshape {name = "add", op_type = add} : (tensor<2x?x?xf32>, tensor<1x?x1xf32>) -> tensor<2x?x?xf32>
  func.return %add : tensor<2x?x?xf32>
}

// The reshaped blob is the larger one: the result would have fewer dims.
func.func @fewer_dims(%x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<2x1x1xf32> {
  %one = ncnn.reshape %x {name = "one", w = 2, h = 1} : (tensor<*xf32>) -> tensor<1x2xf32>
  %a = ncnn.flatten %one {name = "a"} : (tensor<1x2xf32>) -> tensor<2xf32>
  %b = ncnn.flatten %y {name = "b"} : (tensor<*xf32>) -> tensor<?xf32>
  %reshape = ncnn.reshape %a {name = "reshape", w = 1, h = 1, c = 2} : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %add = ncnn.binaryop %b, %reshape {name = "add", op_type = add} : (tensor<?xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %add : tensor<2x1x1xf32>
}

// A Permute puts elements elsewhere.
func.func @permute(%x: tensor<2x?x?xf32>, %y: tensor<2x?xf32>) -> tensor<2x?x?xf32> {
  %permute = ncnn.permute %y {name = "permute", order_type = 1} : (tensor<2x?xf32>) -> tensor<?x2xf32>
  %add = ncnn.binaryop %x, %permute {name = "add", op_type = add} : (tensor<2x?x?xf32>, tensor<?x2xf32>) -> tensor<2x?x?xf32>
  func.return %add : tensor<2x?x?xf32>
}

// What is between has another reader, or is an output: it has the other shape for them.
func.func @read_twice(%x: tensor<2x?x?xf32>, %y: tensor<2x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>) {
  %expand = ncnn.expanddims %y {name = "expand", axes = [2]} : (tensor<2x?xf32>) -> tensor<2x?x1xf32>
  %gate = ncnn.sigmoid %expand {name = "gate"} : (tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  %add = ncnn.binaryop %x, %gate {name = "add", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  %relu = ncnn.relu %gate {name = "relu"} : (tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  func.return %add, %relu, %relu : tensor<2x?x?xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>
}

// A Softmax between sees the shape.
func.func @softmax_between(%x: tensor<2x?x?xf32>, %y: tensor<2x?xf32>) -> tensor<2x?x?xf32> {
  %expand = ncnn.expanddims %y {name = "expand", axes = [2]} : (tensor<2x?xf32>) -> tensor<2x?x1xf32>
  %softmax = ncnn.softmax %expand {name = "softmax"} : (tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  %add = ncnn.binaryop %x, %softmax {name = "add", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  func.return %add : tensor<2x?x?xf32>
}

// An Eltwise does not broadcast.
func.func @eltwise(%x: tensor<2x?x1xf32>, %y: tensor<2x?xf32>) -> tensor<2x?x1xf32> {
  %expand = ncnn.expanddims %y {name = "expand", axes = [2]} : (tensor<2x?xf32>) -> tensor<2x?x1xf32>
  %sum = ncnn.eltwise %x, %expand {name = "sum", op_type = sum} : (tensor<2x?x1xf32>, tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  func.return %sum : tensor<2x?x1xf32>
}

// Nobody knows what they mean.
func.func @unknown_parameters(%x: tensor<2x?x?xf32>, %y: tensor<2x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x?xf32>) {
  %a = ncnn.expanddims %y {name = "a", axes = [2], extra = {"9" = 1 : i32}} : (tensor<2x?xf32>) -> tensor<2x?x1xf32>
  %add = ncnn.binaryop %x, %a {name = "add", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  %b = ncnn.expanddims %y {name = "b", axes = [2]} : (tensor<2x?xf32>) -> tensor<2x?x1xf32>
  %mul = ncnn.binaryop %x, %b {name = "mul", op_type = mul, extra = {"9" = 1 : i32}} : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  func.return %add, %mul : tensor<2x?x?xf32>, tensor<2x?x?xf32>
}

// What stands between reads another blob, and expands by its own rules.
func.func @two_blobs(%x: tensor<*xf32>, %o: tensor<*xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x3x3xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 3} : (tensor<*xf32>, tensor<2x1x3x3xf32>) -> tensor<2x?x?xf32>
  %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
  %reshape = ncnn.reshape %pool {name = "reshape", w = 1, h = 1, c = 2} : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %times = ncnn.binaryop %reshape, %o {name = "times", op_type = mul} : (tensor<2x1x1xf32>, tensor<*xf32>) -> tensor<*xf32>
  %sub = ncnn.binaryop %times, %conv {name = "sub", op_type = sub} : (tensor<*xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %sub : tensor<2x?x?xf32>
}
