// RUN: ncnn-opt --convert-ncnn-to-fused %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --convert-ncnn-to-fused %s > %t.once
// RUN: ncnn-opt --convert-ncnn-to-fused %t.once | diff %t.once -

// How residuals broadcast, and which operation takes them.

// A gate: one value a channel, of three dims, of one, of a constant.
// CHECK-LABEL: func.func @gates(%x: tensor<8x6x7xf32>, %g: tensor<8x1x1xf32>, %v: tensor<8xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "three"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %c = ncnn.constant {name = "c"} #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %three = fused.conv %x weight %w residuals(%g, %v, %c) {name = "conv", blob = "three"} : (tensor<8x6x7xf32>, tensor<8x8x1x1xf32>, tensor<8x1x1xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r: f32, %r_1: f32, %r_2: f32) {
// CHECK-NEXT:     %0 = arith.mulf %r, %acc : f32
// CHECK-NEXT:     %1 = arith.mulf %0, %r_1 : f32
// CHECK-NEXT:     %2 = arith.mulf %1, %r_2 : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %three : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @gates(%x: tensor<8x6x7xf32>, %g: tensor<8x1x1xf32>, %v: tensor<8xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %c = ncnn.constant {name = "c"} #ncnn.elided : tensor<8xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 1} : (tensor<8x6x7xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x7xf32>
  %one = ncnn.binaryop %g, %conv {name = "one", op_type = mul} : (tensor<8x1x1xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  %two = ncnn.binaryop %one, %v {name = "two", op_type = mul} : (tensor<8x6x7xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
  %three = ncnn.binaryop %two, %c {name = "three", op_type = mul} : (tensor<8x6x7xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
  func.return %three : tensor<8x6x7xf32>
}

// Squeeze and excitation: the gate has an epilogue of its own; the product of both goes into neither,
// for the first has other uses, and the second another shape.
// CHECK-LABEL: func.func @squeeze_and_excitation(%x: tensor<8x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "mul"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %conv = fused.conv %x weight %w {name = "conv"} : (tensor<8x6x7xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %pool = fused.pool avg %conv global {name = "pool"} : (tensor<8x6x7xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %gate = fused.linear %pool weight %w {name = "fc", blob = "gate"} : (tensor<8xf32>, tensor<8x8x1x1xf32>) -> tensor<8xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 2.000000e-01 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %5 = arith.maximumf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %7 = arith.minimumf %5, %6 : f32
// CHECK-NEXT:     fused.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %mul = fused.elementwise %conv residuals(%gate) {name = "mul"} : (tensor<8x6x7xf32>, tensor<8xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %mul : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @squeeze_and_excitation(%x: tensor<8x6x7xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 1} : (tensor<8x6x7xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x7xf32>
  %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<8x6x7xf32>) -> tensor<8xf32>
  %fc = ncnn.convolution %pool weight %w {name = "fc", num_output = 8, kernel_w = 1} : (tensor<8xf32>, tensor<8x8x1x1xf32>) -> tensor<8xf32>
  %gate = ncnn.hardsigmoid %fc {name = "gate"} : (tensor<8xf32>) -> tensor<8xf32>
  %mul = ncnn.binaryop %conv, %gate {name = "mul", op_type = mul} : (tensor<8x6x7xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
  func.return %mul : tensor<8x6x7xf32>
}

// One value a column: the innermost axis, where the extent is not that of the outermost. Of a matrix
// whose extents are equal it is the outermost.
// CHECK-LABEL: func.func @columns(%x: tensor<3x8xf32>, %y: tensor<8x8xf32>, %v: tensor<8xf32>) -> (tensor<3x8xf32> {ncnn.blob = "inner"}, tensor<8x8xf32> {ncnn.blob = "outer"}) {
// CHECK-NEXT:   %inner = fused.elementwise %x residuals(%v at [1]) {name = "inner"} : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %outer = fused.elementwise %y residuals(%v) {name = "outer"} : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.subf %r, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %inner, %outer : tensor<3x8xf32>, tensor<8x8xf32>
// CHECK-NEXT: }
func.func @columns(%x: tensor<3x8xf32>, %y: tensor<8x8xf32>, %v: tensor<8xf32>) -> (tensor<3x8xf32>, tensor<8x8xf32>) {
  %inner = ncnn.binaryop %x, %v {name = "inner", op_type = add} : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %outer = ncnn.binaryop %v, %y {name = "outer", op_type = sub} : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  func.return %inner, %outer : tensor<3x8xf32>, tensor<8x8xf32>
}

// Both operands are repeated: none of them has the shape of the result.
// CHECK-LABEL: func.func @both_are_repeated(%row: tensor<1x8xf32>, %column: tensor<3x1xf32>) -> (tensor<3x8xf32> {ncnn.blob = "z"}) {
// CHECK-NEXT:   %z = fused.elementwise residuals(%row, %column) {name = "y", blob = "z"} : (tensor<1x8xf32>, tensor<3x1xf32>) -> tensor<3x8xf32> epilogue(%r: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.mulf %r, %r_1 : f32
// CHECK-NEXT:     %1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %2 = arith.maximumf %0, %1 : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %z : tensor<3x8xf32>
// CHECK-NEXT: }
func.func @both_are_repeated(%row: tensor<1x8xf32>, %column: tensor<3x1xf32>) -> tensor<3x8xf32> {
  %y = ncnn.binaryop %row, %column {name = "y", op_type = mul} : (tensor<1x8xf32>, tensor<3x1xf32>) -> tensor<3x8xf32>
  %z = ncnn.relu %y {name = "z"} : (tensor<3x8xf32>) -> tensor<3x8xf32>
  func.return %z : tensor<3x8xf32>
}

// The same blob twice is one residual; at other axes it is another.
// CHECK-LABEL: func.func @one_residual(%x: tensor<8x8xf32>, %v: tensor<8xf32>, %row: tensor<1x8xf32>) -> (tensor<8x8xf32> {ncnn.blob = "c"}) {
// CHECK-NEXT:   %c = fused.elementwise %x residuals(%v, %row) {name = "a", blob = "c"} : (tensor<8x8xf32>, tensor<8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32> epilogue(%acc: f32, %r: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     %1 = arith.subf %r, %0 : f32
// CHECK-NEXT:     %2 = arith.mulf %1, %r_1 : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %c : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @one_residual(%x: tensor<8x8xf32>, %v: tensor<8xf32>, %row: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %a = ncnn.binaryop %x, %v {name = "a", op_type = add} : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %b = ncnn.binaryop %v, %a {name = "b", op_type = sub} : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = ncnn.binaryop %b, %row {name = "c", op_type = mul} : (tensor<8x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  func.return %c : tensor<8x8xf32>
}

