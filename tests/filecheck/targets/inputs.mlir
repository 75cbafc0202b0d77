// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// Arguments are Input layers at the head, neighbours of one ncnn.layer a single one. Their parameters are
// the type's extents, unless ncnn.params says them. An ncnn.input stands where it stands.

// CHECK:      7767517
// CHECK-NEXT: 8 9
// CHECK-NEXT: Input                    image                    0 1 image 0=224 1=224 2=3
// CHECK-NEXT: Input                    pair                     0 2 left right 0=16
// CHECK-NEXT: Input                    any                      0 1 any
// CHECK-NEXT: Input                    volume                   0 1 volume 1=4 2=8 11=2
// CHECK-NEXT: Input                    strange                  0 1 strange 0=4 1=0 2=3 7=1
// CHECK-NEXT: ReLU                     relu                     1 1 image relu
// CHECK-NEXT: Input                    late                     0 1 late 0=4 1=2
// CHECK-NEXT: Concat                   concat                   7 1 relu left right any volume strange late concat
func.func @main(%image: tensor<3x224x224xf32> {ncnn.blob = "image"}, %left: tensor<16xf32> {ncnn.blob = "left", ncnn.layer = "pair"}, %right: tensor<16xf32> {ncnn.blob = "right", ncnn.layer = "pair"}, %any: tensor<*xf32> {ncnn.blob = "any"}, %volume: tensor<8x2x4x?xf32> {ncnn.blob = "volume"}, %strange: tensor<3x?x4xf32> {ncnn.blob = "strange", ncnn.params = {"0" = 4 : i32, "1" = 0 : i32, "7" = 1 : i32}}, %late: tensor<2x4xf32> {ncnn.blob = "late"}) -> (tensor<*xf32> {ncnn.blob = "concat"}) {
  %relu = ncnn.relu %image {name = "relu"} : (tensor<3x224x224xf32>) -> tensor<3x224x224xf32>
  %there = ncnn.input %late {name = "late", w = 4, h = 2} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %concat = ncnn.concat %relu, %left, %right, %any, %volume, %strange, %there {name = "concat"} : (tensor<3x224x224xf32>, tensor<16xf32>, tensor<16xf32>, tensor<*xf32>, tensor<8x2x4x?xf32>, tensor<3x?x4xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  func.return %concat : tensor<*xf32>
}
