// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %w, %b, %r, %c = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>, tensor<8x6x7xf32>, tensor<7xf32>)
%x, %w, %b, %r, %c = "test.op"() : () -> (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>, tensor<8x6x7xf32>, tensor<7xf32>)

// An epilogue that gives the accumulator back is left out; so is what equals its default.
// CHECK-NEXT: %plain = fused.conv %x weight %w pads [1, 1, 1, 1] {name = "plain"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>
%plain = fused.conv %x weight %w strides [1, 1] pads [1, 1, 1, 1] pad_value 0.0 groups 1 {name = "plain", blob = "plain"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32) {
  fused.yield %acc : f32
}

// CHECK-NEXT: %conv = fused.conv %x weight %w bias %b residuals(%r, %b, %c at [2]) pads [1, 1, 1, 1] {name = "conv", blob = "relu"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>, tensor<8x6x7xf32>, tensor<8xf32>, tensor<7xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r0: f32, %b0: f32, %c0: f32) {
// CHECK-NEXT:   %0 = arith.addf %acc, %r0 : f32
// CHECK-NEXT:   %1 = arith.mulf %0, %b0 : f32
// CHECK-NEXT:   %2 = arith.addf %1, %c0 : f32
// CHECK-NEXT:   %3 = math.tanh %2 : f32
// CHECK-NEXT:   fused.yield %3 : f32
// CHECK-NEXT: }
%conv = fused.conv %x weight %w bias %b residuals(%r at [0, 1, 2], %b at [0], %c at [2]) pads [1, 1, 1, 1] {name = "conv", blob = "relu"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>, tensor<8x6x7xf32>, tensor<8xf32>, tensor<7xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r0: f32, %b0: f32, %c0: f32) {
  %0 = arith.addf %acc, %r0 : f32
  %1 = arith.mulf %0, %b0 : f32
  %2 = arith.addf %1, %c0 : f32
  %3 = math.tanh %2 : f32
  fused.yield %3 : f32
}
