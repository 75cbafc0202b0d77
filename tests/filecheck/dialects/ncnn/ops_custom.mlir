// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %y = "test.op"() : () -> (tensor<8x4x4xf32>, tensor<*xf32>)
%x, %y = "test.op"() : () -> (tensor<8x4x4xf32>, tensor<*xf32>)
// CHECK-NEXT: %w = ncnn.constant #ncnn.elided : tensor<16xf32>
%w = ncnn.constant #ncnn.elided : tensor<16xf32>
// CHECK-NEXT: %b = ncnn.constant #ncnn.elided : tensor<8xf32>
%b = ncnn.constant #ncnn.elided : tensor<8xf32>

// Raw parameters of every kind, by id.
// CHECK-NEXT: %plain = ncnn.custom "MyLayer"(%x) {name = "plain"} : (tensor<8x4x4xf32>) -> tensor<*xf32>
%plain = ncnn.custom "MyLayer"(%x) {name = "plain"} : (tensor<8x4x4xf32>) -> tensor<*xf32>
// CHECK-NEXT: %params = ncnn.custom "YoloV5Focus"(%x) {name = "focus", featmask = 2, extra = {"0" = 3 : i32, "1" = 5.000000e-01 : f32, "2" = array<i32: 1, 2>, "3" = array<f32: 1.000000e+00>, "4" = "linear"}} : (tensor<8x4x4xf32>) -> tensor<*xf32>
%params = ncnn.custom "YoloV5Focus"(%x) {name = "focus", featmask = 2, extra = {"0" = 3 : i32, "1" = 5.000000e-01 : f32, "2" = array<i32: 1, 2>, "3" = array<f32: 1.000000e+00>, "4" = "linear"}} : (tensor<8x4x4xf32>) -> tensor<*xf32>
// CHECK-NEXT: %weights = ncnn.custom "MyLayer"(%x, %y) weights(%w, %b) {name = "weights"} : (tensor<8x4x4xf32>, tensor<*xf32>, tensor<16xf32>, tensor<8xf32>) -> tensor<*xf32>
%weights = ncnn.custom "MyLayer"(%x, %y) weights(%w, %b) {name = "weights"} : (tensor<8x4x4xf32>, tensor<*xf32>, tensor<16xf32>, tensor<8xf32>) -> tensor<*xf32>
// CHECK-NEXT: %first, %second = ncnn.custom "Fork"(%x) {name = "fork", blobs = ["first", "second"]} : (tensor<8x4x4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
%first, %second = ncnn.custom "Fork"(%x) {name = "fork", blobs = ["first", "second"]} : (tensor<8x4x4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
// CHECK-NEXT: %source = ncnn.custom "Camera"() {name = "source"} : () -> tensor<*xf32>
%source = ncnn.custom "Camera"() {name = "source"} : () -> tensor<*xf32>
// CHECK-NEXT: ncnn.custom "Sink"(%x, %x) : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> ()
ncnn.custom "Sink"(%x, %x) : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> ()
