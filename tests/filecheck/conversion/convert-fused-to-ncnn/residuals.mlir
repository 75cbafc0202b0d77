// RUN: ncnn-opt --convert-fused-to-ncnn %s | filecheck %s --match-full-lines

// How residuals broadcast, and which operation takes them.

// A gate: one value a channel, of three dims, of one, of a constant.
// CHECK-LABEL: func.func @gates(%x: tensor<8x6x7xf32>, %g: tensor<8x1x1xf32>, %v: tensor<8xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "three"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %c = ncnn.constant {name = "c"} #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %0 = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 1} : (tensor<8x6x7xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %1 = ncnn.binaryop %g, %0 {name = "conv_1", op_type = mul} : (tensor<8x1x1xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %2 = ncnn.binaryop %1, %v {name = "conv_2", op_type = mul} : (tensor<8x6x7xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %three = ncnn.binaryop %2, %c {name = "conv_3", blobs = ["three"], op_type = mul} : (tensor<8x6x7xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   func.return %three : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @gates(%x: tensor<8x6x7xf32>, %g: tensor<8x1x1xf32>, %v: tensor<8xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "three"}) {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %c = ncnn.constant {name = "c"} #ncnn.elided : tensor<8xf32>
  %three = fused.conv %x weight %w residuals(%g, %v, %c) {name = "conv", blob = "three"} : (tensor<8x6x7xf32>, tensor<8x8x1x1xf32>, tensor<8x1x1xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r: f32, %r_1: f32, %r_2: f32) {
    %0 = arith.mulf %r, %acc : f32
    %1 = arith.mulf %0, %r_1 : f32
    %2 = arith.mulf %1, %r_2 : f32
    fused.yield %2 : f32
  }
  func.return %three : tensor<8x6x7xf32>
}

// Squeeze and excitation: the gate has an epilogue of its own; the product of both goes into neither,
// for the first has other uses, and the second another shape.
// CHECK-LABEL: func.func @squeeze_and_excitation(%x: tensor<8x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "mul"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 1} : (tensor<8x6x7xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<8x6x7xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %0 = ncnn.convolution %pool weight %w {name = "fc", num_output = 8, kernel_w = 1} : (tensor<8xf32>, tensor<8x8x1x1xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %gate = ncnn.hardsigmoid %0 {name = "fc_1", blobs = ["gate"]} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %mul = ncnn.binaryop %conv, %gate {name = "mul", op_type = mul} : (tensor<8x6x7xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   func.return %mul : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @squeeze_and_excitation(%x: tensor<8x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "mul"}) {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %conv = fused.conv %x weight %w {name = "conv"} : (tensor<8x6x7xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x7xf32>
  %pool = fused.pool avg %conv global {name = "pool"} : (tensor<8x6x7xf32>) -> tensor<8xf32>
  %gate = fused.linear %pool weight %w {name = "fc", blob = "gate"} : (tensor<8xf32>, tensor<8x8x1x1xf32>) -> tensor<8xf32> epilogue(%acc: f32) {
    %0 = arith.constant 2.000000e-01 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.constant 0.000000e+00 : f32
    %5 = arith.maximumf %3, %4 : f32
    %6 = arith.constant 1.000000e+00 : f32
    %7 = arith.minimumf %5, %6 : f32
    fused.yield %7 : f32
  }
  %mul = fused.elementwise %conv residuals(%gate) {name = "mul"} : (tensor<8x6x7xf32>, tensor<8xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r: f32) {
    %0 = arith.mulf %acc, %r : f32
    fused.yield %0 : f32
  }
  func.return %mul : tensor<8x6x7xf32>
}

