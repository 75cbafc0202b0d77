// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-pooling1x1 %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

func.func @stride(%x: tensor<3x8x8xf32>) -> tensor<3x5x5xf32> {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 1, stride_w = 2} : (tensor<3x8x8xf32>) -> tensor<3x5x5xf32>
  func.return %pool : tensor<3x5x5xf32>
}

func.func @kernel(%x: tensor<3x8x8xf32>) -> tensor<3x8x7xf32> {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 2, kernel_h = 1} : (tensor<3x8x8xf32>) -> tensor<3x8x7xf32>
  func.return %pool : tensor<3x8x7xf32>
}

func.func @pads(%x: tensor<3x8x8xf32>) -> tensor<3x8x9xf32> {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 1, pad_right = 1} : (tensor<3x8x8xf32>) -> tensor<3x8x9xf32>
  func.return %pool : tensor<3x8x9xf32>
}

// Where the pads are those of SAME, the given ones still decide what a mean counts.
func.func @unused_pads(%x: tensor<3x8x8xf32>) -> tensor<3x8x8xf32> {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %pool = ncnn.pooling %abs {name = "pool", pooling_type = avg, kernel_w = 1, pad_left = 1, pad_mode = same_upper} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  func.return %pool : tensor<3x8x8xf32>
}

func.func @global(%x: tensor<3x1x1xf32>) -> tensor<3xf32> {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 1, global_pooling = 1} : (tensor<3x1x1xf32>) -> tensor<3xf32>
  func.return %pool : tensor<3xf32>
}

// The kernel is not used.
func.func @adaptive(%x: tensor<3x8x8xf32>) -> tensor<3x4x4xf32> {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 1, adaptive_pooling = 1, out_w = 4} : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
  func.return %pool : tensor<3x4x4xf32>
}

// An input may be larger than the file says.
func.func @adaptive_to_the_input(%x: tensor<3x8x8xf32>) -> tensor<3x8x8xf32> {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %pool = ncnn.pooling %abs {name = "pool", adaptive_pooling = 1, out_w = 8} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  func.return %pool : tensor<3x8x8xf32>
}

// Pooling1D does not know -233.
func.func @one_axis(%x: tensor<4x8xf32>) -> tensor<4x?xf32> {
  %pool = ncnn.pooling1d %x {name = "pool", adaptive_pooling = 1, out_w = 9} : (tensor<4x8xf32>) -> tensor<4x?xf32>
  func.return %pool : tensor<4x?xf32>
}

// Of a blob of which nothing is known it may make one of 3 dims.
func.func @unknown(%x: tensor<*xf32>) -> tensor<?x?x?xf32> {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<*xf32>) -> tensor<*xf32>
  %pool = ncnn.pooling %abs {name = "pool", kernel_w = 1} : (tensor<*xf32>) -> tensor<?x?x?xf32>
  func.return %pool : tensor<?x?x?xf32>
}

// An input that is an output under another name: some layer must give it that name.
func.func @input_to_output(%x: tensor<3x8x8xf32> {ncnn.blob = "data"}) -> (tensor<3x8x8xf32> {ncnn.blob = "out"}) {
  %pool = ncnn.pooling %x {name = "pool", blobs = ["out"], kernel_w = 1} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  func.return %pool : tensor<3x8x8xf32>
}

// Nobody knows what it means.
func.func @unknown_parameter(%x: tensor<3x8x8xf32>) -> tensor<3x8x8xf32> {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 1, extra = {"29" = 1 : i32}} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %relu = ncnn.relu %pool {name = "relu"} : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  func.return %relu : tensor<3x8x8xf32>
}

// eliminate-dropout does that.
func.func @dropout(%x: tensor<2xf32>) -> tensor<2xf32> {
  %drop = ncnn.dropout %x {name = "drop"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}
