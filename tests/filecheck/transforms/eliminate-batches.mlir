// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-batches %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-batches %s > %t.once
// RUN: ncnn-opt --eliminate-batches %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-batches --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-batches: Reshape 'r', Reshape 'y'
// REMARK-NEXT: remark: eliminate-batches: Reshape 'r', Reshape 'y'
// REMARK-NEXT: remark: eliminate-batches: Reshape 'r', Reshape 'y'
// REMARK-NEXT: remark: eliminate-batches: Reshape 'r', Reshape 'y'
// REMARK-NEXT: remark: eliminate-batches: Reshape 'o'
// REMARK-NEXT: remark: eliminate-batches: Reshape 'r', Reshape 'y'
// REMARK-NEXT: remark: eliminate-batches: Reshape 'z'

// Windows of rows: the batch is the outermost axis, so nothing is moved.
// CHECK-LABEL: func.func @windows(%x: tensor<6x4xf32>) -> tensor<6x2xf32> {
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %n = ncnn.layernorm %r {name = "n", affine_size = 4} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// BEFORE-NEXT:   %g = ncnn.innerproduct %n weight %w {name = "g", num_output = 2} : (tensor<*xf32>, tensor<2x4xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %g {name = "y", w = 2, h = 6, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<6x2xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2} : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %1 = ncnn.layernorm %0 {name = "n", affine_size = 4} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
// AFTER-NEXT:    %2 = ncnn.reshape %1 {w = 4, h = 6} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// AFTER-NEXT:    %3 = ncnn.innerproduct %2 weight %w {name = "g", num_output = 2} : (tensor<6x4xf32>, tensor<2x4xf32>) -> tensor<6x2xf32>
// AFTER-NEXT:    %4 = ncnn.reshape %3 {w = 2, h = 3, c = 2} : (tensor<6x2xf32>) -> tensor<2x3x2xf32>
// AFTER-NEXT:    %y = ncnn.reshape %4 {name = "y", w = 2, h = 6} : (tensor<2x3x2xf32>) -> tensor<6x2xf32>
// AFTER-NEXT:    func.return %y : tensor<6x2xf32>
// CHECK-NEXT: }
func.func @windows(%x: tensor<6x4xf32>) -> tensor<6x2xf32> {
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %n = ncnn.layernorm %r {name = "n", affine_size = 4} : (tensor<*xf32>) -> tensor<*xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %g = ncnn.innerproduct %n weight %w {name = "g", num_output = 2} : (tensor<*xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %g {name = "y", w = 2, h = 6, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x2xf32>
  func.return %y : tensor<6x2xf32>
}

// Heads of features: the batch is brought outermost, and back.
// CHECK-LABEL: func.func @heads(%x: tensor<5x6xf32>) -> tensor<5x6xf32> {
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 3, h = 2, c = 5, output_batch_axis = 1} : (tensor<5x6xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %s = ncnn.softmax %r {name = "s", axis = 1, fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %p = ncnn.permute %s {name = "p", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %a = ncnn.binaryop %p {name = "a", op_type = add, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %q = ncnn.permute %a {name = "q", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %q {name = "y", w = 6, h = 5, input_batch_axis = 1} : (tensor<*xf32>) -> tensor<5x6xf32>
// BEFORE-NEXT:   func.return %y : tensor<5x6xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {w = 3, h = 2, c = 5} : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
// AFTER-NEXT:    %1 = ncnn.permute %0 {name = "r", order_type = 2} : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
// AFTER-NEXT:    %2 = ncnn.softmax %1 {name = "s", axis = 2, fixbug0 = 1} : (tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
// AFTER-NEXT:    %3 = ncnn.permute %2 {name = "p", order_type = 1} : (tensor<2x5x3xf32>) -> tensor<2x3x5xf32>
// AFTER-NEXT:    %4 = ncnn.binaryop %3 {name = "a", op_type = add, with_scalar = 1, b = 2.0} : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
// AFTER-NEXT:    %5 = ncnn.permute %4 {name = "q", order_type = 1} : (tensor<2x3x5xf32>) -> tensor<2x5x3xf32>
// AFTER-NEXT:    %6 = ncnn.permute %5 {order_type = 2} : (tensor<2x5x3xf32>) -> tensor<5x2x3xf32>
// AFTER-NEXT:    %y = ncnn.reshape %6 {name = "y", w = 6, h = 5} : (tensor<5x2x3xf32>) -> tensor<5x6xf32>
// AFTER-NEXT:    func.return %y : tensor<5x6xf32>
// CHECK-NEXT: }
func.func @heads(%x: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %r = ncnn.reshape %x {name = "r", w = 3, h = 2, c = 5, output_batch_axis = 1} : (tensor<5x6xf32>) -> tensor<*xf32>
  %s = ncnn.softmax %r {name = "s", axis = 1, fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %p = ncnn.permute %s {name = "p", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %a = ncnn.binaryop %p {name = "a", op_type = add, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
  %q = ncnn.permute %a {name = "q", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %q {name = "y", w = 6, h = 5, input_batch_axis = 1} : (tensor<*xf32>) -> tensor<5x6xf32>
  func.return %y : tensor<5x6xf32>
}

// A mask for the heads of one window is repeated for those of all windows.
// CHECK-LABEL: func.func @mask(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// BEFORE-NEXT:   %z = ncnn.constant dense<1.000000e+00> : tensor<1x3x3xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, d = 1, output_batch_axis = 0} : (tensor<2x3x4xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %a = ncnn.sdpa %r, %r, %r, %z {name = "a", attn_mask = 1} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<1x3x3xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %a {name = "y", w = 4, h = 3, c = 2, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x3x4xf32>
// AFTER-NEXT:    %z = ncnn.constant dense<1.000000e+00> : tensor<1x3x3xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, d = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x3x4xf32>
// AFTER-NEXT:    %1 = ncnn.reshape %0 {w = 4, h = 3, c = 2} : (tensor<2x1x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %2 = ncnn.reshape %0 {w = 4, h = 3, c = 2} : (tensor<2x1x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %3 = ncnn.reshape %0 {w = 4, h = 3, c = 2} : (tensor<2x1x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %4 = ncnn.tile %z {tiles = 2} : (tensor<1x3x3xf32>) -> tensor<2x3x3xf32>
// AFTER-NEXT:    %5 = ncnn.sdpa %1, %2, %3, %4 {name = "a", attn_mask = 1} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x3xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %6 = ncnn.reshape %5 {w = 4, h = 3, c = 2, d = 1} : (tensor<2x3x4xf32>) -> tensor<2x1x3x4xf32>
// AFTER-NEXT:    %y = ncnn.reshape %6 {name = "y", w = 4, h = 3, c = 2} : (tensor<2x1x3x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @mask(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %z = ncnn.constant dense<1.0> : tensor<1x3x3xf32>
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, d = 1, c = 2, output_batch_axis = 0} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  %a = ncnn.sdpa %r, %r, %r, %z {name = "a", attn_mask = 1} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<1x3x3xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %a {name = "y", w = 4, h = 3, c = 2, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Channels of a BatchNorm are no longer outermost; nothing is left of a batch of one.
// CHECK-LABEL: func.func @channels(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 2, h = 3, output_batch_axis = 0} : (tensor<3x2xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %m = ncnn.constant dense<1.000000e+00> : tensor<2xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<[1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[0.000000e+00, 5.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %n = ncnn.batchnorm %r slope %s mean %m var %v bias %b {name = "n"} : (tensor<*xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %n {name = "y", w = 2, h = 3, c = 1, input_batch_axis = 1, output_batch_axis = 0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.relu %y {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %o = ncnn.reshape %z {name = "o", w = 2, h = 3, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<3x2xf32>
// BEFORE-NEXT:   func.return %o : tensor<3x2xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {name = "r", w = 2, h = 3} : (tensor<3x2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %s = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %m = ncnn.constant dense<1.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<[1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[0.000000e+00, 5.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %s_1 = ncnn.constant dense<[[3.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %1 = ncnn.binaryop %0, %s_1 {op_type = mul} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %s_2 = ncnn.constant dense<[[-3.000000e+00, 3.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %2 = ncnn.binaryop %1, %s_2 {name = "n", op_type = add} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %3 = ncnn.permute %2 {order_type = 1} : (tensor<3x2xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    %y = ncnn.reshape %3 {name = "y", w = 2, h = 3} : (tensor<2x3xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %z = ncnn.relu %y {name = "z"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    %o = ncnn.reshape %z {name = "o", w = 2, h = 3} : (tensor<3x2xf32>) -> tensor<3x2xf32>
// AFTER-NEXT:    func.return %o : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @channels(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = ncnn.reshape %x {name = "r", w = 2, h = 3, output_batch_axis = 0} : (tensor<3x2xf32>) -> tensor<*xf32>
  %s = ncnn.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %m = ncnn.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %v = ncnn.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %b = ncnn.constant dense<[0.0, 5.0]> : tensor<2xf32>
  %n = ncnn.batchnorm %r slope %s mean %m var %v bias %b {name = "n"} : (tensor<*xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %n {name = "y", w = 2, h = 3, c = 1, input_batch_axis = 1, output_batch_axis = 0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %y {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  %o = ncnn.reshape %z {name = "o", w = 2, h = 3, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<3x2xf32>
  func.return %o : tensor<3x2xf32>
}

// Of how many blobs a batch is, an expression knows: two at first, and one of what is no batch.
// BEFORE-LABEL: func.func @expression(%x: tensor<6x4xf32>) -> tensor<*xf32> {
// AFTER-LABEL: func.func @expression(%x: tensor<6x4xf32>) -> tensor<6x1x4xf32> {
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %r {name = "y", shape_expr = "4,*(0h,0n)", input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x4xf32>
// BEFORE-NEXT:   %z = ncnn.reshape %y {name = "z", shape_expr = "4,1,//(6,0n),0n", input_batch_axis = 0, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2} : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    %y = ncnn.reshape %0 {name = "y", w = 4, h = 6} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// AFTER-NEXT:    %z = ncnn.reshape %y {name = "z", w = 4, h = 1, c = 6} : (tensor<6x4xf32>) -> tensor<6x1x4xf32>
// AFTER-NEXT:    func.return %z : tensor<6x1x4xf32>
// CHECK-NEXT: }
func.func @expression(%x: tensor<6x4xf32>) -> tensor<*xf32> {
  %r = ncnn.reshape %x {name = "r", w = 4, h = 3, c = 2, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %r {name = "y", shape_expr = "4,*(0h,0n)", input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x4xf32>
  %z = ncnn.reshape %y {name = "z", shape_expr = "4,1,//(6,0n),0n", input_batch_axis = 0, output_batch_axis = 0} : (tensor<6x4xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// A batch of one may be of any size.
// CHECK-LABEL: func.func @one(%x: tensor<4x?xf32>) -> tensor<?x4xf32> {
// BEFORE-NEXT:   %a = ncnn.reshape %x {name = "a", w = -1, h = 4, c = 1, output_batch_axis = 0} : (tensor<4x?xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %r = ncnn.relu %a {name = "r"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %r {name = "y", w = 4, h = -1, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<?x4xf32>
// AFTER-NEXT:    %a = ncnn.reshape %x {name = "a", w = -1, h = 4} : (tensor<4x?xf32>) -> tensor<4x?xf32>
// AFTER-NEXT:    %r = ncnn.relu %a {name = "r"} : (tensor<4x?xf32>) -> tensor<4x?xf32>
// AFTER-NEXT:    %y = ncnn.reshape %r {name = "y", w = 4, h = -1} : (tensor<4x?xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:    func.return %y : tensor<?x4xf32>
// CHECK-NEXT: }
func.func @one(%x: tensor<4x?xf32>) -> tensor<?x4xf32> {
  %a = ncnn.reshape %x {name = "a", w = -1, h = 4, c = 1, output_batch_axis = 0} : (tensor<4x?xf32>) -> tensor<*xf32>
  %r = ncnn.relu %a {name = "r"} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %r {name = "y", w = 4, h = -1, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}

// A batch of inputs, whatever their number, stays the batch: each blob is reshaped on its own.
// CHECK-LABEL: func.func @kept(%x: tensor<8x1x1xf32> {ncnn.promised}) -> tensor<8xf32> {
// BEFORE-NEXT:   %y = ncnn.reshape %x {name = "y", shape_expr = "//(8,0n),0n", input_batch_axis = 0, output_batch_axis = 0} : (tensor<8x1x1xf32>) -> tensor<8xf32>
// AFTER-NEXT:    %y = ncnn.reshape %x {name = "y", w = 8} : (tensor<8x1x1xf32>) -> tensor<8xf32>
// CHECK-NEXT:    func.return %y : tensor<8xf32>
// CHECK-NEXT: }
func.func @kept(%x: tensor<8x1x1xf32> {ncnn.promised}) -> tensor<8xf32> {
  %y = ncnn.reshape %x {name = "y", shape_expr = "//(8,0n),0n", input_batch_axis = 0, output_batch_axis = 0} : (tensor<8x1x1xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// Two blobs of 24 elements, whatever the number and the size of the inputs: one blob of all first.
// CHECK-LABEL: func.func @gathered(%x: tensor<?x4xf32>) -> tensor<6x8xf32> {
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 8, h = 3, c = 2, input_batch_axis = 0, output_batch_axis = 0} : (tensor<?x4xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %s = ncnn.relu %r {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %y = ncnn.reshape %s {name = "y", w = 8, h = 6, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x8xf32>
// AFTER-NEXT:    %0 = ncnn.reshape %x {name = "r", w = 8, h = 3, c = 1, d = 2, input_batch_axis = 0, output_batch_axis = 0} : (tensor<?x4xf32>) -> tensor<2x3x8xf32>
// AFTER-NEXT:    %1 = ncnn.relu %0 {name = "s"} : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
// AFTER-NEXT:    %y = ncnn.reshape %1 {name = "y", w = 8, h = 6} : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
// CHECK-NEXT:    func.return %y : tensor<6x8xf32>
// CHECK-NEXT: }
func.func @gathered(%x: tensor<?x4xf32>) -> tensor<6x8xf32> {
  %r = ncnn.reshape %x {name = "r", w = 8, h = 3, c = 2, input_batch_axis = 0, output_batch_axis = 0} : (tensor<?x4xf32>) -> tensor<*xf32>
  %s = ncnn.relu %r {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.reshape %s {name = "y", w = 8, h = 6, input_batch_axis = 0} : (tensor<*xf32>) -> tensor<6x8xf32>
  func.return %y : tensor<6x8xf32>
}
