// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-shufflechannel %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-shufflechannel %s > %t.once
// RUN: ncnn-opt --fuse-shufflechannel %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-shufflechannel --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Where the extents of the input are not certain, a Reshape makes them those that the chain asks for.

// In 4 dims.
// REMARK: remark: fuse-shufflechannel: Reshape 'y', Permute 'b', Reshape 'a'
// CHECK-LABEL: func.func @four_dims(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 7, h = 5, c = 2, d = 3} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x5x7xf32>) -> tensor<3x2x5x7xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x5x7xf32>) -> tensor<6x5x7xf32>
// BEFORE-NEXT:   func.return %y : tensor<6x5x7xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 7, h = 5, c = 6} : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
// AFTER-NEXT:    %y = ncnn.shufflechannel %0 {name = "y", group = 2} : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
// AFTER-NEXT:    func.return %y : tensor<6x5x7xf32>
// CHECK-NEXT: }
func.func @four_dims(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 7, h = 5, d = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x5x7xf32>) -> tensor<3x2x5x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x5x7xf32>) -> tensor<6x5x7xf32>
  func.return %y : tensor<6x5x7xf32>
}

// In 3 dims: what is behind the channels is one axis.
// CHECK-LABEL: func.func @three_dims(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 35, h = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x35xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x3x35xf32>) -> tensor<3x2x35xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x35xf32>) -> tensor<6x5x7xf32>
// BEFORE-NEXT:   func.return %y : tensor<6x5x7xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 7, h = 5, c = 6} : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
// AFTER-NEXT:    %y = ncnn.shufflechannel %0 {name = "y", group = 2} : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
// AFTER-NEXT:    func.return %y : tensor<6x5x7xf32>
// CHECK-NEXT: }
func.func @three_dims(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 35, h = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x35xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x3x35xf32>) -> tensor<3x2x35xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x35xf32>) -> tensor<6x5x7xf32>
  func.return %y : tensor<6x5x7xf32>
}

// The channels are those of a convolution, and height and width are copied: for an input of any size.
// CHECK-LABEL: func.func @copied(%i: tensor<1x?x?xf32>) -> tensor<6x?x?xf32> {
// BEFORE-NEXT:   %wt = ncnn.constant #ncnn.elided : tensor<6x1x3x3xf32>
// BEFORE-NEXT:   %x = ncnn.convolution %i weight %wt {name = "x", num_output = 6, kernel_w = 3, pad_left = 1} : (tensor<1x?x?xf32>, tensor<6x1x3x3xf32>) -> tensor<6x?x?xf32>
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 0, h = 0, c = 2, d = 3} : (tensor<6x?x?xf32>) -> tensor<2x3x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x?x?xf32>) -> tensor<3x2x?x?xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %b {name = "y", w = 0, h = 0, c = 6} : (tensor<3x2x?x?xf32>) -> tensor<6x?x?xf32>
// BEFORE-NEXT:   func.return %y : tensor<6x?x?xf32>
// AFTER-NEXT:    %wt = ncnn.constant #ncnn.elided : tensor<6x1x3x3xf32>
// AFTER-NEXT:    %x = ncnn.convolution %i weight %wt {name = "x", num_output = 6, kernel_w = 3, pad_left = 1} : (tensor<1x?x?xf32>, tensor<6x1x3x3xf32>) -> tensor<6x?x?xf32>
// AFTER-NEXT:    %y = ncnn.shufflechannel %x {name = "y", group = 2} : (tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
// AFTER-NEXT:    func.return %y : tensor<6x?x?xf32>
// CHECK-NEXT: }
func.func @copied(%i: tensor<1x?x?xf32>) -> tensor<6x?x?xf32> {
  %wt = ncnn.constant #ncnn.elided : tensor<6x1x3x3xf32>
  %x = ncnn.convolution %i weight %wt {name = "x", num_output = 6, kernel_w = 3, pad_left = 1} : (tensor<1x?x?xf32>, tensor<6x1x3x3xf32>) -> tensor<6x?x?xf32>
  %a = ncnn.reshape %x {name = "a", w = 0, h = 0, d = 3, c = 2} : (tensor<6x?x?xf32>) -> tensor<2x3x?x?xf32>
  %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x?x?xf32>) -> tensor<3x2x?x?xf32>
  %y = ncnn.reshape %b {name = "y", w = 0, h = 0, c = 6} : (tensor<3x2x?x?xf32>) -> tensor<6x?x?xf32>
  func.return %y : tensor<6x?x?xf32>
}

