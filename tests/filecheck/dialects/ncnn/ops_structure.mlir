// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %y = "test.op"() : () -> (tensor<8x4x4xf32>, tensor<*xf32>)
%x, %y = "test.op"() : () -> (tensor<8x4x4xf32>, tensor<*xf32>)

// CHECK-NEXT: %input = ncnn.input %x {name = "data", w = 4, h = 4, c = 8} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%input = ncnn.input %x {name = "data", w = 4, h = 4, c = 8} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %deep = ncnn.input %y {name = "deep", w = 1, h = 2, c = 4, d = 3} : (tensor<*xf32>) -> tensor<*xf32>
%deep = ncnn.input %y {name = "deep", w = 1, h = 2, c = 4, d = 3} : (tensor<*xf32>) -> tensor<*xf32>
// CHECK-NEXT: %left, %right = ncnn.input %x, %y {name = "pair", blobs = ["left", "right"]} : (tensor<8x4x4xf32>, tensor<*xf32>) -> (tensor<8x4x4xf32>, tensor<*xf32>)
%left, %right = ncnn.input %x, %y {name = "pair", blobs = ["left", "right"]} : (tensor<8x4x4xf32>, tensor<*xf32>) -> (tensor<8x4x4xf32>, tensor<*xf32>)
// CHECK-NEXT: ncnn.input {name = "nothing"} : () -> ()
ncnn.input {name = "nothing"} : () -> ()
// CHECK-NEXT: %a, %b, %c = ncnn.split %x {name = "split", blobs = ["a", "b", "c"]} : (tensor<8x4x4xf32>) -> (tensor<8x4x4xf32>, tensor<8x4x4xf32>, tensor<8x4x4xf32>)
%a, %b, %c = ncnn.split %x {name = "split", blobs = ["a", "b", "c"]} : (tensor<8x4x4xf32>) -> (tensor<8x4x4xf32>, tensor<8x4x4xf32>, tensor<8x4x4xf32>)
// CHECK-NEXT: %noop = ncnn.noop %x {name = "noop"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%noop = ncnn.noop %x {name = "noop"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %first = ncnn.noop %x, %y {name = "first", blobs = ["first_of_two"]} : (tensor<8x4x4xf32>, tensor<*xf32>) -> tensor<8x4x4xf32>
%first = ncnn.noop %x, %y {name = "first", blobs = ["first_of_two"]} : (tensor<8x4x4xf32>, tensor<*xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: ncnn.noop %x {name = "sink"} : (tensor<8x4x4xf32>) -> ()
ncnn.noop %x {name = "sink"} : (tensor<8x4x4xf32>) -> ()
// CHECK-NEXT: %copy = ncnn.deepcopy %x {name = "copy"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%copy = ncnn.deepcopy %x {name = "copy"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// What every layer may have: no name; another name for its blob; a feature mask; shape hints; parameters
// that are not declared; attributes of others.
// CHECK-NEXT: %unnamed = ncnn.noop %x : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%unnamed = ncnn.noop %x : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %renamed = ncnn.noop %x {name = "layer 1", blobs = ["blob/1:0"]} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%renamed = ncnn.noop %x {name = "layer 1", blobs = ["blob/1:0"]} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %masked = ncnn.noop %x {name = "masked", featmask = 12} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%masked = ncnn.noop %x {name = "masked", featmask = 12} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %hinted = ncnn.noop %x {name = "hinted", shape_hints = [3, 4, 4, 8]} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%hinted = ncnn.noop %x {name = "hinted", shape_hints = [3, 4, 4, 8]} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %extra = ncnn.noop %x {name = "extra", extra = {"7" = 4 : i32, "8" = 2.500000e-01 : f32, "9" = "word", "10" = array<i32: 1, 2>, "11" = array<f32: 1.000000e+00>}} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%extra = ncnn.noop %x {name = "extra", extra = {"7" = 4 : i32, "8" = 2.500000e-01 : f32, "9" = "word", "10" = array<i32: 1, 2>, "11" = array<f32: 1.000000e+00>}} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %foreign = ncnn.noop %x {name = "foreign", other.note = "kept", other.flag = unit} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%foreign = ncnn.noop %x {name = "foreign", other.note = "kept", other.flag = unit} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %no_mask = ncnn.noop %x {name = "no_mask"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%no_mask = ncnn.noop %x {name = "no_mask", shape_hints = [], featmask = 0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
