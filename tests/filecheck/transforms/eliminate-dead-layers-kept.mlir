// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-dead-layers %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// One of the outputs is used; an output of the model; one without outputs.
func.func @alive(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a, %b = ncnn.split %x {name = "s", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %c = ncnn.relu %a {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.tanh %x {name = "d"} : (tensor<2xf32>) -> tensor<2xf32>
  ncnn.noop %d {name = "sink"} : (tensor<2xf32>) -> ()
  %k = ncnn.constant {name = "k"} dense<[1.0, 2.0]> : tensor<2xf32>
  func.return %c, %k : tensor<2xf32>, tensor<2xf32>
}