// One value a column: the innermost axis, where the extent is not that of the outermost. Of a matrix
// whose extents are equal it is the outermost.
// CHECK-LABEL: func.func @columns(%x: tensor<3x8xf32>, %y: tensor<8x8xf32>, %v: tensor<8xf32>) -> (tensor<3x8xf32> {ncnn.blob = "inner"}, tensor<8x8xf32> {ncnn.blob = "outer"}) {
// CHECK-NEXT:   %inner = ncnn.binaryop %x, %v {name = "inner", op_type = add} : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:   %outer = ncnn.binaryop %v, %y {name = "outer", op_type = sub} : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:   func.return %inner, %outer : tensor<3x8xf32>, tensor<8x8xf32>
// CHECK-NEXT: }
func.func @columns(%x: tensor<3x8xf32>, %y: tensor<8x8xf32>, %v: tensor<8xf32>) -> (tensor<3x8xf32> {ncnn.blob = "inner"}, tensor<8x8xf32> {ncnn.blob = "outer"}) {
  %inner = fused.elementwise %x residuals(%v at [1]) {name = "inner"} : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32> epilogue(%acc: f32, %r: f32) {
    %0 = arith.addf %acc, %r : f32
    fused.yield %0 : f32
  }
  %outer = fused.elementwise %y residuals(%v) {name = "outer"} : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32> epilogue(%acc: f32, %r: f32) {
    %0 = arith.subf %r, %acc : f32
    fused.yield %0 : f32
  }
  func.return %inner, %outer : tensor<3x8xf32>, tensor<8x8xf32>
}

// Both operands are repeated: none of them has the shape of the result.
// CHECK-LABEL: func.func @both_are_repeated(%row: tensor<1x8xf32>, %column: tensor<3x1xf32>) -> (tensor<3x8xf32> {ncnn.blob = "z"}) {
// CHECK-NEXT:   %0 = ncnn.binaryop %row, %column {name = "y", op_type = mul} : (tensor<1x8xf32>, tensor<3x1xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:   %z = ncnn.relu %0 {name = "y_1", blobs = ["z"]} : (tensor<3x8xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:   func.return %z : tensor<3x8xf32>
// CHECK-NEXT: }
func.func @both_are_repeated(%row: tensor<1x8xf32>, %column: tensor<3x1xf32>) -> (tensor<3x8xf32> {ncnn.blob = "z"}) {
  %z = fused.elementwise residuals(%row, %column) {name = "y", blob = "z"} : (tensor<1x8xf32>, tensor<3x1xf32>) -> tensor<3x8xf32> epilogue(%r: f32, %r_1: f32) {
    %0 = arith.mulf %r, %r_1 : f32
    %1 = arith.constant 0.000000e+00 : f32
    %2 = arith.maximumf %0, %1 : f32
    fused.yield %2 : f32
  }
  func.return %z : tensor<3x8xf32>
}

// The same blob twice is one residual; at other axes it is another.
// CHECK-LABEL: func.func @one_residual(%x: tensor<8x8xf32>, %v: tensor<8xf32>, %row: tensor<1x8xf32>) -> (tensor<8x8xf32> {ncnn.blob = "c"}) {
// CHECK-NEXT:   %0 = ncnn.binaryop %x, %v {name = "a", op_type = add} : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:   %1 = ncnn.binaryop %v, %0 {name = "a_1", op_type = sub} : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:   %c = ncnn.binaryop %1, %row {name = "a_2", blobs = ["c"], op_type = mul} : (tensor<8x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:   func.return %c : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @one_residual(%x: tensor<8x8xf32>, %v: tensor<8xf32>, %row: tensor<1x8xf32>) -> (tensor<8x8xf32> {ncnn.blob = "c"}) {
  %c = fused.elementwise %x residuals(%v, %row) {name = "a", blob = "c"} : (tensor<8x8xf32>, tensor<8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32> epilogue(%acc: f32, %r: f32, %r_1: f32) {
    %0 = arith.addf %acc, %r : f32
    %1 = arith.subf %r, %0 : f32
    %2 = arith.mulf %1, %r_1 : f32
    fused.yield %2 : f32
  }
  func.return %c : tensor<8x8xf32>
}

// The value between is used twice, but by the one operation that it is joined with.
// CHECK-LABEL: func.func @square(%x: tensor<8xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x8xf32>
// CHECK-NEXT:   %0 = ncnn.innerproduct %x weight %w {name = "ip", num_output = 4} : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %y = ncnn.unaryop %0 {name = "ip_1", blobs = ["y"], op_type = square} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @square(%x: tensor<8xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %w = ncnn.constant #ncnn.elided : tensor<4x8xf32>
  %y = fused.linear %x weight %w {name = "ip", blob = "y"} : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.mulf %acc, %acc : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4xf32>
}

