// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-padding-conv %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-padding-conv %s > %t.once
// RUN: ncnn-opt --fuse-padding-conv %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-padding-conv --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// On each side apart; weights may be anything.

// Asymmetric.
// REMARK: remark: fuse-padding-conv: Convolution 'y', Padding 'p'
// CHECK-LABEL: func.func @asymmetric(%x: tensor<2x5x5xf32>) -> tensor<4x3x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", bottom = 2, right = 1} : (tensor<2x5x5xf32>) -> tensor<2x7x6xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3, stride_w = 2} : (tensor<2x7x6xf32>, tensor<4x2x3x3xf32>) -> tensor<4x3x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x3x2xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", num_output = 4, kernel_w = 3, stride_w = 2, pad_right = 1, pad_bottom = 2} : (tensor<2x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x3x2xf32>
// AFTER-NEXT:    func.return %y : tensor<4x3x2xf32>
// CHECK-NEXT: }
func.func @asymmetric(%x: tensor<2x5x5xf32>) -> tensor<4x3x2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", bottom = 2, right = 1} : (tensor<2x5x5xf32>) -> tensor<2x7x6xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3, stride_w = 2} : (tensor<2x7x6xf32>, tensor<4x2x3x3xf32>) -> tensor<4x3x2xf32>
  func.return %y : tensor<4x3x2xf32>
}

// On top of what the convolution pads by itself.
// CHECK-LABEL: func.func @added(%x: tensor<2x5x5xf32>) -> tensor<4x6x7xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 1, left = 2} : (tensor<2x5x5xf32>) -> tensor<2x6x7xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<2x6x7xf32>, tensor<4x2x3x3xf32>) -> tensor<4x6x7xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x6x7xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = 3, pad_top = 2, pad_right = 1, pad_bottom = 1} : (tensor<2x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x6x7xf32>
// AFTER-NEXT:    func.return %y : tensor<4x6x7xf32>
// CHECK-NEXT: }
func.func @added(%x: tensor<2x5x5xf32>) -> tensor<4x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1, left = 2} : (tensor<2x5x5xf32>) -> tensor<2x6x7xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = 1} : (tensor<2x6x7xf32>, tensor<4x2x3x3xf32>) -> tensor<4x6x7xf32>
  func.return %y : tensor<4x6x7xf32>
}

// With another constant, where the convolution does not pad.
// CHECK-LABEL: func.func @constant(%x: tensor<2x5x5xf32>) -> tensor<4x4x4xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 1, left = 1, value = 0.5} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x6xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x4x4xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = 1, pad_right = 0, pad_bottom = 0, pad_value = 0.5} : (tensor<2x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x4xf32>
// AFTER-NEXT:    func.return %y : tensor<4x4x4xf32>
// CHECK-NEXT: }
func.func @constant(%x: tensor<2x5x5xf32>) -> tensor<4x4x4xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1, left = 1, value = 0.5} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x6xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x4xf32>
  func.return %y : tensor<4x4x4xf32>
}

