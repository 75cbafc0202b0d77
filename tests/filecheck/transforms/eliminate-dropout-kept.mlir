// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-dropout %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// It does something.
func.func @scaled(%x: tensor<2xf32>) -> tensor<2xf32> {
  %drop = ncnn.dropout %x {name = "drop", scale = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// An input that is an output under another name: some layer must give it that name.
func.func @input_to_output(%x: tensor<2xf32> {ncnn.blob = "data"}) -> (tensor<2xf32> {ncnn.blob = "out"}) {
  %drop = ncnn.dropout %x {name = "drop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %drop : tensor<2xf32>
}

// What uses the blob must not lose what its type says.
func.func @less_is_known(%x: tensor<*xf32>) -> tensor<2xf32> {
  %drop = ncnn.dropout %x {name = "drop"} : (tensor<*xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// Nobody knows what it means.
func.func @unknown_parameter(%x: tensor<2xf32>) -> tensor<2xf32> {
  %drop = ncnn.dropout %x {name = "drop", extra = {"3" = 1 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// eliminate-noop does that.
func.func @noop(%x: tensor<2xf32>) -> tensor<2xf32> {
  %noop = ncnn.noop %x {name = "noop"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %noop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// What follows says another extent than the one that it would then read.
func.func @other_extent(%x: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %y = ncnn.dropout %x {name = "y"} : (tensor<3x4xf32>) -> tensor<?x4xf32>
  %z = ncnn.tanh %y {name = "z"} : (tensor<?x4xf32>) -> tensor<5x4xf32>
  func.return %z : tensor<5x4xf32>
}
