// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-noop %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Without outputs it may be there to keep a blob alive.
func.func @sink(%x: tensor<2xf32>) -> () {
  ncnn.noop %x {name = "noop"} : (tensor<2xf32>) -> ()
  func.return
}

// An input that is an output under another name: this is how to say so.
func.func @input_to_output(%x: tensor<2xf32> {ncnn.blob = "data"}) -> (tensor<2xf32> {ncnn.blob = "out"}) {
  %noop = ncnn.noop %x {name = "noop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %noop : tensor<2xf32>
}

// All or nothing: one of the outputs must stay.
func.func @one_of_two(%x: tensor<2xf32> {ncnn.blob = "data"}, %y: tensor<2x1x1xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2x1x1xf32>) {
  %a, %b = ncnn.noop %x, %y {name = "noop", blobs = ["a", "b"]} : (tensor<2xf32>, tensor<2x1x1xf32>) -> (tensor<2xf32>, tensor<2x1x1xf32>)
  %relu = ncnn.relu %b {name = "relu"} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %a, %relu : tensor<2xf32>, tensor<2x1x1xf32>
}

// A copy has memory of its own: there may be a reason.
func.func @deepcopy(%x: tensor<2xf32>) -> tensor<2xf32> {
  %deepcopy = ncnn.deepcopy %x {name = "deepcopy"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %deepcopy {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}
