// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-identity %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-identity %s > %t.once
// RUN: ncnn-opt --eliminate-identity %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-identity --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-identity: Concat 'a'
// REMARK-NEXT: remark: eliminate-identity: Slice 'b'
// REMARK-NEXT: remark: eliminate-identity: Padding 'c'
// REMARK-NEXT: remark: eliminate-identity: Tile 'd'
// REMARK-NEXT: remark: eliminate-identity: Tile 'e'
// REMARK-NEXT: remark: eliminate-identity: Cast 'f'
// REMARK-NEXT: remark: eliminate-identity: Flip 'g'
// REMARK-NEXT: remark: eliminate-identity: Permute 'h'
// REMARK-NEXT: remark: eliminate-identity: ShuffleChannel 'i'
// REMARK-NEXT: remark: eliminate-identity: PixelShuffle 'j'
// REMARK-NEXT: remark: eliminate-identity: Reorg 'k'
// REMARK-NEXT: remark: eliminate-identity: ReLU 'l'
// REMARK-NEXT: remark: eliminate-identity: Dropout 'm'
// REMARK-NEXT: remark: eliminate-identity: Pooling 'n'
// REMARK-NEXT: remark: eliminate-identity: Crop 'a'
// REMARK-NEXT: remark: eliminate-identity: Crop 'b'
// REMARK-NEXT: remark: eliminate-identity: Crop 'c'
// REMARK-NEXT: remark: eliminate-identity: Interp 'a'
// REMARK-NEXT: remark: eliminate-identity: Interp 'b'
// REMARK-NEXT: remark: eliminate-identity: Interp 'c'
// REMARK-NEXT: remark: eliminate-identity: Reshape 'a'
// REMARK-NEXT: remark: eliminate-identity: Reshape 'b'
// REMARK-NEXT: remark: eliminate-identity: Squeeze 'c'
// REMARK-NEXT: remark: eliminate-identity: ExpandDims 'd'
// REMARK-NEXT: remark: eliminate-identity: Reshape 'b'
// REMARK-NEXT: remark: eliminate-identity: Crop 'c'
// REMARK-NEXT: remark: eliminate-identity: Interp 'd'
// REMARK-NEXT: remark: eliminate-identity: Crop 'e'
// REMARK-NEXT: remark: eliminate-identity: Interp 'f'
// REMARK-NEXT: remark: eliminate-identity: Reshape 'g'
// REMARK-NEXT: remark: eliminate-identity: Slice 'h'
// REMARK-NEXT: remark: eliminate-identity: Flatten 'b'
// REMARK-NEXT: remark: eliminate-identity: Reshape 'c'
// REMARK-NEXT: remark: eliminate-identity: Permute 'd'
// REMARK-NEXT: remark: eliminate-identity: Concat 'all'
// REMARK-NEXT: remark: eliminate-identity: Concat 'both'
// REMARK-NEXT: remark: eliminate-identity: Slice 'slice'
// REMARK-NEXT: remark: eliminate-identity: Slice 'slice'
// REMARK-NEXT: remark: eliminate-identity: Crop 'f'
// REMARK-NEXT: remark: eliminate-identity: Interp 'h'
// REMARK-NEXT: remark: eliminate-identity: BinaryOp 'a'
// REMARK-NEXT: remark: eliminate-identity: BinaryOp 'b'
// REMARK-NEXT: remark: eliminate-identity: BinaryOp 'c'
// REMARK-NEXT: remark: eliminate-identity: BinaryOp 'd'
// REMARK-NEXT: remark: eliminate-identity: BinaryOp 'e'
// REMARK-NEXT: remark: eliminate-identity: Power 'f'
// REMARK-NEXT: remark: eliminate-identity: Scale 'b'
// REMARK-NEXT: remark: eliminate-identity: BatchNorm 'c'
// REMARK-NEXT: remark: eliminate-identity: Bias 'd'
// REMARK-NEXT: remark: eliminate-identity: Reshape 'a'

