// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-identity %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Parameters that change something.
func.func @parameters(%x: tensor<4x?x?xf32>) -> (tensor<4x?x?xf32>, tensor<*xf32>, tensor<4x?x?xf32>, tensor<4x?x?xf32>, tensor<4x?x?xf32>, tensor<1x?x?xf32>, tensor<4x?x?xf32>) {
  %a = ncnn.padding %x {name = "a", left = 1, right = -1} : (tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %b = ncnn.tile %x {name = "b", repeats = [1, 1, 1, 1]} : (tensor<4x?x?xf32>) -> tensor<*xf32>
  %c = ncnn.tile %x {name = "c", axis = 2, tiles = 2} : (tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %d = ncnn.flip %x {name = "d", axes = [2]} : (tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %e = ncnn.shufflechannel %x {name = "e", group = 2} : (tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %f = ncnn.pixelshuffle %x {name = "f", upscale_factor = 2} : (tensor<4x?x?xf32>) -> tensor<1x?x?xf32>
  %g = ncnn.relu %x {name = "g", slope = -1.0} : (tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  func.return %a, %b, %c, %d, %e, %f, %g : tensor<4x?x?xf32>, tensor<*xf32>, tensor<4x?x?xf32>, tensor<4x?x?xf32>, tensor<4x?x?xf32>, tensor<1x?x?xf32>, tensor<4x?x?xf32>
}

// The file says that inputs have these extents, the runtime takes others as well.
func.func @extents_of_inputs(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %a = ncnn.reshape %abs {name = "a", w = 4, h = 3, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %b = ncnn.crop %abs {name = "b", outw = 4, outh = 3, outc = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %c = ncnn.interp %abs {name = "c", resize_type = bilinear, output_height = 3, output_width = 4} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %d = ncnn.crop %abs, %y {name = "d"} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %e = ncnn.slice %abs {name = "e", slices = [2]} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %a, %b, %c, %d, %e : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// Other shapes of as many elements, and others that may be.
func.func @reshapes(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<1x?x?x?xf32>, tensor<?x?x?xf32>) {
  %a = ncnn.reshape %x {name = "a", w = 0, h = 4, c = -1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.squeeze %x {name = "b", squeeze_c = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = ncnn.reshape %x {name = "c", w = 0, h = -1} : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  %d = ncnn.expanddims %x {name = "d", axes = [0]} : (tensor<?x?x?xf32>) -> tensor<1x?x?x?xf32>
  %e = ncnn.permute %x {name = "e", order_type = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %a, %b, %c, %d, %e : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<1x?x?x?xf32>, tensor<?x?x?xf32>
}

// A Crop that cuts off, or whose bounds are not those of all axes.
func.func @crop(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %a = ncnn.crop %x {name = "a", starts = [1], ends = [-233], axes = [1]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = ncnn.crop %x {name = "b", starts = [0], ends = [-1], axes = [1]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = ncnn.crop %x {name = "c", outw = -233, outh = 3} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = ncnn.crop %x {name = "d", woffset = 1, outw = -233, outh = -233} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %a, %b, %c, %d : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// Bicubic samples are taken by the scales, even where extents are the same; what is made of 1 dim has 3.
func.func @interp(%x: tensor<*xf32>, %y: tensor<?xf32>, %z: tensor<*xf32>) -> (tensor<2x3x4xf32>, tensor<?x1x1xf32>, tensor<*xf32>) {
  %a = ncnn.reshape %x {name = "a", w = 4, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x4xf32>
  %b = ncnn.interp %a {name = "b", resize_type = bicubic, height_scale = 1.1, width_scale = 1.1} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %c = ncnn.interp %y {name = "c", resize_type = bilinear} : (tensor<?xf32>) -> tensor<?x1x1xf32>
  %d = ncnn.interp %z {name = "d", resize_type = bilinear} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %b, %c, %d : tensor<2x3x4xf32>, tensor<?x1x1xf32>, tensor<*xf32>
}

// Parts left out, in another order, along another axis, of another blob, read by others but not all.
func.func @slice_and_concat(%x: tensor<?x?xf32>) -> (tensor<4x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %a, %b = ncnn.slice %x {name = "s1", blobs = ["a", "b"], slices = [2, 2]} : (tensor<?x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>)
  %c = ncnn.concat %a, %b {name = "c"} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<4x?xf32>
  %d, %e = ncnn.slice %x {name = "s2", blobs = ["d", "e"], slices = [2, -233]} : (tensor<?x?xf32>) -> (tensor<2x?xf32>, tensor<?x?xf32>)
  %f = ncnn.concat %e, %d {name = "f"} : (tensor<?x?xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  %g, %h = ncnn.slice %x {name = "s3", blobs = ["g", "h"], slices = [-233, -233], axis = 1} : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %i = ncnn.concat %g, %h {name = "i", axis = 0} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %j, %k, %l = ncnn.slice %x {name = "s4", blobs = ["j", "k", "l"], slices = [-233, -233, -233]} : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
  %m = ncnn.concat %j, %k {name = "m"} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %c, %f, %i, %m : tensor<4x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// The runtime cuts these elsewhere, or may.
func.func @concat_and_slice(%x: tensor<*xf32>, %y: tensor<?x2xf32>, %z: tensor<?x2xf32>) -> (tensor<1x2x2xf32>, tensor<4x2x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  %a = ncnn.reshape %x {name = "a", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
  %b = ncnn.reshape %x {name = "b", w = 2, h = 2, c = 3} : (tensor<*xf32>) -> tensor<3x2x2xf32>
  %c = ncnn.concat %a, %b {name = "c"} : (tensor<2x2x2xf32>, tensor<3x2x2xf32>) -> tensor<5x2x2xf32>
  %d, %e = ncnn.slice %c {name = "s1", blobs = ["d", "e"], slices = [1, -233]} : (tensor<5x2x2xf32>) -> (tensor<1x2x2xf32>, tensor<4x2x2xf32>)
  %f = ncnn.concat %y, %z {name = "f"} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %g, %h = ncnn.slice %f {name = "s2", blobs = ["g", "h"], slices = [-233, -233]} : (tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
  func.return %d, %e, %g, %h : tensor<1x2x2xf32>, tensor<4x2x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}

// Not 1, not 0, not the neutral one, not for all channels, or the result is larger than the blob.
func.func @affine(%x: tensor<2x?x?xf32>, %y: tensor<1x?x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<?x?x?xf32>) {
  %mixed = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %ones = ncnn.constant {name = "ones"} dense<1.0> : tensor<3x1x1xf32>
  %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 1.00001} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %b = ncnn.binaryop %x {name = "b", op_type = rsub, with_scalar = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %c = ncnn.binaryop %x {name = "c", op_type = max, with_scalar = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %d = ncnn.scale %x scale %mixed {name = "d"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %e = ncnn.binaryop %y, %ones {name = "e", op_type = mul} : (tensor<1x?x?xf32>, tensor<3x1x1xf32>) -> tensor<?x?x?xf32>
  func.return %a, %b, %c, %d, %e : tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<?x?x?xf32>
}

// Weights for as many channels as the file says that an input has.
func.func @channels_of_an_input(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %ones = ncnn.constant dense<1.0> : tensor<2xf32>
  %zeros = ncnn.constant {name = "zeros"} dense<0.0> : tensor<2xf32>
  %abs = ncnn.absval %x {name = "abs"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %a = ncnn.scale %abs scale %ones {name = "a"} : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  %b = ncnn.binaryop %abs, %zeros {name = "b", op_type = add} : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  func.return %a, %b : tensor<2x4xf32>, tensor<2x4xf32>
}

// What reads a blob must not lose what was known of it, and an input has the type that it has.
func.func @less_is_known(%x: tensor<*xf32>) -> tensor<2xf32> {
  %permute = ncnn.permute %x {name = "permute"} : (tensor<*xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %permute {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %tanh : tensor<2xf32>
}

// A copy has memory of its own: there may be a reason.
func.func @deepcopy(%x: tensor<2xf32>) -> tensor<2xf32> {
  %copy = ncnn.deepcopy %x {name = "copy"} : (tensor<2xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %copy {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %tanh : tensor<2xf32>
}

// An input that is an output under another name: some layer must give it that name.
func.func @input_to_output(%x: tensor<2xf32> {ncnn.blob = "data"}, %y: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2xf32> {ncnn.blob = "sum"}) {
  %flat = ncnn.flatten %x {name = "flat", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
  %sum = ncnn.binaryop %y {name = "sum", op_type = add, with_scalar = 1} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %flat, %sum : tensor<2xf32>, tensor<2xf32>
}

// Nobody knows what they mean.
func.func @unknown_parameters(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = ncnn.flatten %x {name = "a", extra = {"9" = 1 : i32}} : (tensor<?xf32>) -> tensor<?xf32>
  %b = ncnn.power %a {name = "b", extra = {"9" = 1 : i32}} : (tensor<?xf32>) -> tensor<?xf32>
  %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %tanh : tensor<?xf32>
}

// One of the inputs may be a batch: the runtime joins the other one with each of its blobs.
func.func @concat_and_slice_of_inputs(%x: tensor<*xf32>, %y: tensor<*xf32>) -> (tensor<2x2x2xf32> {ncnn.blob = "out"}, tensor<3x2x2xf32>) {
  %a = ncnn.reshape %x {name = "a", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
  %b = ncnn.reshape %y {name = "b", w = 2, h = 2, c = 3} : (tensor<*xf32>) -> tensor<3x2x2xf32>
  %all = ncnn.concat %a, %b {name = "all"} : (tensor<2x2x2xf32>, tensor<3x2x2xf32>) -> tensor<5x2x2xf32>
  %c, %d = ncnn.slice %all {name = "slice", blobs = ["out", "d"], slices = [2, -233]} : (tensor<5x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<3x2x2xf32>)
  %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
  func.return %c, %tanh : tensor<2x2x2xf32>, tensor<3x2x2xf32>
}
