// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// Raw parameters as they came; the weights are floats without a tag.

// CHECK:      7767517
// CHECK-NEXT: 3 3
// CHECK-NEXT: Input                    x                        0 1 x 0=8
// CHECK-NEXT: MyLayer                  mine                     1 2 x y z 0=3 1=word
// CHECK-NEXT: Sink                     sink                     1 0 z
func.func @main(%x: tensor<8xf32> {ncnn.blob = "x"}) -> (tensor<*xf32> {ncnn.blob = "y"}) {
  %w = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y, %z = ncnn.custom "MyLayer"(%x) weights(%w) {name = "mine", blobs = ["y", "z"], extra = {"0" = 3 : i32, "1" = "word"}} : (tensor<8xf32>, tensor<2xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  ncnn.custom "Sink"(%z) {name = "sink"} : (tensor<*xf32>) -> ()
  func.return %y : tensor<*xf32>
}
