// RUN: ncnn-opt --convert-fused-to-ncnn %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --convert-fused-to-ncnn %s > %t.once
// RUN: ncnn-opt --convert-fused-to-ncnn %t.once | diff %t.once -
// RUN: ncnn-opt --convert-fused-to-ncnn --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// What has no form in layers stays, and a remark says why.
// REMARK: remark: convert-fused-to-ncnn: fused.elementwise 'comparison' (no layer computes 'arith.select' here)
// REMARK-NEXT: remark: convert-fused-to-ncnn: fused.elementwise 'constant' (a constant takes the place of a blob)
// REMARK-NEXT: remark: convert-fused-to-ncnn: fused.elementwise 'repeated' (the result is a residual that is repeated)
// REMARK-NEXT: remark: convert-fused-to-ncnn: fused.linear 'sums' (int32 sums are not multiplied by one scale per channel first)
// REMARK-NEXT: remark: convert-fused-to-ncnn: fused.linear 'transposed' (a transposed weight for a vector)
// REMARK-NEXT: remark: convert-fused-to-ncnn: fused.linear 'computed' (a weight or bias is not constant)
// REMARK-NEXT: remark: convert-fused-to-ncnn: fused.linear 'row' (an InnerProduct might read the blob as rows)

// Two values are computed of the sum: it is needed as it is, too.
// CHECK-LABEL: func.func @activation_and_more(%x: tensor<4xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4xf32>
// CHECK-NEXT:   %0 = ncnn.innerproduct %x weight %w {name = "y", blobs = ["y_0"], num_output = 8} : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %1 = ncnn.relu %0 {name = "y_1"} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %0, %1 {name = "y_2", blobs = ["y"], op_type = add} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %y : tensor<8xf32>
// CHECK-NEXT: }
func.func @activation_and_more(%x: tensor<4xf32>) -> tensor<8xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4xf32>
  %y = fused.linear %x weight %w {name = "y"} : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<8xf32> epilogue(%acc: f32) {
    %0 = arith.constant 0.0 : f32
    %1 = arith.maximumf %acc, %0 : f32
    %2 = arith.addf %acc, %1 : f32
    fused.yield %2 : f32
  }
  func.return %y : tensor<8xf32>
}

// A layer that does nothing keeps the name.
// CHECK-LABEL: func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %y = ncnn.noop %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// No layer compares two blobs.
// CHECK-LABEL: func.func @comparison(%x: tensor<4xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %y = fused.elementwise %x residuals(%r) {name = "comparison"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32, %b: f32) {
// CHECK-NEXT:     %0 = arith.cmpf olt, %a, %b : f32
// CHECK-NEXT:     %1 = math.tanh %b : f32
// CHECK-NEXT:     %2 = arith.select %0, %a, %1 : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @comparison(%x: tensor<4xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
  %y = fused.elementwise %x residuals(%r) {name = "comparison"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32, %b: f32) {
    %0 = arith.cmpf olt, %a, %b : f32
    %1 = math.tanh %b : f32
    %2 = arith.select %0, %a, %1 : f32
    fused.yield %2 : f32
  }
  func.return %y : tensor<4xf32>
}

