// RUN: ncnn-opt --canonicalize %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --canonicalize %s > %t.once
// RUN: ncnn-opt --canonicalize %t.once | diff %t.once -

// What canonicalize leaves as it is.

// Without an input, the residuals make the shape of the result.
// CHECK-LABEL: func.func @shape(%x: tensor<4x1xf32>, %r: tensor<1x2xf32>) -> tensor<4x2xf32> {
// CHECK-NEXT:   %y = fused.elementwise residuals(%x, %r) {name = "y"} : (tensor<4x1xf32>, tensor<1x2xf32>) -> tensor<4x2xf32> epilogue(%a: f32, %b: f32) {
// CHECK-NEXT:     %0 = math.tanh %a : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4x2xf32>
// CHECK-NEXT: }
func.func @shape(%x: tensor<4x1xf32>, %r: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %y = fused.elementwise residuals(%x, %r) {name = "y"} : (tensor<4x1xf32>, tensor<1x2xf32>) -> tensor<4x2xf32> epilogue(%a: f32, %b: f32) {
    %0 = math.tanh %a : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4x2xf32>
}

// Values that were left out, and values that differ.
// CHECK-LABEL: func.func @values(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %out = ncnn.constant #ncnn.elided : tensor<1xf32>
// CHECK-NEXT:   %two = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %y = fused.elementwise %x residuals(%out, %two) {name = "y"} : (tensor<2xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32> epilogue(%acc: f32, %a: f32, %b: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %a : f32
// CHECK-NEXT:     %1 = arith.addf %0, %b : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @values(%x: tensor<2xf32>) -> tensor<2xf32> {
  %out = ncnn.constant #ncnn.elided : tensor<1xf32>
  %two = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = fused.elementwise %x residuals(%out, %two) {name = "y"} : (tensor<2xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32> epilogue(%acc: f32, %a: f32, %b: f32) {
    %0 = arith.mulf %acc, %a : f32
    %1 = arith.addf %0, %b : f32
    fused.yield %1 : f32
  }
  func.return %y : tensor<2xf32>
}

// The same blob at other axes is another residual.
// CHECK-LABEL: func.func @axes(%x: tensor<2x2xf32>, %r: tensor<2xf32>) -> tensor<2x2xf32> {
// CHECK-NEXT:   %y = fused.elementwise %x residuals(%r, %r at [1]) {name = "y"} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32> epilogue(%acc: f32, %a: f32, %b: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %a : f32
// CHECK-NEXT:     %1 = arith.addf %0, %b : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<2x2xf32>
// CHECK-NEXT: }
func.func @axes(%x: tensor<2x2xf32>, %r: tensor<2xf32>) -> tensor<2x2xf32> {
  %y = fused.elementwise %x residuals(%r, %r at [1]) {name = "y"} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32> epilogue(%acc: f32, %a: f32, %b: f32) {
    %0 = arith.mulf %acc, %a : f32
    %1 = arith.addf %0, %b : f32
    fused.yield %1 : f32
  }
  func.return %y : tensor<2x2xf32>
}

// Rounding would change; a bound that has an effect.
// CHECK-LABEL: func.func @arithmetic(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 1.000000e-01 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.mulf %1, %0 : f32
// CHECK-NEXT:     %3 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.subf %3, %2 : f32
// CHECK-NEXT:     %5 = arith.minimumf %4, %3 : f32
// CHECK-NEXT:     %6 = arith.maximumf %5, %0 : f32
// CHECK-NEXT:     fused.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @arithmetic(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 0.1 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.mulf %1, %0 : f32
    %3 = arith.constant 1.0 : f32
    %4 = arith.subf %3, %2 : f32
    %5 = arith.minimumf %4, %3 : f32
    %6 = arith.maximumf %5, %0 : f32
    fused.yield %6 : f32
  }
  func.return %y : tensor<4xf32>
}

// It is all there is between an input and an output of another name.
// CHECK-LABEL: func.func @copy(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @copy(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Without the number, nothing would say that there are two dims.
// CHECK-LABEL: func.func @all_axes(%x: tensor<4xf32>) -> tensor<4x1xf32> {
// CHECK-NEXT:   %c = ncnn.constant dense<{{..}}2.000000e+00]]> : tensor<1x1xf32>
// CHECK-NEXT:   %y = fused.elementwise residuals(%x, %c) {name = "y"} : (tensor<4xf32>, tensor<1x1xf32>) -> tensor<4x1xf32> epilogue(%a: f32, %b: f32) {
func.func @all_axes(%x: tensor<4xf32>) -> tensor<4x1xf32> {
  %c = ncnn.constant dense<2.0> : tensor<1x1xf32>
  %y = fused.elementwise residuals(%x, %c) {name = "y"} : (tensor<4xf32>, tensor<1x1xf32>) -> tensor<4x1xf32> epilogue(%a: f32, %b: f32) {
    %0 = arith.mulf %a, %b : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4x1xf32>
}
