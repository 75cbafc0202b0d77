// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-pixelshuffle %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-pixelshuffle %s > %t.once
// RUN: ncnn-opt --fuse-pixelshuffle %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-pixelshuffle --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Rows and columns made of channels.

// One channel comes out.
// REMARK: remark: fuse-pixelshuffle: Reshape 'y', Permute 'b', Reshape 'a'
// CHECK-LABEL: func.func @one_channel(%x: tensor<4x5x7xf32>) -> tensor<1x10x14xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 7, h = 5, c = 2, d = 2} : (tensor<4x5x7xf32>) -> tensor<2x2x5x7xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 13} : (tensor<2x2x5x7xf32>) -> tensor<5x2x7x2xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %b {name = "y", w = 14, h = 10, c = 1} : (tensor<5x2x7x2xf32>) -> tensor<1x10x14xf32>
// BEFORE-NEXT:   func.return %y : tensor<1x10x14xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 7, h = 5, c = 4} : (tensor<4x5x7xf32>) -> tensor<4x5x7xf32>
// AFTER-NEXT:    %y = ncnn.pixelshuffle %0 {name = "y", upscale_factor = 2} : (tensor<4x5x7xf32>) -> tensor<1x10x14xf32>
// AFTER-NEXT:    func.return %y : tensor<1x10x14xf32>
// CHECK-NEXT: }
func.func @one_channel(%x: tensor<4x5x7xf32>) -> tensor<1x10x14xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 2, c = 2} : (tensor<4x5x7xf32>) -> tensor<2x2x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 13} : (tensor<2x2x5x7xf32>) -> tensor<5x2x7x2xf32>
  %y = ncnn.reshape %b {name = "y", w = 14, h = 10, c = 1} : (tensor<5x2x7x2xf32>) -> tensor<1x10x14xf32>
  func.return %y : tensor<1x10x14xf32>
}

// Several, each of neighbouring channels: columns, then rows.
// CHECK-LABEL: func.func @output_major(%x: tensor<12x5x7xf32>) -> tensor<3x10x14xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 7, h = 5, c = 6, d = 2} : (tensor<12x5x7xf32>) -> tensor<6x2x5x7xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 3} : (tensor<6x2x5x7xf32>) -> tensor<6x5x7x2xf32>
// BEFORE-NEXT:   %c = ncnn.reshape %b {name = "c", w = 14, h = 5, c = 3, d = 2} : (tensor<6x5x7x2xf32>) -> tensor<3x2x5x14xf32>
// BEFORE-NEXT:   %d = ncnn.permute %c {name = "d", order_type = 2} : (tensor<3x2x5x14xf32>) -> tensor<3x5x2x14xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %d {name = "y", w = 14, h = 10, c = 3} : (tensor<3x5x2x14xf32>) -> tensor<3x10x14xf32>
// BEFORE-NEXT:   func.return %y : tensor<3x10x14xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 7, h = 5, c = 12} : (tensor<12x5x7xf32>) -> tensor<12x5x7xf32>
// AFTER-NEXT:    %y = ncnn.pixelshuffle %0 {name = "y", upscale_factor = 2} : (tensor<12x5x7xf32>) -> tensor<3x10x14xf32>
// AFTER-NEXT:    func.return %y : tensor<3x10x14xf32>
// CHECK-NEXT: }
func.func @output_major(%x: tensor<12x5x7xf32>) -> tensor<3x10x14xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 2, c = 6} : (tensor<12x5x7xf32>) -> tensor<6x2x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 3} : (tensor<6x2x5x7xf32>) -> tensor<6x5x7x2xf32>
  %c = ncnn.reshape %b {name = "c", w = 14, h = 5, d = 2, c = 3} : (tensor<6x5x7x2xf32>) -> tensor<3x2x5x14xf32>
  %d = ncnn.permute %c {name = "d", order_type = 2} : (tensor<3x2x5x14xf32>) -> tensor<3x5x2x14xf32>
  %y = ncnn.reshape %d {name = "y", w = 14, h = 10, c = 3} : (tensor<3x5x2x14xf32>) -> tensor<3x10x14xf32>
  func.return %y : tensor<3x10x14xf32>
}

// The channels of a position are neighbours.
// CHECK-LABEL: func.func @position_major(%x: tensor<12x5x7xf32>) -> tensor<3x10x14xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 7, h = 15, c = 2, d = 2} : (tensor<12x5x7xf32>) -> tensor<2x2x15x7xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 13} : (tensor<2x2x15x7xf32>) -> tensor<15x2x7x2xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %b {name = "y", w = 14, h = 10, c = 3} : (tensor<15x2x7x2xf32>) -> tensor<3x10x14xf32>
// BEFORE-NEXT:   func.return %y : tensor<3x10x14xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 7, h = 5, c = 12} : (tensor<12x5x7xf32>) -> tensor<12x5x7xf32>
// AFTER-NEXT:    %y = ncnn.pixelshuffle %0 {name = "y", upscale_factor = 2, mode = position_major} : (tensor<12x5x7xf32>) -> tensor<3x10x14xf32>
// AFTER-NEXT:    func.return %y : tensor<3x10x14xf32>
// CHECK-NEXT: }
func.func @position_major(%x: tensor<12x5x7xf32>) -> tensor<3x10x14xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 15, d = 2, c = 2} : (tensor<12x5x7xf32>) -> tensor<2x2x15x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 13} : (tensor<2x2x15x7xf32>) -> tensor<15x2x7x2xf32>
  %y = ncnn.reshape %b {name = "y", w = 14, h = 10, c = 3} : (tensor<15x2x7x2xf32>) -> tensor<3x10x14xf32>
  func.return %y : tensor<3x10x14xf32>
}
