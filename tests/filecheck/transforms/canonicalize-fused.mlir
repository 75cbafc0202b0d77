// RUN: ncnn-opt --canonicalize %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --canonicalize %s > %t.once
// RUN: ncnn-opt --canonicalize %t.once | diff %t.once -

// What canonicalize does to fused operations. (What convert-ncnn-to-fused joins, it joins as well.)

// A residual that is not used, one that is there twice, one that is the input.
// CHECK-LABEL: func.func @residuals(%x: tensor<8x4xf32>, %r: tensor<8x4xf32>, %s: tensor<8xf32>) -> tensor<8x4xf32> {
// CHECK-NEXT:   %y = fused.elementwise %x residuals(%r) {name = "y"} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32> epilogue(%acc: f32, %a: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %a : f32
// CHECK-NEXT:     %1 = arith.mulf %0, %a : f32
// CHECK-NEXT:     %2 = arith.subf %1, %acc : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<8x4xf32>
// CHECK-NEXT: }
func.func @residuals(%x: tensor<8x4xf32>, %r: tensor<8x4xf32>, %s: tensor<8xf32>) -> tensor<8x4xf32> {
  %y = fused.elementwise %x residuals(%r, %s, %r, %x, %s at [0]) {name = "y"} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8xf32>) -> tensor<8x4xf32> epilogue(%acc: f32, %a: f32, %b: f32, %c: f32, %d: f32, %e: f32) {
    %0 = arith.addf %acc, %a : f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.subf %1, %d : f32
    fused.yield %2 : f32
  }
  func.return %y : tensor<8x4xf32>
}

// A constant of one number becomes a number of the epilogue, whatever its shape and elements.
// CHECK-LABEL: func.func @constants(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x2xf32>
// CHECK-NEXT:   %y = fused.linear %x weight %w {name = "y"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     fused.yield %3 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<2x2xf32>
// CHECK-NEXT: }
func.func @constants(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x2xf32>
  %one = ncnn.constant dense<[2.0]> : tensor<1xf32>
  %all = ncnn.constant dense<3.0> : tensor<2x2xf16>
  %y = fused.linear %x weight %w residuals(%one, %all) {name = "y"} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<1xf32>, tensor<2x2xf16>) -> tensor<2x2xf32> epilogue(%acc: f32, %a: f32, %b: f16) {
    %0 = arith.mulf %acc, %a : f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.addf %0, %1 : f32
    fused.yield %2 : f32
  }
  func.return %y : tensor<2x2xf32>
}

// Arithmetic: on constants, with neutral numbers, of one bound after the other, the same twice.
// CHECK-LABEL: func.func @arithmetic(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %0 = arith.maximumf %acc, %zero : f32
// CHECK-NEXT:     %1 = arith.minimumf %0, %two : f32
// CHECK-NEXT:     %2 = arith.constant 0.693147182 : f32
// CHECK-NEXT:     %3 = arith.divf %1, %2 : f32
// CHECK-NEXT:     %4 = math.tanh %3 : f32
// CHECK-NEXT:     %5 = arith.addf %4, %4 : f32
// CHECK-NEXT:     fused.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @arithmetic(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %six = arith.constant 6.0 : f32
    %two = arith.constant 2.0 : f32
    %0 = arith.mulf %acc, %one : f32
    %1 = arith.addf %zero, %0 : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.minimumf %2, %six : f32
    %4 = arith.maximumf %3, %zero : f32
    %5 = arith.minimumf %4, %two : f32
    %6 = math.log %two : f32
    %7 = arith.divf %5, %6 : f32
    %8 = math.tanh %7 : f32
    %9 = math.tanh %7 : f32
    %10 = arith.negf %9 : f32
    %11 = arith.negf %10 : f32
    %12 = arith.addf %8, %11 : f32
    fused.yield %12 : f32
  }
  func.return %y : tensor<4xf32>
}

// What is left is nothing: the name goes to what was before.
// CHECK-LABEL: func.func @copy(%x: tensor<4xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x4xf32>
// CHECK-NEXT:   %y = fused.linear %x weight %w {name = "y"} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %y : tensor<2xf32>
// CHECK-NEXT: }
func.func @copy(%x: tensor<4xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x4xf32>
  %copy = fused.elementwise %x {name = "copy"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %one = arith.constant 1.0 : f32
    %0 = arith.divf %acc, %one : f32
    fused.yield %0 : f32
  }
  %y = fused.linear %copy weight %w {name = "y"} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @joined(%x: tensor<4xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %b = fused.elementwise %x residuals(%r) {name = "a", blob = "b"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = math.tanh %acc : f32
// CHECK-NEXT:     %1 = arith.divf %r_1, %0 : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %b : tensor<4xf32>
// CHECK-NEXT: }
func.func @joined(%x: tensor<4xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
  %a = fused.elementwise %x {name = "a"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = math.tanh %acc : f32
    fused.yield %0 : f32
  }
  %b = fused.elementwise %r residuals(%a) {name = "b"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32, %z: f32) {
    %0 = arith.divf %acc, %z : f32
    fused.yield %0 : f32
  }
  func.return %b : tensor<4xf32>
}
