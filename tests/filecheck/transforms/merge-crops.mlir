// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --merge-crops %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --merge-crops %s > %t.once
// RUN: ncnn-opt --merge-crops %t.once | diff %t.once -
// RUN: ncnn-opt --merge-crops --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: merge-crops: Crop 'a', Crop 'b'
// REMARK-NEXT: remark: merge-crops: Crop 'a', Crop 'b', Crop 'c'

// Two halves of the channels, which the weights say.
// CHECK-LABEL: func.func @halves(%x: tensor<*xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x?xf32> {ncnn.blob = "lower"}) {
// BEFORE-NEXT:   %w = ncnn.constant dense<1.000000e+00> : tensor<4x1x2x2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 4, kernel_w = 2} : (tensor<*xf32>, tensor<4x1x2x2xf32>) -> tensor<4x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.crop %conv {name = "b", blobs = ["lower"], starts = [2], ends = [4], axes = [0], shape_hints = [3, 7, 7, 2]} : (tensor<4x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %a = ncnn.crop %conv {name = "a", starts = [0], ends = [2], axes = [0], shape_hints = [3, 7, 7, 2]} : (tensor<4x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %a {name = "relu"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %relu, %b : tensor<2x?x?xf32>, tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<1.000000e+00> : tensor<4x1x2x2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 4, kernel_w = 2} : (tensor<*xf32>, tensor<4x1x2x2xf32>) -> tensor<4x?x?xf32>
// AFTER-NEXT:    %a, %b = ncnn.slice %conv {name = "a", blobs = ["a", "lower"], slices = [2, -233], shape_hints = [3, 7, 7, 2, 3, 7, 7, 2]} : (tensor<4x?x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x?xf32>)
// AFTER-NEXT:    %relu = ncnn.relu %a {name = "relu"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %relu, %b : tensor<2x?x?xf32>, tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @halves(%x: tensor<*xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x?xf32> {ncnn.blob = "lower"}) {
  %w = ncnn.constant dense<1.0> : tensor<4x1x2x2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 4, kernel_w = 2} : (tensor<*xf32>, tensor<4x1x2x2xf32>) -> tensor<4x?x?xf32>
  %b = ncnn.crop %conv {name = "b", blobs = ["lower"], starts = [2], ends = [4], axes = [0], shape_hints = [3, 7, 7, 2]} : (tensor<4x?x?xf32>) -> tensor<2x?x?xf32>
  %a = ncnn.crop %conv {name = "a", starts = [0], ends = [2], axes = [0], shape_hints = [3, 7, 7, 2]} : (tensor<4x?x?xf32>) -> tensor<2x?x?xf32>
  %relu = ncnn.relu %a {name = "relu"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %relu, %b : tensor<2x?x?xf32>, tensor<2x?x?xf32>
}

// Starts and ends in all spellings; another reader of the blob.
// CHECK-LABEL: func.func @spellings(%x: tensor<*xf32>) -> (tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x6xf32>) {
// BEFORE-NEXT:   %y = ncnn.reshape %x {name = "y", w = 6, h = 2} : (tensor<*xf32>) -> tensor<2x6xf32>
// BEFORE-NEXT:   %z = ncnn.absval %y {name = "z"} : (tensor<2x6xf32>) -> tensor<2x6xf32>
// BEFORE-NEXT:   %flat = ncnn.reshape %z {name = "flat", w = 3, h = 2, c = 2} : (tensor<2x6xf32>) -> tensor<2x2x3xf32>
// BEFORE-NEXT:   %rows = ncnn.reshape %flat {name = "rows", w = 6, h = 2} : (tensor<2x2x3xf32>) -> tensor<2x6xf32>
// BEFORE-NEXT:   %a = ncnn.crop %rows {name = "a", starts = [-233], ends = [-3], axes = [1]} : (tensor<2x6xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.crop %rows {name = "b", starts = [3], ends = [5], axes = [-1]} : (tensor<2x6xf32>) -> tensor<2x2xf32>
// BEFORE-NEXT:   %c = ncnn.crop %rows {name = "c", starts = [-1], ends = [2147483647], axes = [1]} : (tensor<2x6xf32>) -> tensor<2x1xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %rows {name = "tanh"} : (tensor<2x6xf32>) -> tensor<2x6xf32>
// BEFORE-NEXT:   func.return %a, %b, %c, %tanh : tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x6xf32>
// AFTER-NEXT:    %y = ncnn.reshape %x {name = "y", w = 6, h = 2} : (tensor<*xf32>) -> tensor<2x6xf32>
// AFTER-NEXT:    %z = ncnn.absval %y {name = "z"} : (tensor<2x6xf32>) -> tensor<2x6xf32>
// AFTER-NEXT:    %flat = ncnn.reshape %z {name = "flat", w = 3, h = 2, c = 2} : (tensor<2x6xf32>) -> tensor<2x2x3xf32>
// AFTER-NEXT:    %rows = ncnn.reshape %flat {name = "rows", w = 6, h = 2} : (tensor<2x2x3xf32>) -> tensor<2x6xf32>
// AFTER-NEXT:    %a, %b, %c = ncnn.slice %rows {name = "a", blobs = ["a", "b", "c"], slices = [3, 2, -233], axis = 1} : (tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x1xf32>)
// AFTER-NEXT:    %tanh = ncnn.tanh %rows {name = "tanh"} : (tensor<2x6xf32>) -> tensor<2x6xf32>
// AFTER-NEXT:    func.return %a, %b, %c, %tanh : tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x6xf32>
// CHECK-NEXT: }
func.func @spellings(%x: tensor<*xf32>) -> (tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x6xf32>) {
  %y = ncnn.reshape %x {name = "y", w = 6, h = 2} : (tensor<*xf32>) -> tensor<2x6xf32>
  %z = ncnn.absval %y {name = "z"} : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %flat = ncnn.reshape %z {name = "flat", w = 3, h = 2, c = 2} : (tensor<2x6xf32>) -> tensor<2x2x3xf32>
  %rows = ncnn.reshape %flat {name = "rows", w = 6, h = 2} : (tensor<2x2x3xf32>) -> tensor<2x6xf32>
  %a = ncnn.crop %rows {name = "a", starts = [-233], ends = [-3], axes = [1]} : (tensor<2x6xf32>) -> tensor<2x3xf32>
  %b = ncnn.crop %rows {name = "b", starts = [3], ends = [5], axes = [-1]} : (tensor<2x6xf32>) -> tensor<2x2xf32>
  %c = ncnn.crop %rows {name = "c", starts = [-1], ends = [2147483647], axes = [1]} : (tensor<2x6xf32>) -> tensor<2x1xf32>
  %tanh = ncnn.tanh %rows {name = "tanh"} : (tensor<2x6xf32>) -> tensor<2x6xf32>
  func.return %a, %b, %c, %tanh : tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x6xf32>
}