// Of channels apart; the activation stays.
// REMARK: remark: fuse-padding-conv: ConvolutionDepthWise 'y', Padding 'p'
// CHECK-LABEL: func.func @depthwise(%x: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x1x3x3xf32>
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", bottom = 1, right = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
// BEFORE-NEXT:   %y = ncnn.convolutiondepthwise %p weight %w {name = "y", num_output = 2, kernel_w = 3, stride_w = 2, group = 2, activation_type = relu} : (tensor<2x6x6xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x2x2xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x1x3x3xf32>
// AFTER-NEXT:    %y = ncnn.convolutiondepthwise %x weight %w {name = "y", num_output = 2, kernel_w = 3, stride_w = 2, group = 2, activation_type = relu, pad_right = 1, pad_bottom = 1} : (tensor<2x5x5xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    func.return %y : tensor<2x2x2xf32>
// CHECK-NEXT: }
func.func @depthwise(%x: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x1x3x3xf32>
  %p = ncnn.padding %x {name = "p", bottom = 1, right = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.convolutiondepthwise %p weight %w {name = "y", num_output = 2, kernel_w = 3, stride_w = 2, group = 2, activation_type = relu} : (tensor<2x6x6xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// In 1 dim.
// REMARK: remark: fuse-padding-conv: Convolution1D 'y', Padding 'p'
// CHECK-LABEL: func.func @one_dim(%x: tensor<2x5xf32>) -> tensor<4x5xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x2x3xf32>
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", left = 2} : (tensor<2x5xf32>) -> tensor<2x7xf32>
// BEFORE-NEXT:   %y = ncnn.convolution1d %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x7xf32>, tensor<4x2x3xf32>) -> tensor<4x5xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x5xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<4x2x3xf32>
// AFTER-NEXT:    %y = ncnn.convolution1d %x weight %w {name = "y", num_output = 4, kernel_w = 3, pad_left = 2, pad_right = 0} : (tensor<2x5xf32>, tensor<4x2x3xf32>) -> tensor<4x5xf32>
// AFTER-NEXT:    func.return %y : tensor<4x5xf32>
// CHECK-NEXT: }
func.func @one_dim(%x: tensor<2x5xf32>) -> tensor<4x5xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3xf32>
  %p = ncnn.padding %x {name = "p", left = 2} : (tensor<2x5xf32>) -> tensor<2x7xf32>
  %y = ncnn.convolution1d %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x7xf32>, tensor<4x2x3xf32>) -> tensor<4x5xf32>
  func.return %y : tensor<4x5xf32>
}

// In 3 dims, where front and behind are depth.
// REMARK: remark: fuse-padding-conv: Convolution3D 'y', Padding 'p'
// CHECK-LABEL: func.func @three_dims(%x: tensor<2x5x5x5xf32>) -> tensor<4x6x6x3xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3x3xf32>
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 3, front = 1, behind = 2} : (tensor<2x5x5x5xf32>) -> tensor<2x8x8x5xf32>
// BEFORE-NEXT:   %y = ncnn.convolution3d %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x8x8x5xf32>, tensor<4x2x3x3x3xf32>) -> tensor<4x6x6x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x6x6x3xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3x3xf32>
// AFTER-NEXT:    %y = ncnn.convolution3d %x weight %w {name = "y", num_output = 4, kernel_w = 3, pad_top = 3, pad_bottom = 0, pad_behind = 2, pad_front = 1} : (tensor<2x5x5x5xf32>, tensor<4x2x3x3x3xf32>) -> tensor<4x6x6x3xf32>
// AFTER-NEXT:    func.return %y : tensor<4x6x6x3xf32>
// CHECK-NEXT: }
func.func @three_dims(%x: tensor<2x5x5x5xf32>) -> tensor<4x6x6x3xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3x3xf32>
  %p = ncnn.padding %x {name = "p", front = 1, behind = 2, top = 3} : (tensor<2x5x5x5xf32>) -> tensor<2x8x8x5xf32>
  %y = ncnn.convolution3d %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x8x8x5xf32>, tensor<4x2x3x3x3xf32>) -> tensor<4x6x6x3xf32>
  func.return %y : tensor<4x6x6x3xf32>
}

// Of quantized elements: 0 is 0.
// CHECK-LABEL: func.func @int8(%x: tensor<2x5x5xf32>) -> tensor<4x4x3xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// BEFORE-NEXT:   %sw = ncnn.constant #ncnn.elided : tensor<4xf32>
// BEFORE-NEXT:   %sx = ncnn.constant #ncnn.elided : tensor<1xf32>
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %p weight %w weight_int8_scales %sw bottom_int8_scales %sx {name = "y", num_output = 4, kernel_w = 3, int8_scale_term = 1} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4x4x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x4x3xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// AFTER-NEXT:    %sw = ncnn.constant #ncnn.elided : tensor<4xf32>
// AFTER-NEXT:    %sx = ncnn.constant #ncnn.elided : tensor<1xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w weight_int8_scales %sw bottom_int8_scales %sx {name = "y", num_output = 4, kernel_w = 3, int8_scale_term = 1, pad_top = 1, pad_bottom = 0} : (tensor<2x5x5xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4x4x3xf32>
// AFTER-NEXT:    func.return %y : tensor<4x4x3xf32>
// CHECK-NEXT: }
func.func @int8(%x: tensor<2x5x5xf32>) -> tensor<4x4x3xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %sw = ncnn.constant #ncnn.elided : tensor<4xf32>
  %sx = ncnn.constant #ncnn.elided : tensor<1xf32>
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w weight_int8_scales %sw bottom_int8_scales %sx {name = "y", num_output = 4, kernel_w = 3, int8_scale_term = 1} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4x4x3xf32>
  func.return %y : tensor<4x4x3xf32>
}

