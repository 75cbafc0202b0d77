// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-reorg %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-reorg %s > %t.once
// RUN: ncnn-opt --fuse-reorg %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-reorg --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Channels made of rows and columns.

// Of one channel.
// REMARK: remark: fuse-reorg: Reshape 'y', Permute 'b', Reshape 'a'
// CHECK-LABEL: func.func @one_channel(%x: tensor<1x10x14xf32>) -> tensor<4x5x7xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 2, h = 7, c = 5, d = 2} : (tensor<1x10x14xf32>) -> tensor<5x2x7x2xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 10} : (tensor<5x2x7x2xf32>) -> tensor<2x2x5x7xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 4} : (tensor<2x2x5x7xf32>) -> tensor<4x5x7xf32>
// BEFORE-NEXT:   func.return %y : tensor<4x5x7xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 14, h = 10, c = 1} : (tensor<1x10x14xf32>) -> tensor<1x10x14xf32>
// AFTER-NEXT:    %y = ncnn.reorg %0 {name = "y", stride = 2} : (tensor<1x10x14xf32>) -> tensor<4x5x7xf32>
// AFTER-NEXT:    func.return %y : tensor<4x5x7xf32>
// CHECK-NEXT: }
func.func @one_channel(%x: tensor<1x10x14xf32>) -> tensor<4x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 2, h = 7, d = 2, c = 5} : (tensor<1x10x14xf32>) -> tensor<5x2x7x2xf32>
  %b = ncnn.permute %a {name = "b", order_type = 10} : (tensor<5x2x7x2xf32>) -> tensor<2x2x5x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 4} : (tensor<2x2x5x7xf32>) -> tensor<4x5x7xf32>
  func.return %y : tensor<4x5x7xf32>
}

// Of several; the channels of a position are neighbours.
// CHECK-LABEL: func.func @position_major(%x: tensor<3x10x14xf32>) -> tensor<12x5x7xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 2, h = 7, c = 15, d = 2} : (tensor<3x10x14xf32>) -> tensor<15x2x7x2xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 10} : (tensor<15x2x7x2xf32>) -> tensor<2x2x15x7xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 12} : (tensor<2x2x15x7xf32>) -> tensor<12x5x7xf32>
// BEFORE-NEXT:   func.return %y : tensor<12x5x7xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 14, h = 10, c = 3} : (tensor<3x10x14xf32>) -> tensor<3x10x14xf32>
// AFTER-NEXT:    %y = ncnn.reorg %0 {name = "y", stride = 2, mode = position_major} : (tensor<3x10x14xf32>) -> tensor<12x5x7xf32>
// AFTER-NEXT:    func.return %y : tensor<12x5x7xf32>
// CHECK-NEXT: }
func.func @position_major(%x: tensor<3x10x14xf32>) -> tensor<12x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 2, h = 7, d = 2, c = 15} : (tensor<3x10x14xf32>) -> tensor<15x2x7x2xf32>
  %b = ncnn.permute %a {name = "b", order_type = 10} : (tensor<15x2x7x2xf32>) -> tensor<2x2x15x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 12} : (tensor<2x2x15x7xf32>) -> tensor<12x5x7xf32>
  func.return %y : tensor<12x5x7xf32>
}
