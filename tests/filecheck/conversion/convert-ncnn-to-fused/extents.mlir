// RUN: ncnn-opt --convert-ncnn-to-fused %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --convert-ncnn-to-fused %s > %t.once
// RUN: ncnn-opt --convert-ncnn-to-fused %t.once | diff %t.once -

// Extents that are not known, but known to be equal: the residual connection of a network for images
// of any size.

// CHECK-LABEL: func.func @residual_connection(%x: tensor<8x?x?xf32>) -> (tensor<8x?x?xf32> {ncnn.blob = "sum"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
// CHECK-NEXT:   %a = fused.conv %x weight %w pads [1, 1, 1, 1] {name = "a"} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>) -> tensor<8x?x?xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.maximumf %acc, %0 : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %sum = fused.conv %a weight %w residuals(%x) dilations [2, 2] pads [2, 2, 2, 2] {name = "b", blob = "sum"} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %sum : tensor<8x?x?xf32>
// CHECK-NEXT: }
func.func @residual_connection(%x: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
  %a = ncnn.convolution %x weight %w {name = "a", num_output = 8, kernel_w = 3, pad_left = 1, activation_type = relu} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>) -> tensor<8x?x?xf32>
  %b = ncnn.convolution %a weight %w {name = "b", num_output = 8, kernel_w = 3, pad_left = 2, dilation_w = 2} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>) -> tensor<8x?x?xf32>
  %sum = ncnn.binaryop %b, %x {name = "sum", op_type = add} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  func.return %sum : tensor<8x?x?xf32>
}

// With a stride on both sides: 3x3 with pads of 1 and 1x1 without give as many windows.
// CHECK-LABEL: func.func @downsampling(%x: tensor<8x?x?xf32>) -> (tensor<8x?x?xf32> {ncnn.blob = "sum"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
// CHECK-NEXT:   %w1 = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %a = fused.conv %x weight %w strides [2, 2] pads [1, 1, 1, 1] {name = "a"} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>) -> tensor<8x?x?xf32>
// CHECK-NEXT:   %sum = fused.conv %x weight %w1 residuals(%a) strides [2, 2] {name = "b", blob = "sum"} : (tensor<8x?x?xf32>, tensor<8x8x1x1xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %sum : tensor<8x?x?xf32>
// CHECK-NEXT: }
func.func @downsampling(%x: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
  %w1 = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %a = ncnn.convolution %x weight %w {name = "a", num_output = 8, kernel_w = 3, stride_w = 2, pad_left = 1} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>) -> tensor<8x?x?xf32>
  %b = ncnn.convolution %x weight %w1 {name = "b", num_output = 8, kernel_w = 1, stride_w = 2} : (tensor<8x?x?xf32>, tensor<8x8x1x1xf32>) -> tensor<8x?x?xf32>
  %sum = ncnn.binaryop %a, %b {name = "sum", op_type = add} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  func.return %sum : tensor<8x?x?xf32>
}

// A gate of known extents 1 is repeated; the rows of two products of one input are as many.
// CHECK-LABEL: func.func @gate(%x: tensor<8x?x?xf32>, %g: tensor<8x1x1xf32>, %rows: tensor<?x8xf32>) -> (tensor<8x?x?xf32> {ncnn.blob = "gated"}, tensor<?x8xf32> {ncnn.blob = "product"}) {
// CHECK-NEXT:   %w1 = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %m = ncnn.constant #ncnn.elided : tensor<8x8xf32>
// CHECK-NEXT:   %gated = fused.conv %x weight %w1 residuals(%g) {name = "conv", blob = "gated"} : (tensor<8x?x?xf32>, tensor<8x8x1x1xf32>, tensor<8x1x1xf32>) -> tensor<8x?x?xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %q = fused.linear %rows weight %m {name = "q"} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:   %product = fused.linear %rows weight %m residuals(%q) {name = "k", blob = "product"} : (tensor<?x8xf32>, tensor<8x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.mulf %r, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %gated, %product : tensor<8x?x?xf32>, tensor<?x8xf32>
// CHECK-NEXT: }
func.func @gate(%x: tensor<8x?x?xf32>, %g: tensor<8x1x1xf32>, %rows: tensor<?x8xf32>) -> (tensor<8x?x?xf32>, tensor<?x8xf32>) {
  %w1 = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %m = ncnn.constant #ncnn.elided : tensor<8x8xf32>
  %conv = ncnn.convolution %x weight %w1 {name = "conv", num_output = 8, kernel_w = 1} : (tensor<8x?x?xf32>, tensor<8x8x1x1xf32>) -> tensor<8x?x?xf32>
  %gated = ncnn.binaryop %conv, %g {name = "gated", op_type = mul} : (tensor<8x?x?xf32>, tensor<8x1x1xf32>) -> tensor<8x?x?xf32>
  %q = ncnn.gemm %rows B %m {name = "q", transB = 1, constantB = 1, constantN = 8, constantK = 8} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %k = ncnn.gemm %rows B %m {name = "k", transB = 1, constantB = 1, constantN = 8, constantK = 8} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %product = ncnn.binaryop %q, %k {name = "product", op_type = mul} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  func.return %gated, %product : tensor<8x?x?xf32>, tensor<?x8xf32>
}