// The value between is used twice, but by the one operation that it is joined with.
// CHECK-LABEL: func.func @square(%x: tensor<8xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x8xf32>
// CHECK-NEXT:   %y = fused.linear %x weight %w {name = "ip", blob = "y"} : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @square(%x: tensor<8xf32>) -> tensor<4xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x8xf32>
  %ip = ncnn.innerproduct %x weight %w {name = "ip", num_output = 4} : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  %y = ncnn.binaryop %ip, %ip {name = "y", op_type = mul} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Swish as a product: of unknown extents, but both operands have those of x.
// CHECK-LABEL: func.func @same_extents(%x: tensor<*xf32>) -> (tensor<*xf32> {ncnn.blob = "mul"}) {
// CHECK-NEXT:   %mul = fused.elementwise %x {name = "gate", blob = "mul"} : (tensor<*xf32>) -> tensor<*xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.negf %acc : f32
// CHECK-NEXT:     %2 = math.exp %1 : f32
// CHECK-NEXT:     %3 = arith.addf %2, %0 : f32
// CHECK-NEXT:     %4 = arith.divf %0, %3 : f32
// CHECK-NEXT:     %5 = arith.mulf %acc, %4 : f32
// CHECK-NEXT:     fused.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %mul : tensor<*xf32>
// CHECK-NEXT: }
func.func @same_extents(%x: tensor<*xf32>) -> tensor<*xf32> {
  %gate = ncnn.sigmoid %x {name = "gate"} : (tensor<*xf32>) -> tensor<*xf32>
  %mul = ncnn.binaryop %x, %gate {name = "mul", op_type = mul} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  func.return %mul : tensor<*xf32>
}

// A linear layer of convolution and pooling takes the add, whichever stands last.
// CHECK-LABEL: func.func @product_before_pooling(%x: tensor<8x6x6xf32>) -> (tensor<8x6x6xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %pool = fused.pool max %x kernel [3, 3] pads [1, 1, 1, 1] {name = "pool"} : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
// CHECK-NEXT:   %add = fused.conv %x weight %w residuals(%pool) {name = "conv", blob = "add"} : (tensor<8x6x6xf32>, tensor<8x8x1x1xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x6xf32>
// CHECK-NEXT: }
func.func @product_before_pooling(%x: tensor<8x6x6xf32>) -> tensor<8x6x6xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 1} : (tensor<8x6x6xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x6xf32>
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 3, pad_left = 1, pad_mode = valid} : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
  %add = ncnn.binaryop %pool, %conv {name = "add", op_type = add} : (tensor<8x6x6xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
  func.return %add : tensor<8x6x6xf32>
}

