// RUN: ncnn-opt --split-input-file --legalize-pnnx-convolution %s | filecheck %s

// Constants become weights of the layer.
// CHECK:   func.func @main(%0: tensor<1x16x8x8xf32>) -> tensor<16x4x8xf32> {
// CHECK-NEXT:     %1 = ncnn.constant #ncnn.elided : tensor<16x1x3x3xf32>
// CHECK-NEXT:     %2 = ncnn.constant #ncnn.elided : tensor<16xf32>
// CHECK-NEXT:     %3 = pnnx.cast %0 : tensor<1x16x8x8xf32> to tensor<16x8x8xf32>
// CHECK-NEXT:     %4 = ncnn.convolutiondepthwise %3 weight %1 bias %2 {num_output = 16, kernel_w = 3, pad_left = 1, group = 16, stride_h = 2} : (tensor<16x8x8xf32>, tensor<16x1x3x3xf32>, tensor<16xf32>) -> tensor<16x4x8xf32>
// CHECK-NEXT:     %5 = pnnx.cast %4 : tensor<16x4x8xf32> to tensor<1x16x4x8xf32>
// CHECK-NEXT:     %6 = pnnx.cast %5 : tensor<1x16x4x8xf32> to tensor<16x4x8xf32>
// CHECK-NEXT:     func.return %6 : tensor<16x4x8xf32>
func.func @main(%0: tensor<1x16x8x8xf32>) -> tensor<16x4x8xf32> {
  %w = ncnn.constant {name = "w"} #ncnn.elided : tensor<16x1x3x3xf32>
  %b = ncnn.constant {name = "b"} #ncnn.elided : tensor<16xf32>
  %1 = pnnx.op "nn.Conv2d" "c"(%w, %b, %0) {params = {bias = true, dilation = array<i32: 1, 1>, groups = 16 : i32, padding = array<i32: 1, 1>, padding_mode = "zeros", stride = array<i32: 2, 1>}, weights = {bias = tensor<16xf32>, weight = tensor<16x1x3x3xf32>}} : (tensor<16x1x3x3xf32>, tensor<16xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x4x8xf32>
  %2 = pnnx.cast %1 : tensor<1x16x4x8xf32> to tensor<16x4x8xf32>
  func.return %2 : tensor<16x4x8xf32>
}

// -----

// A weight that is computed.
// CHECK:   func.func @main(%0: tensor<1x3x8x8xf32>, %1: tensor<4x3x3x3xf32>) -> tensor<4x6x6xf32> {
// CHECK-NEXT:     %2 = pnnx.cast %0 : tensor<1x3x8x8xf32> to tensor<3x8x8xf32>
// CHECK-NEXT:     %3 = ncnn.convolution %2 weight %1 {num_output = 4, kernel_w = 3} : (tensor<3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<4x6x6xf32>
// CHECK-NEXT:     %4 = pnnx.cast %3 : tensor<4x6x6xf32> to tensor<1x4x6x6xf32>
// CHECK-NEXT:     %5 = pnnx.cast %4 : tensor<1x4x6x6xf32> to tensor<4x6x6xf32>
// CHECK-NEXT:     func.return %5 : tensor<4x6x6xf32>
func.func @main(%0: tensor<1x3x8x8xf32>, %1: tensor<4x3x3x3xf32>) -> tensor<4x6x6xf32> {
  %2 = pnnx.op "F.conv2d" "c"(%0, %1) {params = {dilation = array<i32: 1, 1>, groups = 1 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}, keys = ["input", "weight"]} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %3 = pnnx.cast %2 : tensor<1x4x6x6xf32> to tensor<4x6x6xf32>
  func.return %3 : tensor<4x6x6xf32>
}
