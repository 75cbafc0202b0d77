// Shape hints are for files of ncnn's, which cannot hold this.
// RUN: ncnn-opt %s --convert-ncnn-to-linalg --externalize-weights --input-shape x=4 | filecheck %s

// CHECK: func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
func.func @main(%x: tensor<?xf32> {ncnn.blob = "x"}) -> tensor<?xf32> {
  %y = ncnn.relu %x {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}
