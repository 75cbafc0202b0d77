// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-split %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// What uses the blobs must not lose what their types say.
func.func @less_is_known(%x: tensor<*xf32>) -> (tensor<2xf32>, tensor<*xf32>) {
  %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"]} : (tensor<*xf32>) -> (tensor<2xf32>, tensor<*xf32>)
  func.return %a, %b : tensor<2xf32>, tensor<*xf32>
}

// Nobody knows what it means.
func.func @unknown_parameter(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a, %b = ncnn.split %x {name = "split", blobs = ["a", "b"], extra = {"0" = 1 : i32}} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %relu = ncnn.relu %a {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
}

// eliminate-noop does that.
func.func @noop(%x: tensor<2xf32>) -> tensor<2xf32> {
  %noop = ncnn.noop %x {name = "noop"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %noop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}