// A HardSwish that falls is no HardSwish of the runtime: its code is not that of any layer, but that
// of several.
// CHECK-LABEL: func.func @falling(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %0 = ncnn.binaryop %x {name = "falling", blobs = ["falling_0"], op_type = mul, with_scalar = 1, b = -0.5} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %1 = ncnn.hardsigmoid %0 {name = "falling_1", alpha = 1.0, beta = 0.25} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %x, %1 {name = "falling_2", blobs = ["falling"], op_type = mul} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @falling(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fused.elementwise %x {name = "falling"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32) {
    %0 = arith.constant -0.5 : f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.constant 0.25 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.constant 0.0 : f32
    %5 = arith.maximumf %3, %4 : f32
    %6 = arith.constant 1.0 : f32
    %7 = arith.minimumf %5, %6 : f32
    %8 = arith.mulf %a, %7 : f32
    fused.yield %8 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "constant"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32) {
// CHECK-NEXT:     %0 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fused.elementwise %x {name = "constant"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32) {
    %0 = arith.constant 1.0 : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @repeated_residual(%x: tensor<4x2xf32>, %r: tensor<4xf32>) -> tensor<4x2xf32> {
// CHECK-NEXT:   %y = fused.elementwise %x residuals(%r) {name = "repeated"} : (tensor<4x2xf32>, tensor<4xf32>) -> tensor<4x2xf32> epilogue(%a: f32, %b: f32) {
// CHECK-NEXT:     %0 = math.tanh %b : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4x2xf32>
// CHECK-NEXT: }
func.func @repeated_residual(%x: tensor<4x2xf32>, %r: tensor<4xf32>) -> tensor<4x2xf32> {
  %y = fused.elementwise %x residuals(%r) {name = "repeated"} : (tensor<4x2xf32>, tensor<4xf32>) -> tensor<4x2xf32> epilogue(%a: f32, %b: f32) {
    %0 = math.tanh %b : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @integer_arithmetic(%x: tensor<4xi8>) -> tensor<8xf32> {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4xi8>
// CHECK-NEXT:   %y = fused.linear %x weight %w {name = "sums"} : (tensor<4xi8>, tensor<8x4xi8>) -> tensor<8xf32> epilogue(%acc: i32) {
// CHECK-NEXT:     %0 = arith.addi %acc, %acc : i32
// CHECK-NEXT:     %1 = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<8xf32>
// CHECK-NEXT: }
func.func @integer_arithmetic(%x: tensor<4xi8>) -> tensor<8xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4xi8>
  %y = fused.linear %x weight %w {name = "sums"} : (tensor<4xi8>, tensor<8x4xi8>) -> tensor<8xf32> epilogue(%acc: i32) {
    %0 = arith.addi %acc, %acc : i32
    %1 = arith.sitofp %0 : i32 to f32
    fused.yield %1 : f32
  }
  func.return %y : tensor<8xf32>
}

// A residual that a BinaryOp would take for one of the innermost axis, which is as long.
// CHECK-LABEL: func.func @axes(%x: tensor<2x4x4xf32>, %r: tensor<4xf32>, %s: tensor<2x4xf32>) -> tensor<2x4x4xf32> {
// CHECK-NEXT:   %0 = ncnn.reshape %r {name = "axes", blobs = ["axes_0"], w = 1, h = 4, c = 1} : (tensor<4xf32>) -> tensor<1x4x1xf32>
// CHECK-NEXT:   %1 = ncnn.binaryop %0, %x {name = "axes_1", op_type = mul} : (tensor<1x4x1xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
// CHECK-NEXT:   %2 = ncnn.reshape %s {name = "axes_2", w = 4, h = 1, c = 2} : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %1, %2 {name = "axes_3", blobs = ["axes"], op_type = add} : (tensor<2x4x4xf32>, tensor<2x1x4xf32>) -> tensor<2x4x4xf32>
// CHECK-NEXT:   func.return %y : tensor<2x4x4xf32>
// CHECK-NEXT: }
func.func @axes(%x: tensor<2x4x4xf32>, %r: tensor<4xf32>, %s: tensor<2x4xf32>) -> tensor<2x4x4xf32> {
  %y = fused.elementwise %x residuals(%r at [1], %s at [0, 2]) {name = "axes"} : (tensor<2x4x4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4x4xf32> epilogue(%a: f32, %b: f32, %c: f32) {
    %0 = arith.mulf %b, %a : f32
    %1 = arith.addf %0, %c : f32
    fused.yield %1 : f32
  }
  func.return %y : tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @transposed_weight(%x: tensor<4xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<4x8xf32>
// CHECK-NEXT:   %y = fused.linear %x weight %w transposed {name = "transposed"} : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %y : tensor<8xf32>
// CHECK-NEXT: }
func.func @transposed_weight(%x: tensor<4xf32>) -> tensor<8xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x8xf32>
  %y = fused.linear %x weight %w transposed {name = "transposed"} : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @computed_weight(%x: tensor<4xf32>, %w: tensor<8x4xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %y = fused.linear %x weight %w {name = "computed"} : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %y : tensor<8xf32>
// CHECK-NEXT: }
func.func @computed_weight(%x: tensor<4xf32>, %w: tensor<8x4xf32>) -> tensor<8xf32> {
  %y = fused.linear %x weight %w {name = "computed"} : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// An InnerProduct would take this for rows.
// CHECK-LABEL: func.func @one_row(%x: tensor<1x4xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4xf32>
// CHECK-NEXT:   %y = fused.linear %x weight %w {name = "row"} : (tensor<1x4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %y : tensor<8xf32>
// CHECK-NEXT: }
func.func @one_row(%x: tensor<1x4xf32>) -> tensor<8xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4xf32>
  %y = fused.linear %x weight %w {name = "row"} : (tensor<1x4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// The runtime's BinaryOp takes the logarithm: of negative numbers it makes no power.
// CHECK-LABEL: func.func @exact_power(%x: tensor<4xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %y = fused.elementwise %x residuals(%r) {name = "power"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32, %b: f32) {
// CHECK-NEXT:     %0 = math.powf %a, %b : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @exact_power(%x: tensor<4xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
  %y = fused.elementwise %x residuals(%r) {name = "power"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%a: f32, %b: f32) {
    %0 = math.powf %a, %b : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4xf32>
}

// Float16 of a constant is float32 once it is loaded: nothing makes the halves that are wanted here.
// CHECK-LABEL: func.func @stored_halves() -> tensor<4xf16> {
// CHECK-NEXT:   %k = ncnn.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf16>
// CHECK-NEXT:   %y = fused.elementwise %k {name = "y"} : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:   func.return %y : tensor<4xf16>
// CHECK-NEXT: }
func.func @stored_halves() -> tensor<4xf16> {
  %k = ncnn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf16>
  %y = fused.elementwise %k {name = "y"} : (tensor<4xf16>) -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}
