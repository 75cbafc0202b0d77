// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --partition-host-ops %s | diff %t.before -

// All of it has a linalg form.
func.func @main(%data: tensor<4x6x6xf32> {ncnn.blob = "data"}) -> (tensor<4x6x6xf32> {ncnn.blob = "out"}) {
  %a = ncnn.relu %data {name = "a"} : (tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %b = ncnn.sigmoid %a {name = "b"} : (tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  func.return %b : tensor<4x6x6xf32>
}
