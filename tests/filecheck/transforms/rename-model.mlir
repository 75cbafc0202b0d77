// RUN: ncnn-opt --split-input-file --rename 'data=in0,prob=output' %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --split-input-file --rename-model='names="data=in0","prob=output"' %s | filecheck %s --match-full-lines

// A layer and its blob are renamed together, and an Input layer with its blob.
// CHECK-LABEL: func.func @main(%data: tensor<4xf32> {ncnn.blob = "in0"}) -> (tensor<4xf32> {ncnn.blob = "output"}) {
// CHECK-NEXT:   %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %prob = ncnn.relu %a {name = "output"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %prob : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "prob"}) {
  %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %prob = ncnn.relu %a {name = "prob"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %prob : tensor<4xf32>
}

// -----

// Names are the file's: the Input layer has its own, and the output is named by its layer.
// CHECK-LABEL: func.func @main(%x: tensor<4xf32> {ncnn.blob = "in0", ncnn.layer = "input"}) -> (tensor<4xf32> {ncnn.blob = "output"}) attributes {ncnn.shared_blobs = ["in0"]} {
// CHECK-NEXT:   %a = ncnn.absval %x {name = "a", blobs = ["output"]} : (tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32> {ncnn.blob = "data", ncnn.layer = "input"}) -> tensor<4xf32> attributes {ncnn.shared_blobs = ["data"]} {
  %a = ncnn.absval %x {name = "a", blobs = ["prob"]} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}
