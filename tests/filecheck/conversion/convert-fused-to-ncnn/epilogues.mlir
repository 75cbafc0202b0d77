// RUN: ncnn-opt --convert-fused-to-ncnn %s | filecheck %s --match-full-lines

// The epilogue of each element-wise layer of one blob.

// CHECK-LABEL: func.func @absval(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.unaryop %x {name = "y", op_type = abs} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @absval(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = math.absf %acc : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @bnll(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.bnll %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @bnll(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = arith.maximumf %acc, %0 : f32
    %2 = math.absf %acc : f32
    %3 = arith.negf %2 : f32
    %4 = math.exp %3 : f32
    %5 = arith.constant 1.000000e+00 : f32
    %6 = arith.addf %4, %5 : f32
    %7 = math.log %6 : f32
    %8 = arith.addf %1, %7 : f32
    fused.yield %8 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @celu(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.celu %x {name = "y", alpha = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @celu(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = arith.cmpf olt, %acc, %0 : f32
    %2 = arith.constant 2.000000e+00 : f32
    %3 = arith.divf %acc, %2 : f32
    %4 = math.exp %3 : f32
    %5 = arith.constant 1.000000e+00 : f32
    %6 = arith.subf %4, %5 : f32
    %7 = arith.mulf %6, %2 : f32
    %8 = arith.select %1, %7, %acc : f32
    fused.yield %8 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @clip(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.clip %x {name = "y", min = -1.0, max = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @clip(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant -1.000000e+00 : f32
    %1 = arith.maximumf %acc, %0 : f32
    %2 = arith.constant 1.000000e+00 : f32
    %3 = arith.minimumf %1, %2 : f32
    fused.yield %3 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @elu(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.elu %x {name = "y", alpha = 0.5} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @elu(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = arith.cmpf olt, %acc, %0 : f32
    %2 = math.exp %acc : f32
    %3 = arith.constant 1.000000e+00 : f32
    %4 = arith.subf %2, %3 : f32
    %5 = arith.constant 5.000000e-01 : f32
    %6 = arith.mulf %4, %5 : f32
    %7 = arith.select %1, %6, %acc : f32
    fused.yield %7 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @erf(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.erf %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @erf(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = math.erf %acc : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @exp_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.exp %x {name = "y", scale = 2.0, shift = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @exp_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 2.000000e+00 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.constant 1.000000e+00 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = math.exp %3 : f32
    fused.yield %4 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @exp_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.exp %x {name = "y", base = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @exp_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 2.000000e+00 : f32
    %1 = math.powf %0, %acc : f32
    fused.yield %1 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.gelu %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @gelu_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 5.000000e-01 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.constant 0.707106769 : f32
    %3 = arith.mulf %acc, %2 : f32
    %4 = math.erf %3 : f32
    %5 = arith.constant 1.000000e+00 : f32
    %6 = arith.addf %4, %5 : f32
    %7 = arith.mulf %1, %6 : f32
    fused.yield %7 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.gelu %x {name = "y", fast_gelu = 1} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @gelu_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 5.000000e-01 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.mulf %acc, %acc : f32
    %3 = arith.mulf %2, %acc : f32
    %4 = arith.constant 4.471500e-02 : f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %acc, %5 : f32
    %7 = arith.constant 0.797884524 : f32
    %8 = arith.mulf %6, %7 : f32
    %9 = math.tanh %8 : f32
    %10 = arith.constant 1.000000e+00 : f32
    %11 = arith.addf %9, %10 : f32
    %12 = arith.mulf %1, %11 : f32
    fused.yield %12 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @hardsigmoid(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.hardsigmoid %x {name = "y", alpha = 0.25, beta = 0.75} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @hardsigmoid(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 2.500000e-01 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.constant 7.500000e-01 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.constant 0.000000e+00 : f32
    %5 = arith.maximumf %3, %4 : f32
    %6 = arith.constant 1.000000e+00 : f32
    %7 = arith.minimumf %5, %6 : f32
    fused.yield %7 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @hardswish(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.hardswish %x {name = "y", alpha = 0.25, beta = 0.75} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @hardswish(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 2.500000e-01 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.constant 7.500000e-01 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.constant 0.000000e+00 : f32
    %5 = arith.maximumf %3, %4 : f32
    %6 = arith.constant 1.000000e+00 : f32
    %7 = arith.minimumf %5, %6 : f32
    %8 = arith.mulf %acc, %7 : f32
    fused.yield %8 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @log_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.unaryop %x {name = "y", op_type = log} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @log_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = math.log %acc : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @log_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %0 = ncnn.log %x {name = "y", blobs = ["y_0"], scale = 3.0, shift = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %0 {name = "y_1", blobs = ["y"], op_type = div, with_scalar = 1, b = 0.6931472} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @log_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 3.000000e+00 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.constant 1.000000e+00 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = math.log %3 : f32
    %5 = arith.constant 0.693147182 : f32
    %6 = arith.divf %4, %5 : f32
    fused.yield %6 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @mish(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.mish %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @mish(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = math.exp %acc : f32
    %1 = arith.constant 1.000000e+00 : f32
    %2 = arith.addf %0, %1 : f32
    %3 = math.log %2 : f32
    %4 = math.tanh %3 : f32
    %5 = arith.mulf %acc, %4 : f32
    fused.yield %5 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @power_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.power %x {name = "y", power = 3.0, scale = 2.0, shift = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @power_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 2.000000e+00 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.constant 1.000000e+00 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.constant 3.000000e+00 : f32
    %5 = math.powf %3, %4 : f32
    fused.yield %5 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @power_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %0 = ncnn.binaryop %x {name = "y", blobs = ["y_0"], op_type = mul, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %0 {name = "y_1", blobs = ["y"], op_type = add, with_scalar = 1, b = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @power_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 2.000000e+00 : f32
    %1 = arith.mulf %acc, %0 : f32
    %2 = arith.constant 1.000000e+00 : f32
    %3 = arith.addf %1, %2 : f32
    fused.yield %3 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @relu_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.relu %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @relu_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = arith.maximumf %acc, %0 : f32
    fused.yield %1 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @relu_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.relu %x {name = "y", slope = 0.25} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @relu_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = arith.cmpf olt, %acc, %0 : f32
    %2 = arith.constant 2.500000e-01 : f32
    %3 = arith.mulf %acc, %2 : f32
    %4 = arith.select %1, %3, %acc : f32
    fused.yield %4 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @selu(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.selu %x {name = "y", alpha = 2.0, lambd = 3.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @selu(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = arith.cmpf olt, %acc, %0 : f32
    %2 = math.exp %acc : f32
    %3 = arith.constant 1.000000e+00 : f32
    %4 = arith.subf %2, %3 : f32
    %5 = arith.constant 2.000000e+00 : f32
    %6 = arith.mulf %4, %5 : f32
    %7 = arith.constant 3.000000e+00 : f32
    %8 = arith.mulf %6, %7 : f32
    %9 = arith.mulf %acc, %7 : f32
    %10 = arith.select %1, %8, %9 : f32
    fused.yield %10 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @shrink(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.shrink %x {name = "y", bias = 1.0, lambd = 0.75} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @shrink(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant -7.500000e-01 : f32
    %1 = arith.cmpf olt, %acc, %0 : f32
    %2 = arith.constant 1.000000e+00 : f32
    %3 = arith.addf %acc, %2 : f32
    %4 = arith.constant 7.500000e-01 : f32
    %5 = arith.cmpf ogt, %acc, %4 : f32
    %6 = arith.subf %acc, %2 : f32
    %7 = arith.constant 0.000000e+00 : f32
    %8 = arith.select %5, %6, %7 : f32
    %9 = arith.select %1, %3, %8 : f32
    fused.yield %9 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @sigmoid(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.sigmoid %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @sigmoid(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 1.000000e+00 : f32
    %1 = arith.negf %acc : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %0 : f32
    %4 = arith.divf %0, %3 : f32
    fused.yield %4 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @softplus(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.softplus %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @softplus(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = math.exp %acc : f32
    %1 = arith.constant 1.000000e+00 : f32
    %2 = arith.addf %0, %1 : f32
    %3 = math.log %2 : f32
    fused.yield %3 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @swish(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.swish %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @swish(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.negf %acc : f32
    %1 = math.exp %0 : f32
    %2 = arith.constant 1.000000e+00 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.divf %acc, %3 : f32
    fused.yield %4 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @tanh(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.tanh %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @tanh(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = math.tanh %acc : f32
    fused.yield %0 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @threshold(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.threshold %x {name = "y", threshold = 0.5} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @threshold(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 5.000000e-01 : f32
    %1 = arith.cmpf ogt, %acc, %0 : f32
    %2 = arith.constant 1.000000e+00 : f32
    %3 = arith.constant 0.000000e+00 : f32
    %4 = arith.select %1, %2, %3 : f32
    fused.yield %4 : f32
  }
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @dropout(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.binaryop %x {name = "y", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @dropout(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
  %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 5.000000e-01 : f32
    %1 = arith.mulf %acc, %0 : f32
    fused.yield %1 : f32
  }
  func.return %y : tensor<4xf32>
}

// All kinds of UnaryOp, one after the other.
// CHECK-LABEL: func.func @unaryop(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "log1p"}) {
// CHECK-NEXT:   %0 = ncnn.unaryop %x {name = "abs", op_type = abs} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %1 = ncnn.unaryop %0 {name = "abs_1", op_type = neg} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %2 = ncnn.unaryop %1 {name = "abs_2", op_type = floor} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %3 = ncnn.unaryop %2 {name = "abs_3", op_type = ceil} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %4 = ncnn.unaryop %3 {name = "abs_4", op_type = square} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %5 = ncnn.unaryop %4 {name = "abs_5", op_type = sqrt} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %6 = ncnn.unaryop %5 {name = "abs_6", op_type = rsqrt} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %7 = ncnn.unaryop %6 {name = "abs_7", op_type = exp} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %8 = ncnn.unaryop %7 {name = "abs_8", op_type = log} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %9 = ncnn.unaryop %8 {name = "abs_9", op_type = sin} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %10 = ncnn.unaryop %9 {name = "abs_10", op_type = cos} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %11 = ncnn.unaryop %10 {name = "abs_11", op_type = tan} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %12 = ncnn.unaryop %11 {name = "abs_12", op_type = asin} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %13 = ncnn.unaryop %12 {name = "abs_13", op_type = acos} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %14 = ncnn.unaryop %13 {name = "abs_14", op_type = atan} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %15 = ncnn.unaryop %14 {name = "abs_15", op_type = reciprocal} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %16 = ncnn.tanh %15 {name = "abs_16"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %17 = ncnn.unaryop %16 {name = "abs_17", op_type = log10} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %18 = ncnn.unaryop %17 {name = "abs_18", op_type = round} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %19 = ncnn.unaryop %18 {name = "abs_19", op_type = trunc} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %20 = ncnn.unaryop %19 {name = "abs_20", op_type = sign} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %21 = ncnn.unaryop %20 {name = "abs_21", op_type = expm1} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %22 = ncnn.unaryop %21 {name = "abs_22", op_type = sinh} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %23 = ncnn.unaryop %22 {name = "abs_23", op_type = asinh} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %24 = ncnn.unaryop %23 {name = "abs_24", op_type = cosh} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %25 = ncnn.unaryop %24 {name = "abs_25", op_type = acosh} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %26 = ncnn.unaryop %25 {name = "abs_26", op_type = atanh} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %y27 = ncnn.unaryop %26 {name = "abs_27", blobs = ["log1p"], op_type = log1p} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y27 : tensor<4xf32>
// CHECK-NEXT: }
func.func @unaryop(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "log1p"}) {
  %y27 = fused.elementwise %x {name = "abs", blob = "log1p"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = math.absf %acc : f32
    %1 = arith.negf %0 : f32
    %2 = math.floor %1 : f32
    %3 = math.ceil %2 : f32
    %4 = arith.mulf %3, %3 : f32
    %5 = math.sqrt %4 : f32
    %6 = math.rsqrt %5 : f32
    %7 = math.exp %6 : f32
    %8 = math.log %7 : f32
    %9 = math.sin %8 : f32
    %10 = math.cos %9 : f32
    %11 = math.tan %10 : f32
    %12 = math.asin %11 : f32
    %13 = math.acos %12 : f32
    %14 = math.atan %13 : f32
    %15 = arith.constant 1.000000e+00 : f32
    %16 = arith.divf %15, %14 : f32
    %17 = math.tanh %16 : f32
    %18 = math.log10 %17 : f32
    %19 = math.roundeven %18 : f32
    %20 = math.trunc %19 : f32
    %21 = arith.constant 0.000000e+00 : f32
    %22 = arith.cmpf ogt, %20, %21 : f32
    %23 = arith.cmpf olt, %20, %21 : f32
    %24 = arith.constant -1.000000e+00 : f32
    %25 = arith.select %23, %24, %21 : f32
    %26 = arith.select %22, %15, %25 : f32
    %27 = math.expm1 %26 : f32
    %28 = math.sinh %27 : f32
    %29 = math.asinh %28 : f32
    %30 = math.cosh %29 : f32
    %31 = math.acosh %30 : f32
    %32 = math.atanh %31 : f32
    %33 = math.log1p %32 : f32
    fused.yield %33 : f32
  }
  func.return %y27 : tensor<4xf32>
}

// All kinds of BinaryOp that are said in scalars, with a number.
// CHECK-LABEL: func.func @scalars(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "rfloor_divide"}) {
// CHECK-NEXT:   %0 = ncnn.binaryop %x {name = "add", op_type = add, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %1 = ncnn.binaryop %0 {name = "add_1", op_type = sub, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %2 = ncnn.binaryop %1 {name = "add_2", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %3 = ncnn.binaryop %2 {name = "add_3", op_type = div, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %4 = ncnn.clip %3 {name = "add_4", min = 2.0, max = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %5 = ncnn.binaryop %4 {name = "add_5", op_type = pow, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %6 = ncnn.binaryop %5 {name = "add_6", op_type = rsub, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %7 = ncnn.binaryop %6 {name = "add_7", op_type = rdiv, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %8 = ncnn.binaryop %7 {name = "add_8", op_type = rpow, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %9 = ncnn.binaryop %8 {name = "add_9", op_type = atan2, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %10 = ncnn.binaryop %9 {name = "add_10", op_type = ratan2, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %11 = ncnn.binaryop %10 {name = "add_11", op_type = logaddexp, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %12 = ncnn.binaryop %11 {name = "add_12", op_type = floor_divide, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %y14 = ncnn.binaryop %12 {name = "add_13", blobs = ["rfloor_divide"], op_type = rfloor_divide, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y14 : tensor<4xf32>
// CHECK-NEXT: }
func.func @scalars(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "rfloor_divide"}) {
  %y14 = fused.elementwise %x {name = "add", blob = "rfloor_divide"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
    %0 = arith.constant 2.000000e+00 : f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.subf %1, %0 : f32
    %3 = arith.mulf %2, %0 : f32
    %4 = arith.divf %3, %0 : f32
    %5 = arith.maximumf %4, %0 : f32
    %6 = arith.minimumf %5, %0 : f32
    %7 = math.powf %6, %0 fastmath<afn> : f32
    %8 = arith.subf %0, %7 : f32
    %9 = arith.divf %0, %8 : f32
    %10 = math.powf %0, %9 fastmath<afn> : f32
    %11 = math.atan2 %10, %0 : f32
    %12 = math.atan2 %0, %11 : f32
    %13 = arith.maximumf %12, %0 : f32
    %14 = arith.minimumf %12, %0 : f32
    %15 = arith.subf %14, %13 : f32
    %16 = math.exp %15 : f32
    %17 = math.log1p %16 : f32
    %18 = arith.addf %13, %17 : f32
    %19 = arith.divf %18, %0 : f32
    %20 = math.floor %19 : f32
    %21 = arith.divf %0, %20 : f32
    %22 = math.floor %21 : f32
    fused.yield %22 : f32
  }
  func.return %y14 : tensor<4xf32>
}

// And with a blob.
// CHECK-LABEL: func.func @blobs(%x: tensor<4xf32>, %r: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "rfloor_divide"}) {
// CHECK-NEXT:   %0 = ncnn.binaryop %x, %r {name = "add", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %1 = ncnn.binaryop %0, %r {name = "add_1", op_type = sub} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %2 = ncnn.binaryop %1, %r {name = "add_2", op_type = mul} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %3 = ncnn.binaryop %2, %r {name = "add_3", op_type = div} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %4 = ncnn.binaryop %3, %r {name = "add_4", op_type = max} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %5 = ncnn.binaryop %4, %r {name = "add_5", op_type = min} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %6 = ncnn.binaryop %5, %r {name = "add_6", op_type = pow} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %7 = ncnn.binaryop %r, %6 {name = "add_7", op_type = sub} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %8 = ncnn.binaryop %r, %7 {name = "add_8", op_type = div} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %9 = ncnn.binaryop %r, %8 {name = "add_9", op_type = pow} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %10 = ncnn.binaryop %9, %r {name = "add_10", op_type = atan2} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %11 = ncnn.binaryop %r, %10 {name = "add_11", op_type = atan2} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %12 = ncnn.binaryop %11, %r {name = "add_12", op_type = logaddexp} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %13 = ncnn.binaryop %12, %r {name = "add_13", op_type = floor_divide} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %y14 = ncnn.binaryop %r, %13 {name = "add_14", blobs = ["rfloor_divide"], op_type = floor_divide} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y14 : tensor<4xf32>
// CHECK-NEXT: }
func.func @blobs(%x: tensor<4xf32>, %r: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "rfloor_divide"}) {
  %y14 = fused.elementwise %x residuals(%r) {name = "add", blob = "rfloor_divide"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32, %r_1: f32) {
    %0 = arith.addf %acc, %r_1 : f32
    %1 = arith.subf %0, %r_1 : f32
    %2 = arith.mulf %1, %r_1 : f32
    %3 = arith.divf %2, %r_1 : f32
    %4 = arith.maximumf %3, %r_1 : f32
    %5 = arith.minimumf %4, %r_1 : f32
    %6 = math.powf %5, %r_1 fastmath<afn> : f32
    %7 = arith.subf %r_1, %6 : f32
    %8 = arith.divf %r_1, %7 : f32
    %9 = math.powf %r_1, %8 fastmath<afn> : f32
    %10 = math.atan2 %9, %r_1 : f32
    %11 = math.atan2 %r_1, %10 : f32
    %12 = arith.maximumf %11, %r_1 : f32
    %13 = arith.minimumf %11, %r_1 : f32
    %14 = arith.subf %13, %12 : f32
    %15 = math.exp %14 : f32
    %16 = math.log1p %15 : f32
    %17 = arith.addf %12, %16 : f32
    %18 = arith.divf %17, %r_1 : f32
    %19 = math.floor %18 : f32
    %20 = arith.divf %r_1, %19 : f32
    %21 = math.floor %20 : f32
    fused.yield %21 : f32
  }
  func.return %y14 : tensor<4xf32>
}

// CHECK-LABEL: func.func @eltwise(%x: tensor<4xf32>, %r: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "e3"}) {
// CHECK-NEXT:   %0 = ncnn.binaryop %x, %r {name = "e0", op_type = mul} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %1 = ncnn.binaryop %0, %s {name = "e0_1", op_type = mul} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %2 = ncnn.binaryop %1, %r {name = "e0_2", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %3 = ncnn.binaryop %2, %s {name = "e0_3", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %4 = ncnn.binaryop %r {name = "e0_4", op_type = mul, with_scalar = 1, b = -2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %5 = ncnn.binaryop %3, %4 {name = "e0_5", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %6 = ncnn.binaryop %s {name = "e0_6", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %7 = ncnn.binaryop %5, %6 {name = "e0_7", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %8 = ncnn.binaryop %7, %r {name = "e0_8", op_type = max} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %y3 = ncnn.binaryop %8, %s {name = "e0_9", blobs = ["e3"], op_type = max} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y3 : tensor<4xf32>
// CHECK-NEXT: }
func.func @eltwise(%x: tensor<4xf32>, %r: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "e3"}) {
  %y3 = fused.elementwise %x residuals(%r, %s) {name = "e0", blob = "e3"} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32, %r_1: f32, %r_2: f32) {
    %0 = arith.mulf %acc, %r_1 : f32
    %1 = arith.mulf %0, %r_2 : f32
    %2 = arith.addf %1, %r_1 : f32
    %3 = arith.addf %2, %r_2 : f32
    %4 = arith.constant -2.000000e+00 : f32
    %5 = arith.mulf %r_1, %4 : f32
    %6 = arith.addf %3, %5 : f32
    %7 = arith.constant 5.000000e-01 : f32
    %8 = arith.mulf %r_2, %7 : f32
    %9 = arith.addf %6, %8 : f32
    %10 = arith.maximumf %9, %r_1 : f32
    %11 = arith.maximumf %10, %r_2 : f32
    fused.yield %11 : f32
  }
  func.return %y3 : tensor<4xf32>
}