// A residual that is made after the convolution: the convolution is done where the add was.
// CHECK-LABEL: func.func @residual_comes_later(%x: tensor<8x6x6xf32>) -> (tensor<8x6x6xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
// CHECK-NEXT:   %soft = ncnn.softmax %x {name = "soft"} : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
// CHECK-NEXT:   %add = fused.conv %x weight %w residuals(%soft) {name = "conv", blob = "add"} : (tensor<8x6x6xf32>, tensor<8x8x1x1xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x6xf32>
// CHECK-NEXT: }
func.func @residual_comes_later(%x: tensor<8x6x6xf32>) -> tensor<8x6x6xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 1} : (tensor<8x6x6xf32>, tensor<8x8x1x1xf32>) -> tensor<8x6x6xf32>
  %soft = ncnn.softmax %x {name = "soft"} : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
  %add = ncnn.binaryop %conv, %soft {name = "add", op_type = add} : (tensor<8x6x6xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
  func.return %add : tensor<8x6x6xf32>
}

// Scale, Bias and PReLU: one value a channel, the Bias of a matrix one for all. A half is widened.
// CHECK-LABEL: func.func @channels(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>) -> (tensor<2x3xf32> {ncnn.blob = "bias"}, tensor<2x3x4xf32> {ncnn.blob = "half"}) {
// CHECK-NEXT:   %s = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %t = ncnn.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %h = ncnn.constant {name = "h"} #ncnn.elided : tensor<2x1x4xf16>
// CHECK-NEXT:   %t_1 = ncnn.constant dense<[3.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %bias = fused.elementwise %x residuals(%s, %t, %t_1) {name = "scale", blob = "bias"} : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x3xf32> epilogue(%acc: f32, %scale: f32, %bias_1: f32, %bias_2: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %bias_1 : f32
// CHECK-NEXT:     %2 = arith.addf %1, %bias_2 : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %half = fused.elementwise %y residuals(%s, %t, %h) {name = "prelu", blob = "half"} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x1x4xf16>) -> tensor<2x3x4xf32> epilogue(%acc: f32, %slope: f32, %bias_1: f32, %r: f16) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.cmpf olt, %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.mulf %acc, %slope : f32
// CHECK-NEXT:     %3 = arith.select %1, %2, %acc : f32
// CHECK-NEXT:     %4 = arith.addf %3, %bias_1 : f32
// CHECK-NEXT:     %5 = arith.extf %r : f16 to f32
// CHECK-NEXT:     %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:     fused.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %bias, %half : tensor<2x3xf32>, tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @channels(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>) -> (tensor<2x3xf32>, tensor<2x3x4xf32>) {
  %s = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %t = ncnn.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %h = ncnn.constant {name = "h"} #ncnn.elided : tensor<2x1x4xf16>
  %scale = ncnn.scale %x scale %s bias %t {name = "scale"} : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  %bias = ncnn.bias %scale bias %t {name = "bias"} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  %prelu = ncnn.prelu %y slope %s {name = "prelu"} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %bias3 = ncnn.bias %prelu bias %t {name = "bias3"} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  %half = ncnn.binaryop %bias3, %h {name = "half", op_type = add} : (tensor<2x3x4xf32>, tensor<2x1x4xf16>) -> tensor<2x3x4xf32>
  func.return %bias, %half : tensor<2x3xf32>, tensor<2x3x4xf32>
}

// BatchNorm with values: 2 / sqrt(3 + 1) and 5 - 1 * 7.
// CHECK-LABEL: func.func @batchnorm(%x: tensor<1x3xf32>) -> (tensor<1x3xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %bn_scale = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant dense<[-2.000000e+00]> : tensor<1xf32>
// CHECK-NEXT:   %y = fused.elementwise %x residuals(%bn_scale, %bn_shift) {name = "y"} : (tensor<1x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3xf32> epilogue(%acc: f32, %scale: f32, %shift: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<1x3xf32>
// CHECK-NEXT: }
func.func @batchnorm(%x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %bn_slope = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %mean = ncnn.constant dense<[7.0]> : tensor<1xf32>
  %var = ncnn.constant dense<[3.0]> : tensor<1xf32>
  %b = ncnn.constant dense<[5.0]> : tensor<1xf32>
  %y = ncnn.batchnorm %x slope %bn_slope mean %mean var %var bias %b {name = "y", eps = 1.0} : (tensor<1x3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

// Split, Dropout and Noop are gone.
// CHECK-LABEL: func.func @nothing(%x: tensor<3xf32>) -> (tensor<3xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<3xf32>) -> tensor<3xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<3xf32>
// CHECK-NEXT: }
func.func @nothing(%x: tensor<3xf32>) -> tensor<3xf32> {
  %a:2 = ncnn.split %x {name = "split"} : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %b = ncnn.dropout %a#0 {name = "dropout"} : (tensor<3xf32>) -> tensor<3xf32>
  %c = ncnn.noop %a#1 {name = "noop"} : (tensor<3xf32>) -> tensor<3xf32>
  %y = ncnn.binaryop %b, %c {name = "y", op_type = add} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
