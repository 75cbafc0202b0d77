// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// How parameters are written: arrays in the old style, which every version of ncnn reads; as many
// digits as a float32 needs; quotes where a string has blanks or the like.

// CHECK:      7767517
// CHECK-NEXT: 6 6
// CHECK-NEXT: Input                    x                        0 1 x 0=4 1=4 2=8
// CHECK-NEXT: ReLU                     leaky                    1 1 x leaky 0=1.000000e-01 5=7 6=2.500000e-01 -23307=2,1,-2 -23308=2,1.000000e+00,1.000000e-10 9=word 10="two words" 31=3
// CHECK-NEXT: Clip                     clip                     1 1 leaky clip 0=-0.000000e+00 1=3.402823e+38 -23330=4,3,4,4,8
// CHECK-NEXT: Power                    power                    1 1 clip power 1=3.3333334e-01 2=1.401298e-45
// CHECK-NEXT: Reduction                mean                     1 1 power mean 0=3 1=0 -23303=1,-1 4=1 5=1
// CHECK-NEXT: Reshape                  reshape                  1 1 mean reshape 6="*(0w,2),-1"
func.func @main(%x: tensor<8x4x4xf32> {ncnn.blob = "x"}) -> (tensor<*xf32> {ncnn.blob = "reshape"}) {
  %leaky = ncnn.relu %x {name = "leaky", slope = 0.1, featmask = 3, extra = {"5" = 7 : i32, "6" = 2.500000e-01 : f32, "7" = array<i32: 1, -2>, "8" = array<f32: 1.0, 1.0e-10>, "9" = "word", "10" = "two words"}} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
  %clip = ncnn.clip %leaky {name = "clip", min = -0.0, max = 3.402823e+38, shape_hints = [3, 4, 4, 8]} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
  %power = ncnn.power %clip {name = "power", scale = 0.33333334, shift = 1.0e-45} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
  %mean = ncnn.reduction %power {name = "mean", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<8x4x4xf32>) -> tensor<8x4x1xf32>
  %reshape = ncnn.reshape %mean {name = "reshape", shape_expr = "*(0w,2),-1"} : (tensor<8x4x1xf32>) -> tensor<*xf32>
  func.return %reshape : tensor<*xf32>
}