// Swish as a product: of unknown extents, but both operands have those of x.
// CHECK-LABEL: func.func @same_extents(%x: tensor<*xf32>) -> (tensor<*xf32> {ncnn.blob = "mul"}) {
// CHECK-NEXT:   %0 = ncnn.sigmoid %x {name = "gate"} : (tensor<*xf32>) -> tensor<*xf32>
// CHECK-NEXT:   %mul = ncnn.binaryop %x, %0 {name = "gate_1", blobs = ["mul"], op_type = mul} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
// CHECK-NEXT:   func.return %mul : tensor<*xf32>
// CHECK-NEXT: }
func.func @same_extents(%x: tensor<*xf32>) -> (tensor<*xf32> {ncnn.blob = "mul"}) {
  %mul = fused.elementwise %x {name = "gate", blob = "mul"} : (tensor<*xf32>) -> tensor<*xf32> epilogue(%acc: f32) {
    %0 = arith.constant 1.000000e+00 : f32
    %1 = arith.negf %acc : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %0 : f32
    %4 = arith.divf %0, %3 : f32
    %5 = arith.mulf %acc, %4 : f32
    fused.yield %5 : f32
  }
  func.return %mul : tensor<*xf32>
}

// A linear layer of convolution and pooling takes the add, whichever stands last.
// CHECK-LABEL: func.func @product_before_pooling(%x: tensor<8x6x6xf32>) -> (tensor<8x6x6xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %pool = ncnn.pooling %x {name = "pool", kernel_w = 3, pad_left = 1, pad_mode = valid} : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
// CHECK-NEXT:   %0 = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 1} : (tensor<8x6x6xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x6xf32>
// CHECK-NEXT:   %add = ncnn.binaryop %pool, %0 {name = "conv_1", blobs = ["add"], op_type = add} : (tensor<8x6x6xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
// CHECK-NEXT:   func.return %add : tensor<8x6x6xf32>
// CHECK-NEXT: }
func.func @product_before_pooling(%x: tensor<8x6x6xf32>) -> (tensor<8x6x6xf32> {ncnn.blob = "add"}) {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %pool = fused.pool max %x kernel [3, 3] pads [1, 1, 1, 1] {name = "pool"} : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
  %add = fused.conv %x weight %w residuals(%pool) {name = "conv", blob = "add"} : (tensor<8x6x6xf32>, tensor<8x8x1x1xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32> epilogue(%acc: f32, %r: f32) {
    %0 = arith.addf %r, %acc : f32
    fused.yield %0 : f32
  }
  func.return %add : tensor<8x6x6xf32>
}

// A residual that is made after the convolution: the convolution is done where the add was.
// CHECK-LABEL: func.func @residual_comes_later(%x: tensor<8x6x6xf32>) -> (tensor<8x6x6xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %soft = ncnn.softmax %x {name = "soft"} : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
// CHECK-NEXT:   %0 = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 1} : (tensor<8x6x6xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x6xf32>
// CHECK-NEXT:   %add = ncnn.binaryop %0, %soft {name = "conv_1", blobs = ["add"], op_type = add} : (tensor<8x6x6xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
// CHECK-NEXT:   func.return %add : tensor<8x6x6xf32>
// CHECK-NEXT: }
func.func @residual_comes_later(%x: tensor<8x6x6xf32>) -> (tensor<8x6x6xf32> {ncnn.blob = "add"}) {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %soft = ncnn.softmax %x {name = "soft"} : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
  %add = fused.conv %x weight %w residuals(%soft) {name = "conv", blob = "add"} : (tensor<8x6x6xf32>, tensor<8x8x1x1xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32> epilogue(%acc: f32, %r: f32) {
    %0 = arith.addf %acc, %r : f32
    fused.yield %0 : f32
  }
  func.return %add : tensor<8x6x6xf32>
}

// Scale, Bias and PReLU: one value a channel, the Bias of a matrix one for all. A half is widened.
// CHECK-LABEL: func.func @channels(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>) -> (tensor<2x3xf32> {ncnn.blob = "bias"}, tensor<2x3x4xf32> {ncnn.blob = "half"}) {
// CHECK-NEXT:   %s = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %t = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %h = ncnn.constant {name = "h"} #ncnn.elided : tensor<2x1x4xf16>
// CHECK-NEXT:   %t_1 = ncnn.constant dense<[3.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %0 = ncnn.scale %x scale %s bias %t {name = "scale"} : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %bias = ncnn.binaryop %0, %t_1 {name = "scale_1", blobs = ["bias"], op_type = add} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %1 = ncnn.prelu %y slope %s {name = "prelu"} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %2 = ncnn.binaryop %1, %t {name = "prelu_1", op_type = add} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %half = ncnn.binaryop %2, %h {name = "prelu_2", blobs = ["half"], op_type = add} : (tensor<2x3x4xf32>, tensor<2x1x4xf16>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   func.return %bias, %half : tensor<2x3xf32>, tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @channels(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>) -> (tensor<2x3xf32> {ncnn.blob = "bias"}, tensor<2x3x4xf32> {ncnn.blob = "half"}) {
  %s = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %t = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %h = ncnn.constant {name = "h"} #ncnn.elided : tensor<2x1x4xf16>
  %t_1 = ncnn.constant dense<[3.000000e+00]> : tensor<1xf32>
  %bias = fused.elementwise %x residuals(%s, %t, %t_1) {name = "scale", blob = "bias"} : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x3xf32> epilogue(%acc: f32, %scale: f32, %bias_1: f32, %bias_2: f32) {
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.addf %0, %bias_1 : f32
    %2 = arith.addf %1, %bias_2 : f32
    fused.yield %2 : f32
  }
  %half = fused.elementwise %y residuals(%s, %t, %h) {name = "prelu", blob = "half"} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x1x4xf16>) -> tensor<2x3x4xf32> epilogue(%acc: f32, %slope: f32, %bias_1: f32, %r: f16) {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = arith.cmpf olt, %acc, %0 : f32
    %2 = arith.mulf %acc, %slope : f32
    %3 = arith.select %1, %2, %acc : f32
    %4 = arith.addf %3, %bias_1 : f32
    %5 = arith.extf %r : f16 to f32
    %6 = arith.addf %4, %5 : f32
    fused.yield %6 : f32
  }
  func.return %bias, %half : tensor<2x3xf32>, tensor<2x3x4xf32>
}