// Of a dynamic weight.
// CHECK-LABEL: func.func @dynamic(%x: tensor<2x5x5xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32> {
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %p weight %w {name = "y", kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x4x3xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", kernel_w = 3, pad_top = 1, pad_bottom = 0} : (tensor<2x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
// AFTER-NEXT:    func.return %y : tensor<4x4x3xf32>
// CHECK-NEXT: }
func.func @dynamic(%x: tensor<2x5x5xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32> {
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
  func.return %y : tensor<4x4x3xf32>
}

// All that read it do it.
// REMARK: remark: fuse-padding-conv: Unfold 'z', Padding 'p'
// REMARK: remark: fuse-padding-conv: Convolution 'y', Padding 'p'
// CHECK-LABEL: func.func @all(%x: tensor<2x5x5xf32>) -> (tensor<4x4x3xf32>, tensor<18x12xf32>) {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
// BEFORE-NEXT:   %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
// BEFORE-NEXT:   %z = ncnn.unfold %p {name = "z", kernel_w = 3} : (tensor<2x6x5xf32>) -> tensor<18x12xf32>
// BEFORE-NEXT:   func.return %y, %z : tensor<4x4x3xf32>, tensor<18x12xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
// AFTER-NEXT:    %y = ncnn.convolution %x weight %w {name = "y", num_output = 4, kernel_w = 3, pad_top = 1, pad_bottom = 0} : (tensor<2x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
// AFTER-NEXT:    %z = ncnn.unfold %x {name = "z", kernel_w = 3, pad_top = 1, pad_bottom = 0} : (tensor<2x5x5xf32>) -> tensor<18x12xf32>
// AFTER-NEXT:    func.return %y, %z : tensor<4x4x3xf32>, tensor<18x12xf32>
// CHECK-NEXT: }
func.func @all(%x: tensor<2x5x5xf32>) -> (tensor<4x4x3xf32>, tensor<18x12xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<4x2x3x3xf32>
  %p = ncnn.padding %x {name = "p", top = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x5xf32>
  %y = ncnn.convolution %p weight %w {name = "y", num_output = 4, kernel_w = 3} : (tensor<2x6x5xf32>, tensor<4x2x3x3xf32>) -> tensor<4x4x3xf32>
  %z = ncnn.unfold %p {name = "z", kernel_w = 3} : (tensor<2x6x5xf32>) -> tensor<18x12xf32>
  func.return %y, %z : tensor<4x4x3xf32>, tensor<18x12xf32>
}

// For an Unfold.
// REMARK: remark: fuse-padding-conv: Unfold 'y', Padding 'p'
// CHECK-LABEL: func.func @unfold(%x: tensor<2x5x5xf32>) -> tensor<18x16xf32> {
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 1, right = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
// BEFORE-NEXT:   %y = ncnn.unfold %p {name = "y", kernel_w = 3} : (tensor<2x6x6xf32>) -> tensor<18x16xf32>
// BEFORE-NEXT:   func.return %y : tensor<18x16xf32>
// AFTER-NEXT:    %y = ncnn.unfold %x {name = "y", kernel_w = 3, pad_top = 1, pad_right = 1, pad_bottom = 0} : (tensor<2x5x5xf32>) -> tensor<18x16xf32>
// AFTER-NEXT:    func.return %y : tensor<18x16xf32>
// CHECK-NEXT: }
func.func @unfold(%x: tensor<2x5x5xf32>) -> tensor<18x16xf32> {
  %p = ncnn.padding %x {name = "p", top = 1, right = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.unfold %p {name = "y", kernel_w = 3} : (tensor<2x6x6xf32>) -> tensor<18x16xf32>
  func.return %y : tensor<18x16xf32>
}