// The shape is certain: it is that of a Reshape.
// CHECK-LABEL: func.func @certain(%z: tensor<*xf32>) -> tensor<6x5x7xf32> {
// BEFORE-NEXT:   %x = ncnn.reshape %z {name = "x", w = 7, h = 5, c = 6} : (tensor<*xf32>) -> tensor<6x5x7xf32>
// BEFORE-NEXT:   %r = ncnn.relu %x {name = "r"} : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
// BEFORE-NEXT:   %a = ncnn.reshape %r {name = "a", w = 7, h = 5, c = 2, d = 3} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x5x7xf32>) -> tensor<3x2x5x7xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x5x7xf32>) -> tensor<6x5x7xf32>
// BEFORE-NEXT:   func.return %y : tensor<6x5x7xf32>
// AFTER-NEXT:    %x = ncnn.reshape %z {name = "x", w = 7, h = 5, c = 6} : (tensor<*xf32>) -> tensor<6x5x7xf32>
// AFTER-NEXT:    %r = ncnn.relu %x {name = "r"} : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
// AFTER-NEXT:    %y = ncnn.shufflechannel %r {name = "y", group = 2} : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
// AFTER-NEXT:    func.return %y : tensor<6x5x7xf32>
// CHECK-NEXT: }
func.func @certain(%z: tensor<*xf32>) -> tensor<6x5x7xf32> {
  %x = ncnn.reshape %z {name = "x", w = 7, h = 5, c = 6} : (tensor<*xf32>) -> tensor<6x5x7xf32>
  %r = ncnn.relu %x {name = "r"} : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %a = ncnn.reshape %r {name = "a", w = 7, h = 5, d = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
  %b = ncnn.permute %a {name = "b", order_type = 6} : (tensor<2x3x5x7xf32>) -> tensor<3x2x5x7xf32>
  %y = ncnn.reshape %b {name = "y", w = 7, h = 5, c = 6} : (tensor<3x2x5x7xf32>) -> tensor<6x5x7xf32>
  func.return %y : tensor<6x5x7xf32>
}

// Already the first three layers are one, of another height and width.
// CHECK-LABEL: func.func @detour(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 35, h = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x35xf32>
// BEFORE-NEXT:   %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x3x35xf32>) -> tensor<3x2x35xf32>
// BEFORE-NEXT:   %c = ncnn.reshape %b {name = "c", w = 5, h = 7, c = 6} : (tensor<3x2x35xf32>) -> tensor<6x7x5xf32>
// BEFORE-NEXT:   %d = ncnn.flatten %c {name = "d"} : (tensor<6x7x5xf32>) -> tensor<210xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %d {name = "y", w = 7, h = 5, c = 6} : (tensor<210xf32>) -> tensor<6x5x7xf32>
// BEFORE-NEXT:   func.return %y : tensor<6x5x7xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 5, h = 7, c = 6} : (tensor<6x5x7xf32>) -> tensor<6x7x5xf32>
// AFTER-NEXT:    %c = ncnn.shufflechannel %0 {name = "c", group = 2} : (tensor<6x7x5xf32>) -> tensor<6x7x5xf32>
// AFTER-NEXT:    %d = ncnn.flatten %c {name = "d"} : (tensor<6x7x5xf32>) -> tensor<210xf32>
// AFTER-NEXT:    %y = ncnn.reshape %d {name = "y", w = 7, h = 5, c = 6} : (tensor<210xf32>) -> tensor<6x5x7xf32>
// AFTER-NEXT:    func.return %y : tensor<6x5x7xf32>
// CHECK-NEXT: }
func.func @detour(%x: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %a = ncnn.reshape %x {name = "a", w = 35, h = 3, c = 2} : (tensor<6x5x7xf32>) -> tensor<2x3x35xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<2x3x35xf32>) -> tensor<3x2x35xf32>
  %c = ncnn.reshape %b {name = "c", w = 5, h = 7, c = 6} : (tensor<3x2x35xf32>) -> tensor<6x7x5xf32>
  %d = ncnn.flatten %c {name = "d"} : (tensor<6x7x5xf32>) -> tensor<210xf32>
  %y = ncnn.reshape %d {name = "y", w = 7, h = 5, c = 6} : (tensor<210xf32>) -> tensor<6x5x7xf32>
  func.return %y : tensor<6x5x7xf32>
}