// By their parameters alone, for blobs of any extents.
// CHECK-LABEL: func.func @parameters(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.concat %x {name = "a", axis = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.slice %a {name = "b", slices = [-233]} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %c = ncnn.padding %b {name = "c", type = reflect, value = 1.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %d = ncnn.tile %c {name = "d"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %e = ncnn.tile %d {name = "e", repeats = [1, 1]} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %f = ncnn.cast %e {name = "f", type_from = float16, type_to = float16} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %g = ncnn.flip %f {name = "g"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %h = ncnn.permute %g {name = "h"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %i = ncnn.shufflechannel %h {name = "i"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %j = ncnn.pixelshuffle %i {name = "j"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %k = ncnn.reorg %j {name = "k"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %l = ncnn.relu %k {name = "l", slope = 1.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %m = ncnn.dropout %l {name = "m"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %n = ncnn.pooling %m {name = "n", kernel_w = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %n {name = "tanh"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   func.return %tanh : tensor<?x?x?xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    func.return %tanh : tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @parameters(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.concat %x {name = "a", axis = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.slice %a {name = "b", slices = [-233]} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = ncnn.padding %b {name = "c", type = reflect, value = 1.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %d = ncnn.tile %c {name = "d", tiles = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %e = ncnn.tile %d {name = "e", repeats = [1, 1]} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %f = ncnn.cast %e {name = "f", type_from = float16, type_to = float16} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %g = ncnn.flip %f {name = "g"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %h = ncnn.permute %g {name = "h"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %i = ncnn.shufflechannel %h {name = "i"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %j = ncnn.pixelshuffle %i {name = "j"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %k = ncnn.reorg %j {name = "k"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %l = ncnn.relu %k {name = "l", slope = 1.0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %m = ncnn.dropout %l {name = "m"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %n = ncnn.pooling %m {name = "n", kernel_w = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %tanh = ncnn.tanh %n {name = "tanh"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %tanh : tensor<?x?x?xf32>
}

