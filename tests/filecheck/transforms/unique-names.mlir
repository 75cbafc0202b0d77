// RUN: ncnn-opt --unique-names %s | filecheck %s
// RUN: ncnn-opt --unique-names --unique-names %s | filecheck %s

// CHECK:      func.func @main(%data: tensor<8xf32> {ncnn.blob = "data", ncnn.layer = "data_layer"})
// CHECK-NEXT:   %relu = ncnn.relu %data {name = "relu_layer_1", blobs = ["relu"]}
// CHECK-NEXT:   %a, %b = ncnn.split %relu {name = "split", blobs = ["a", "b"]}
// CHECK-NEXT:   %c = ncnn.relu %a {name = "a_layer", blobs = ["c"]}
// CHECK-NEXT:   %e = ncnn.relu %b {name = "relu_layer_layer", blobs = ["relu_layer"]}
// CHECK-NEXT:   %d = ncnn.relu %e {name = "split_layer", blobs = ["d"]}
func.func @main(%data: tensor<8xf32> {ncnn.blob = "data"}) -> (tensor<8xf32>, tensor<8xf32>) {
  %relu = ncnn.relu %data {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  %a, %b = ncnn.split %relu {name = "split", blobs = ["a", "b"]} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %c = ncnn.relu %a {name = "a", blobs = ["c"]} : (tensor<8xf32>) -> tensor<8xf32>
  %e = ncnn.relu %b {name = "relu_layer"} : (tensor<8xf32>) -> tensor<8xf32>
  %d = ncnn.relu %e {name = "split", blobs = ["d"]} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %c, %d : tensor<8xf32>, tensor<8xf32>
}