// BatchNorm with values: 2 / sqrt(3 + 1) and 5 - 1 * 7.
// CHECK-LABEL: func.func @batchnorm(%x: tensor<1x3xf32>) -> (tensor<1x3xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %bn_scale = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant dense<[-2.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %y = ncnn.scale %x scale %bn_scale bias %bn_shift {name = "y"} : (tensor<1x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3xf32>
// CHECK-NEXT: }
func.func @batchnorm(%x: tensor<1x3xf32>) -> (tensor<1x3xf32> {ncnn.blob = "y"}) {
  %bn_scale = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
  %bn_shift = ncnn.constant dense<[-2.000000e+00]> : tensor<1xf32>
  %y = fused.elementwise %x residuals(%bn_scale, %bn_shift) {name = "y"} : (tensor<1x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3xf32> epilogue(%acc: f32, %scale: f32, %shift: f32) {
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.addf %0, %shift : f32
    fused.yield %1 : f32
  }
  func.return %y : tensor<1x3xf32>
}

// Split, Dropout and Noop are gone.
// CHECK-LABEL: func.func @nothing(%x: tensor<3xf32>) -> (tensor<3xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.binaryop %x, %x {name = "y", op_type = add} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT:   func.return %y : tensor<3xf32>
// CHECK-NEXT: }
func.func @nothing(%x: tensor<3xf32>) -> (tensor<3xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<3xf32>) -> tensor<3xf32> epilogue(%acc: f32) {
    %0 = arith.addf %acc, %acc : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<3xf32>
}
