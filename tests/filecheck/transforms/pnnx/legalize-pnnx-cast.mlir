// RUN: ncnn-opt --split-input-file --legalize-pnnx-cast %s | filecheck %s

// A batch becomes an axis, and an axis a batch.
// CHECK:   func.func @main(%0: tensor<49x128xf32>) -> (tensor<4x4x49x128xf32>, tensor<49x128xf32>) {
// CHECK-NEXT:     %1 = ncnn.reshape %0 {w = 128, h = 49, c = 4, d = 4, input_batch_axis = 0} : (tensor<49x128xf32>) -> tensor<4x4x49x128xf32>
// CHECK-NEXT:     %2 = ncnn.reshape %0 {w = 128, h = 49, c = 16, input_batch_axis = 0, output_batch_axis = 0} : (tensor<49x128xf32>) -> tensor<*xf32>
// CHECK-NEXT:     %3 = ncnn.relu %2 {name = "relu"} : (tensor<*xf32>) -> tensor<49x128xf32>
// CHECK-NEXT:     func.return %1, %3 : tensor<4x4x49x128xf32>, tensor<49x128xf32>
func.func @main(%0: tensor<49x128xf32>) -> (tensor<4x4x49x128xf32>, tensor<49x128xf32>) {
  %1 = pnnx.cast %0 {from_batch = 0 : i32} : tensor<49x128xf32> to tensor<16x49x128xf32>
  %2 = pnnx.cast %1 : tensor<16x49x128xf32> to tensor<4x4x49x128xf32>
  %3 = pnnx.cast %1 {to_batch = 0 : i32} : tensor<16x49x128xf32> to tensor<49x128xf32>
  %4 = ncnn.relu %3 {name = "relu"} : (tensor<49x128xf32>) -> tensor<49x128xf32>
  func.return %2, %4 : tensor<4x4x49x128xf32>, tensor<49x128xf32>
}