// A Crop from the first element to the last, in all spellings.
// CHECK-LABEL: func.func @crop(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.crop %x {name = "a", starts = [0], ends = [2147483647], axes = [1]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   %b = ncnn.crop %a {name = "b", starts = [-233, 0], ends = [0, -233]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   %c = ncnn.crop %b {name = "c", outw = -233, outh = -233} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %c {name = "tanh"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   func.return %tanh : tensor<?x?xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    func.return %tanh : tensor<?x?xf32>
// CHECK-NEXT: }
func.func @crop(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = ncnn.crop %x {name = "a", starts = [0], ends = [2147483647], axes = [1]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = ncnn.crop %a {name = "b", starts = [-233, 0], ends = [0, -233]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = ncnn.crop %b {name = "c", outw = -233, outh = -233} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %tanh = ncnn.tanh %c {name = "tanh"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %tanh : tensor<?x?xf32>
}

// An Interp by 1, of 2 dims along w only.
// CHECK-LABEL: func.func @interp(%x: tensor<?x?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>) {
// BEFORE-NEXT:   %a = ncnn.interp %x {name = "a", resize_type = bilinear} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.interp %a {name = "b", resize_type = bicubic, align_corner = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %c = ncnn.interp %y {name = "c", resize_type = nearest, height_scale = 2.0} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %exp = ncnn.exp %c {name = "exp"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   func.return %tanh, %exp : tensor<?x?x?xf32>, tensor<?x?xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %exp = ncnn.exp %y {name = "exp"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    func.return %tanh, %exp : tensor<?x?x?xf32>, tensor<?x?xf32>
// CHECK-NEXT: }
func.func @interp(%x: tensor<?x?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>) {
  %a = ncnn.interp %x {name = "a", resize_type = bilinear} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.interp %a {name = "b", resize_type = bicubic, align_corner = 1} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = ncnn.interp %y {name = "c", resize_type = nearest, height_scale = 2.0} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %exp = ncnn.exp %c {name = "exp"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %tanh, %exp : tensor<?x?x?xf32>, tensor<?x?xf32>
}

// A shape that is that of the input, whatever it is.
// CHECK-LABEL: func.func @reshapes(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 0, h = 0, c = 0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.reshape %a {name = "b", w = 0, h = -1, c = 0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %c = ncnn.squeeze %b {name = "c"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %d = ncnn.expanddims %c {name = "d"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   func.return %tanh : tensor<?x?x?xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    func.return %tanh : tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @reshapes(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = ncnn.reshape %x {name = "a", w = 0, h = 0, c = 0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = ncnn.reshape %a {name = "b", w = 0, h = -1, c = 0} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = ncnn.squeeze %b {name = "c"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %d = ncnn.expanddims %c {name = "d"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %tanh : tensor<?x?x?xf32>
}

// Extents that follow from weights and parameters.
// CHECK-LABEL: func.func @certain(%x: tensor<*xf32>) -> tensor<2x3x4xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 4, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %b = ncnn.reshape %a {name = "b", w = 4, h = -1, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %c = ncnn.crop %b {name = "c", outw = 4, outh = 5, outc = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %d = ncnn.interp %c {name = "d", resize_type = bilinear, output_height = 3, output_width = 4} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %e = ncnn.crop %d, %a {name = "e"} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %f = ncnn.interp %e, %a {name = "f", resize_type = nearest, dynamic_target_size = 1} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %g = ncnn.reshape %f, %a {name = "g", shape_expr = "0w,1h,2"} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %h = ncnn.slice %g {name = "h", slices = [3], axis = 1} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %h {name = "tanh"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %tanh : tensor<2x3x4xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = 4, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %a {name = "tanh"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %tanh : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @certain(%x: tensor<*xf32>) -> tensor<2x3x4xf32> {
  %a = ncnn.reshape %x {name = "a", w = 4, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x4xf32>
  %b = ncnn.reshape %a {name = "b", w = 4, h = -1, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %c = ncnn.crop %b {name = "c", outw = 4, outh = 5, outc = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %d = ncnn.interp %c {name = "d", resize_type = bilinear, output_height = 3, output_width = 4} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %e = ncnn.crop %d, %a {name = "e"} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %f = ncnn.interp %e, %a {name = "f", resize_type = nearest, dynamic_target_size = 1} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %g = ncnn.reshape %f, %a {name = "g", shape_expr = "0w,1h,2"} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %h = ncnn.slice %g {name = "h", slices = [3], axis = 1} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %tanh = ncnn.tanh %h {name = "tanh"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %tanh : tensor<2x3x4xf32>
}

// One dim, whatever is said of it.
// CHECK-LABEL: func.func @one_dim(%x: tensor<?x?xf32>) -> tensor<?xf32> {
// BEFORE-NEXT:   %a = ncnn.flatten %x {name = "a"} : (tensor<?x?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %b = ncnn.flatten %a {name = "b"} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %c = ncnn.reshape %b {name = "c", w = 7} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %d = ncnn.permute %c {name = "d", order_type = 1} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   func.return %tanh : tensor<?xf32>
// AFTER-NEXT:    %a = ncnn.flatten %x {name = "a"} : (tensor<?x?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %a {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    func.return %tanh : tensor<?xf32>
// CHECK-NEXT: }
func.func @one_dim(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %a = ncnn.flatten %x {name = "a"} : (tensor<?x?xf32>) -> tensor<?xf32>
  %b = ncnn.flatten %a {name = "b"} : (tensor<?xf32>) -> tensor<?xf32>
  %c = ncnn.reshape %b {name = "c", w = 7} : (tensor<?xf32>) -> tensor<?xf32>
  %d = ncnn.permute %c {name = "d", order_type = 1} : (tensor<?xf32>) -> tensor<?xf32>
  %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %tanh : tensor<?xf32>
}

// All parts in order; the last one is what is left, or all extents are certain.
// CHECK-LABEL: func.func @slice_and_concat(%x: tensor<*xf32>, %y: tensor<?x?xf32>) -> (tensor<*xf32>, tensor<?x?xf32>) {
// BEFORE-NEXT:   %a, %b = ncnn.slice %x {name = "slice", blobs = ["a", "b"], slices = [2, -233], axis = 1} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
// BEFORE-NEXT:   %all = ncnn.concat %a, %b {name = "all", axis = 1} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %c, %d = ncnn.slice %y {name = "cut", blobs = ["c", "d"], axis = -1, indices = [3]} : (tensor<?x?xf32>) -> (tensor<?x3xf32>, tensor<?x?xf32>)
// BEFORE-NEXT:   %both = ncnn.concat %c, %d {name = "both", axis = 1} : (tensor<?x3xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %all {name = "tanh"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %exp = ncnn.exp %both {name = "exp"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// BEFORE-NEXT:   func.return %tanh, %exp : tensor<*xf32>, tensor<?x?xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    %exp = ncnn.exp %y {name = "exp"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
// AFTER-NEXT:    func.return %tanh, %exp : tensor<*xf32>, tensor<?x?xf32>
// CHECK-NEXT: }
func.func @slice_and_concat(%x: tensor<*xf32>, %y: tensor<?x?xf32>) -> (tensor<*xf32>, tensor<?x?xf32>) {
  %a, %b = ncnn.slice %x {name = "slice", blobs = ["a", "b"], slices = [2, -233], axis = 1} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  %all = ncnn.concat %a, %b {name = "all", axis = 1} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %c, %d = ncnn.slice %y {name = "cut", blobs = ["c", "d"], axis = -1, indices = [3]} : (tensor<?x?xf32>) -> (tensor<?x3xf32>, tensor<?x?xf32>)
  %both = ncnn.concat %c, %d {name = "both", axis = 1} : (tensor<?x3xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %tanh = ncnn.tanh %all {name = "tanh"} : (tensor<*xf32>) -> tensor<*xf32>
  %exp = ncnn.exp %both {name = "exp"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %tanh, %exp : tensor<*xf32>, tensor<?x?xf32>
}

// Joined and cut apart again. The parts keep their names where they are outputs.
// BEFORE-LABEL: func.func @concat_and_slice(%x: tensor<*xf32>) -> (tensor<2x2x2xf32> {ncnn.blob = "out"}, tensor<4x2x2xf32>) {
// AFTER-LABEL: func.func @concat_and_slice(%x: tensor<*xf32>) -> (tensor<2x2x2xf32> {ncnn.blob = "out"}, tensor<4x2x2xf32> {ncnn.blob = "tanh"}) {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   %b = ncnn.tile %a {name = "b", tiles = 2} : (tensor<2x2x2xf32>) -> tensor<4x2x2xf32>
// BEFORE-NEXT:   %all = ncnn.concat %a, %b {name = "all"} : (tensor<2x2x2xf32>, tensor<4x2x2xf32>) -> tensor<6x2x2xf32>
// BEFORE-NEXT:   %c, %d = ncnn.slice %all {name = "slice", blobs = ["out", "d"], slices = [2, -233]} : (tensor<6x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<4x2x2xf32>)
// BEFORE-NEXT:   %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// BEFORE-NEXT:   func.return %c, %tanh : tensor<2x2x2xf32>, tensor<4x2x2xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    %b = ncnn.tile %a {name = "b", tiles = 2} : (tensor<2x2x2xf32>) -> tensor<4x2x2xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %b {name = "tanh"} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// AFTER-NEXT:    func.return %a, %tanh : tensor<2x2x2xf32>, tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @concat_and_slice(%x: tensor<*xf32>) -> (tensor<2x2x2xf32> {ncnn.blob = "out"}, tensor<4x2x2xf32>) {
  %a = ncnn.reshape %x {name = "a", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
  %b = ncnn.tile %a {name = "b", tiles = 2} : (tensor<2x2x2xf32>) -> tensor<4x2x2xf32>
  %all = ncnn.concat %a, %b {name = "all"} : (tensor<2x2x2xf32>, tensor<4x2x2xf32>) -> tensor<6x2x2xf32>
  %c, %d = ncnn.slice %all {name = "slice", blobs = ["out", "d"], slices = [2, -233]} : (tensor<6x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<4x2x2xf32>)
  %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %c, %tanh : tensor<2x2x2xf32>, tensor<4x2x2xf32>
}

// Extents that are not known may be known to be equal: halves of twice as many, a box as large as the
// blob that it was cut for, an image of as many pixels.
// BEFORE-LABEL: func.func @terms(%x: tensor<?x2xf32>, %y: tensor<?x?x?xf32>) -> (tensor<?x2xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
// AFTER-LABEL: func.func @terms(%x: tensor<?x2xf32>, %y: tensor<?x?x?xf32>) -> (tensor<?x2xf32> {ncnn.blob = "d"}, tensor<?x?x?xf32> {ncnn.blob = "f"}, tensor<?x?x?xf32> {ncnn.blob = "h"}) {
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<?x2xf32>) -> tensor<?x2xf32>
// AFTER-NEXT:    %e = ncnn.sigmoid %y {name = "e"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    %g = ncnn.absval %y {name = "g"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// AFTER-NEXT:    func.return %tanh, %e, %g : tensor<?x2xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>
// CHECK: }
func.func @terms(%x: tensor<?x2xf32>, %y: tensor<?x?x?xf32>) -> (tensor<?x2xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %b = ncnn.concat %tanh, %tanh {name = "b"} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %c, %d = ncnn.slice %b {name = "slice", blobs = ["c", "d"], slices = [-233, -233]} : (tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
  %e = ncnn.sigmoid %y {name = "e"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %f = ncnn.crop %e, %y {name = "f"} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %g = ncnn.absval %y {name = "g"} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %h = ncnn.interp %g, %e {name = "h", resize_type = bilinear, dynamic_target_size = 1} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %d, %f, %h : tensor<?x2xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>
}

// Multiplied by 1, and 0 added: -0.0 stays what it is.
// CHECK-LABEL: func.func @affine(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %ones = ncnn.constant dense<1.000000e+00> : tensor<2xf32>
// BEFORE-NEXT:   %zeros = ncnn.constant dense<0.000000e+00> : tensor<2xf32>
// BEFORE-NEXT:   %blob = ncnn.constant {name = "blob"} dense<[0.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.binaryop %a {name = "b", op_type = div, with_scalar = 1, b = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %b {name = "c", op_type = add, with_scalar = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %c {name = "d", op_type = sub, with_scalar = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %e = ncnn.binaryop %d, %blob {name = "e", op_type = add} : (tensor<2x?x?xf32>, tensor<1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %f = ncnn.power %e {name = "f"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %f {name = "tanh"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %tanh : tensor<2x?x?xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %x {name = "tanh"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %tanh : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @affine(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %ones = ncnn.constant dense<1.0> : tensor<2xf32>
  %zeros = ncnn.constant dense<0.0> : tensor<2xf32>
  %blob = ncnn.constant {name = "blob"} dense<0.0> : tensor<1xf32>
  %a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %b = ncnn.binaryop %a {name = "b", op_type = div, with_scalar = 1, b = 1.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %c = ncnn.binaryop %b {name = "c", op_type = add, with_scalar = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %d = ncnn.binaryop %c {name = "d", op_type = sub, with_scalar = 1} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %e = ncnn.binaryop %d, %blob {name = "e", op_type = add} : (tensor<2x?x?xf32>, tensor<1xf32>) -> tensor<2x?x?xf32>
  %f = ncnn.power %e {name = "f"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %tanh = ncnn.tanh %f {name = "tanh"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %tanh : tensor<2x?x?xf32>
}

// The same in layers with weights, of a number of channels that is certain.
// CHECK-LABEL: func.func @weights(%x: tensor<*xf32>) -> tensor<2x3x4xf32> {
// BEFORE-NEXT:   %ones = ncnn.constant dense<1.000000e+00> : tensor<2xf32>
// BEFORE-NEXT:   %zeros = ncnn.constant dense<0.000000e+00> : tensor<2xf32>
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = 4, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %b = ncnn.scale %a scale %ones bias %zeros {name = "b"} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %c = ncnn.batchnorm %b slope %ones mean %zeros var %ones bias %zeros {name = "c"} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %d = ncnn.bias %c bias %zeros {name = "d"} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %tanh : tensor<2x3x4xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = 4, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %a {name = "tanh"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %tanh : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @weights(%x: tensor<*xf32>) -> tensor<2x3x4xf32> {
  %ones = ncnn.constant dense<1.0> : tensor<2xf32>
  %zeros = ncnn.constant dense<0.0> : tensor<2xf32>
  %a = ncnn.reshape %x {name = "a", w = 4, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x4xf32>
  %b = ncnn.scale %a scale %ones bias %zeros {name = "b"} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %c = ncnn.batchnorm %b slope %ones mean %zeros var %ones bias %zeros {name = "c"} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %d = ncnn.bias %c bias %zeros {name = "d"} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %tanh = ncnn.tanh %d {name = "tanh"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %tanh : tensor<2x3x4xf32>
}

// The type of the blob before says more: so does now that of the output.
// BEFORE-LABEL: func.func @more_is_known(%x: tensor<2x?x?xf32>) -> (tensor<?x?x?xf32> {ncnn.blob = "out"}) {
// AFTER-LABEL: func.func @more_is_known(%x: tensor<2x?x?xf32>) -> (tensor<2x?x?xf32> {ncnn.blob = "out"}) {
// BEFORE-NEXT:   %abs = ncnn.absval %x {name = "abs"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %a = ncnn.reshape %abs {name = "a", blobs = ["out"], w = 0, h = 0, c = -1} : (tensor<2x?x?xf32>) -> tensor<?x?x?xf32>
// BEFORE-NEXT:   func.return %a : tensor<?x?x?xf32>
// AFTER-NEXT:    %abs = ncnn.absval %x {name = "abs"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %abs : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @more_is_known(%x: tensor<2x?x?xf32>) -> (tensor<?x?x?xf32> {ncnn.blob = "out"}) {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %a = ncnn.reshape %abs {name = "a", blobs = ["out"], w = 0, h = 0, c = -1} : (tensor<2x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %a : tensor<?x?x?xf32>
}

// What is known of the blob behind is known of the one before.
// CHECK-LABEL: func.func @is_known_behind(%x: tensor<*xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %abs = ncnn.absval %x {name = "abs"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %permute = ncnn.permute %abs {name = "permute"} : (tensor<*xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %permute {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %tanh : tensor<2xf32>
// AFTER-NEXT:    %abs = ncnn.absval %x {name = "abs"} : (tensor<*xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %abs {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %tanh : tensor<2xf32>
// CHECK-NEXT: }
func.func @is_known_behind(%x: tensor<*xf32>) -> tensor<2xf32> {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<*xf32>) -> tensor<*xf32>
  %permute = ncnn.permute %abs {name = "permute"} : (tensor<*xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %permute {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %tanh : tensor<2xf32>
}