// Not known to be equal: fewer windows, another stride, another input, channels of a weight that is
// a blob.
// CHECK-LABEL: func.func @kept(%x: tensor<8x?x?xf32>, %z: tensor<8x?x?xf32>, %v: tensor<?x8x1x1xf32>, %u: tensor<?x8x1x1xf32>) -> (tensor<8x?x?xf32> {ncnn.blob = "two"}, tensor<?x?x?xf32> {ncnn.blob = "three"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
// CHECK-NEXT:   %w1 = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %a = fused.conv %x weight %w {name = "a"} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>) -> tensor<8x?x?xf32>
// CHECK-NEXT:   %one = fused.elementwise residuals(%a, %x) {name = "one"} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32> epilogue(%r: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %r_1 : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %b = fused.conv %one weight %w1 strides [2, 2] {name = "b"} : (tensor<8x?x?xf32>, tensor<8x8x1x1xf32>) -> tensor<8x?x?xf32>
// CHECK-NEXT:   %two = fused.elementwise residuals(%b, %z) {name = "two"} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32> epilogue(%r: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %r_1 : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %c = fused.conv %x weight %v {name = "c"} : (tensor<8x?x?xf32>, tensor<?x8x1x1xf32>) -> tensor<?x?x?xf32>
// CHECK-NEXT:   %d = fused.conv %x weight %u {name = "d"} : (tensor<8x?x?xf32>, tensor<?x8x1x1xf32>) -> tensor<?x?x?xf32>
// CHECK-NEXT:   %three = fused.elementwise residuals(%c, %d) {name = "three"} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32> epilogue(%r: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %r_1 : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %two, %three : tensor<8x?x?xf32>, tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @kept(%x: tensor<8x?x?xf32>, %z: tensor<8x?x?xf32>, %v: tensor<?x8x1x1xf32>, %u: tensor<?x8x1x1xf32>) -> (tensor<8x?x?xf32>, tensor<?x?x?xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
  %w1 = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %a = ncnn.convolution %x weight %w {name = "a", num_output = 8, kernel_w = 3} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>) -> tensor<8x?x?xf32>
  %one = ncnn.binaryop %a, %x {name = "one", op_type = add} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  %b = ncnn.convolution %one weight %w1 {name = "b", num_output = 8, kernel_w = 1, stride_w = 2} : (tensor<8x?x?xf32>, tensor<8x8x1x1xf32>) -> tensor<8x?x?xf32>
  %two = ncnn.binaryop %b, %z {name = "two", op_type = add} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  %c = ncnn.convolution %x weight %v {name = "c"} : (tensor<8x?x?xf32>, tensor<?x8x1x1xf32>) -> tensor<?x?x?xf32>
  %d = ncnn.convolution %x weight %u {name = "d"} : (tensor<8x?x?xf32>, tensor<?x8x1x1xf32>) -> tensor<?x?x?xf32>
  %three = ncnn.binaryop %c, %d {name = "three", op_type = add} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  func.return %two, %three : tensor<8x?x?xf32>, tensor<?x?x?xf32>
}

// The one that has more windows has the shape of the sum: the other one broadcasts, if it can be added.
// CHECK-LABEL: func.func @more_windows(%x: tensor<8x?x?xf32>) -> (tensor<8x?x?xf32> {ncnn.blob = "sum"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
// CHECK-NEXT:   %sum = fused.conv %x weight %w residuals(%x) pads [2, 2, 2, 2] {name = "a", blob = "sum"} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %sum : tensor<8x?x?xf32>
// CHECK-NEXT: }
func.func @more_windows(%x: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
  %a = ncnn.convolution %x weight %w {name = "a", num_output = 8, kernel_w = 3, pad_left = 2} : (tensor<8x?x?xf32>, tensor<8x8x3x3xf32>) -> tensor<8x?x?xf32>
  %sum = ncnn.binaryop %a, %x {name = "sum", op_type = add} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  func.return %sum : tensor<8x?x?xf32>
}

// Without a stride SAME means the same pads for all extents.
// CHECK-LABEL: func.func @same_pads(%x: tensor<8x?x?xf32>) -> (tensor<8x?x?xf32> {ncnn.blob = "sum"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x2x2xf32>
// CHECK-NEXT:   %sum = fused.conv %x weight %w residuals(%x) pads [1, 0, 1, 0] {name = "a", blob = "sum"} : (tensor<8x?x?xf32>, tensor<8x8x2x2xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %sum : tensor<8x?x?xf32>
// CHECK-NEXT: }
func.func @same_pads(%x: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x2x2xf32>
  %a = ncnn.convolution %x weight %w {name = "a", num_output = 8, kernel_w = 2, pad_left = -234} : (tensor<8x?x?xf32>, tensor<8x8x2x2xf32>) -> tensor<8x?x?xf32>
  %sum = ncnn.binaryop %a, %x {name = "sum", op_type = add} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  func.return %sum : tensor<8x?x?xf32>
}
