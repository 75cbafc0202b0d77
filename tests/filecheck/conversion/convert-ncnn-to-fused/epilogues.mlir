// RUN: ncnn-opt --convert-ncnn-to-fused %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --convert-ncnn-to-fused %s > %t.once
// RUN: ncnn-opt --convert-ncnn-to-fused %t.once | diff %t.once -

// The epilogue of each element-wise layer of one blob.

// CHECK-LABEL: func.func @absval(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = math.absf %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @absval(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.absval %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @bnll(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.maximumf %acc, %0 : f32
// CHECK-NEXT:     %2 = math.absf %acc : f32
// CHECK-NEXT:     %3 = arith.negf %2 : f32
// CHECK-NEXT:     %4 = math.exp %3 : f32
// CHECK-NEXT:     %5 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:     %7 = math.log %6 : f32
// CHECK-NEXT:     %8 = arith.addf %1, %7 : f32
// CHECK-NEXT:     fused.yield %8 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @bnll(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.bnll %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @celu(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.cmpf olt, %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.divf %acc, %2 : f32
// CHECK-NEXT:     %4 = math.exp %3 : f32
// CHECK-NEXT:     %5 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %6 = arith.subf %4, %5 : f32
// CHECK-NEXT:     %7 = arith.mulf %6, %2 : f32
// CHECK-NEXT:     %8 = arith.select %1, %7, %acc : f32
// CHECK-NEXT:     fused.yield %8 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @celu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.celu %x {name = "y", alpha = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @clip(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant -1.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.maximumf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.minimumf %1, %2 : f32
// CHECK-NEXT:     fused.yield %3 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @clip(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.clip %x {name = "y", min = -1.0, max = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @elu(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.cmpf olt, %acc, %0 : f32
// CHECK-NEXT:     %2 = math.exp %acc : f32
// CHECK-NEXT:     %3 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.subf %2, %3 : f32
// CHECK-NEXT:     %5 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %6 = arith.mulf %4, %5 : f32
// CHECK-NEXT:     %7 = arith.select %1, %6, %acc : f32
// CHECK-NEXT:     fused.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @elu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.elu %x {name = "y", alpha = 0.5} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @erf(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = math.erf %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.erf %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @exp_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     %4 = math.exp %3 : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @exp_1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.exp %x {name = "y", scale = 2.0, shift = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @exp_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %1 = math.powf %0, %acc : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @exp_2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.exp %x {name = "y", base = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 0.707106769 : f32
// CHECK-NEXT:     %3 = arith.mulf %acc, %2 : f32
// CHECK-NEXT:     %4 = math.erf %3 : f32
// CHECK-NEXT:     %5 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:     %7 = arith.mulf %1, %6 : f32
// CHECK-NEXT:     fused.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @gelu_1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.gelu %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.mulf %acc, %acc : f32
// CHECK-NEXT:     %3 = arith.mulf %2, %acc : f32
// CHECK-NEXT:     %4 = arith.constant 4.471500e-02 : f32
// CHECK-NEXT:     %5 = arith.mulf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.addf %acc, %5 : f32
// CHECK-NEXT:     %7 = arith.constant 0.797884524 : f32
// CHECK-NEXT:     %8 = arith.mulf %6, %7 : f32
// CHECK-NEXT:     %9 = math.tanh %8 : f32
// CHECK-NEXT:     %10 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %11 = arith.addf %9, %10 : f32
// CHECK-NEXT:     %12 = arith.mulf %1, %11 : f32
// CHECK-NEXT:     fused.yield %12 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @gelu_2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.gelu %x {name = "y", fast_gelu = 1} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @hardsigmoid(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 2.500000e-01 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 7.500000e-01 : f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %5 = arith.maximumf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %7 = arith.minimumf %5, %6 : f32
// CHECK-NEXT:     fused.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @hardsigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.hardsigmoid %x {name = "y", alpha = 0.25, beta = 0.75} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @hardswish(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 2.500000e-01 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 7.500000e-01 : f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %5 = arith.maximumf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %7 = arith.minimumf %5, %6 : f32
// CHECK-NEXT:     %8 = arith.mulf %acc, %7 : f32
// CHECK-NEXT:     fused.yield %8 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @hardswish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.hardswish %x {name = "y", alpha = 0.25, beta = 0.75} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @log_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = math.log %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @log_1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.log %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @log_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     %4 = math.log %3 : f32
// CHECK-NEXT:     %5 = arith.constant 0.693147182 : f32
// CHECK-NEXT:     %6 = arith.divf %4, %5 : f32
// CHECK-NEXT:     fused.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @log_2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.log %x {name = "y", base = 2.0, scale = 3.0, shift = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @mish(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = math.exp %acc : f32
// CHECK-NEXT:     %1 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %2 = arith.addf %0, %1 : f32
// CHECK-NEXT:     %3 = math.log %2 : f32
// CHECK-NEXT:     %4 = math.tanh %3 : f32
// CHECK-NEXT:     %5 = arith.mulf %acc, %4 : f32
// CHECK-NEXT:     fused.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @mish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.mish %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @power_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:     %5 = math.powf %3, %4 : f32
// CHECK-NEXT:     fused.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @power_1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.power %x {name = "y", power = 3.0, scale = 2.0, shift = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @power_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     fused.yield %3 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @power_2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.power %x {name = "y", scale = 2.0, shift = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @relu_1(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.maximumf %acc, %0 : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @relu_1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.relu %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @relu_2(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.cmpf olt, %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 2.500000e-01 : f32
// CHECK-NEXT:     %3 = arith.mulf %acc, %2 : f32
// CHECK-NEXT:     %4 = arith.select %1, %3, %acc : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @relu_2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.relu %x {name = "y", slope = 0.25} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @selu(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.cmpf olt, %acc, %0 : f32
// CHECK-NEXT:     %2 = math.exp %acc : f32
// CHECK-NEXT:     %3 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.subf %2, %3 : f32
// CHECK-NEXT:     %5 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %6 = arith.mulf %4, %5 : f32
// CHECK-NEXT:     %7 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:     %8 = arith.mulf %6, %7 : f32
// CHECK-NEXT:     %9 = arith.mulf %acc, %7 : f32
// CHECK-NEXT:     %10 = arith.select %1, %8, %9 : f32
// CHECK-NEXT:     fused.yield %10 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @selu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.selu %x {name = "y", alpha = 2.0, lambd = 3.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @shrink(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant -7.500000e-01 : f32
// CHECK-NEXT:     %1 = arith.cmpf olt, %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.addf %acc, %2 : f32
// CHECK-NEXT:     %4 = arith.constant 7.500000e-01 : f32
// CHECK-NEXT:     %5 = arith.cmpf ogt, %acc, %4 : f32
// CHECK-NEXT:     %6 = arith.subf %acc, %2 : f32
// CHECK-NEXT:     %7 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %8 = arith.select %5, %6, %7 : f32
// CHECK-NEXT:     %9 = arith.select %1, %3, %8 : f32
// CHECK-NEXT:     fused.yield %9 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @shrink(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.shrink %x {name = "y", bias = 1.0, lambd = 0.75} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @sigmoid(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.negf %acc : f32
// CHECK-NEXT:     %2 = math.exp %1 : f32
// CHECK-NEXT:     %3 = arith.addf %2, %0 : f32
// CHECK-NEXT:     %4 = arith.divf %0, %3 : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.sigmoid %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @softplus(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = math.exp %acc : f32
// CHECK-NEXT:     %1 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %2 = arith.addf %0, %1 : f32
// CHECK-NEXT:     %3 = math.log %2 : f32
// CHECK-NEXT:     fused.yield %3 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @softplus(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.softplus %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @swish(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.negf %acc : f32
// CHECK-NEXT:     %1 = math.exp %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.divf %acc, %3 : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @swish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.swish %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @tanh(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = math.tanh %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.tanh %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @threshold(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %1 = arith.cmpf ogt, %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.select %1, %2, %3 : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @threshold(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.threshold %x {name = "y", threshold = 0.5} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @dropout(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = fused.elementwise %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %1 = arith.mulf %acc, %0 : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @dropout(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.dropout %x {name = "y", scale = 0.5} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// All kinds of UnaryOp, one after the other.
// CHECK-LABEL: func.func @unaryop(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "log1p"}) {
// CHECK-NEXT:   %y27 = fused.elementwise %x {name = "abs", blob = "log1p"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = math.absf %acc : f32
// CHECK-NEXT:     %1 = arith.negf %0 : f32
// CHECK-NEXT:     %2 = math.floor %1 : f32
// CHECK-NEXT:     %3 = math.ceil %2 : f32
// CHECK-NEXT:     %4 = arith.mulf %3, %3 : f32
// CHECK-NEXT:     %5 = math.sqrt %4 : f32
// CHECK-NEXT:     %6 = math.rsqrt %5 : f32
// CHECK-NEXT:     %7 = math.exp %6 : f32
// CHECK-NEXT:     %8 = math.log %7 : f32
// CHECK-NEXT:     %9 = math.sin %8 : f32
// CHECK-NEXT:     %10 = math.cos %9 : f32
// CHECK-NEXT:     %11 = math.tan %10 : f32
// CHECK-NEXT:     %12 = math.asin %11 : f32
// CHECK-NEXT:     %13 = math.acos %12 : f32
// CHECK-NEXT:     %14 = math.atan %13 : f32
// CHECK-NEXT:     %15 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %16 = arith.divf %15, %14 : f32
// CHECK-NEXT:     %17 = math.tanh %16 : f32
// CHECK-NEXT:     %18 = math.log10 %17 : f32
// CHECK-NEXT:     %19 = math.roundeven %18 : f32
// CHECK-NEXT:     %20 = math.trunc %19 : f32
// CHECK-NEXT:     %21 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %22 = arith.cmpf ogt, %20, %21 : f32
// CHECK-NEXT:     %23 = arith.cmpf olt, %20, %21 : f32
// CHECK-NEXT:     %24 = arith.constant -1.000000e+00 : f32
// CHECK-NEXT:     %25 = arith.select %23, %24, %21 : f32
// CHECK-NEXT:     %26 = arith.select %22, %15, %25 : f32
// CHECK-NEXT:     %27 = math.expm1 %26 : f32
// CHECK-NEXT:     %28 = math.sinh %27 : f32
// CHECK-NEXT:     %29 = math.asinh %28 : f32
// CHECK-NEXT:     %30 = math.cosh %29 : f32
// CHECK-NEXT:     %31 = math.acosh %30 : f32
// CHECK-NEXT:     %32 = math.atanh %31 : f32
// CHECK-NEXT:     %33 = math.log1p %32 : f32
// CHECK-NEXT:     fused.yield %33 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y27 : tensor<4xf32>
// CHECK-NEXT: }
func.func @unaryop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y0 = ncnn.unaryop %x {name = "abs", op_type = abs} : (tensor<4xf32>) -> tensor<4xf32>
  %y1 = ncnn.unaryop %y0 {name = "neg", op_type = neg} : (tensor<4xf32>) -> tensor<4xf32>
  %y2 = ncnn.unaryop %y1 {name = "floor", op_type = floor} : (tensor<4xf32>) -> tensor<4xf32>
  %y3 = ncnn.unaryop %y2 {name = "ceil", op_type = ceil} : (tensor<4xf32>) -> tensor<4xf32>
  %y4 = ncnn.unaryop %y3 {name = "square", op_type = square} : (tensor<4xf32>) -> tensor<4xf32>
  %y5 = ncnn.unaryop %y4 {name = "sqrt", op_type = sqrt} : (tensor<4xf32>) -> tensor<4xf32>
  %y6 = ncnn.unaryop %y5 {name = "rsqrt", op_type = rsqrt} : (tensor<4xf32>) -> tensor<4xf32>
  %y7 = ncnn.unaryop %y6 {name = "exp", op_type = exp} : (tensor<4xf32>) -> tensor<4xf32>
  %y8 = ncnn.unaryop %y7 {name = "log", op_type = log} : (tensor<4xf32>) -> tensor<4xf32>
  %y9 = ncnn.unaryop %y8 {name = "sin", op_type = sin} : (tensor<4xf32>) -> tensor<4xf32>
  %y10 = ncnn.unaryop %y9 {name = "cos", op_type = cos} : (tensor<4xf32>) -> tensor<4xf32>
  %y11 = ncnn.unaryop %y10 {name = "tan", op_type = tan} : (tensor<4xf32>) -> tensor<4xf32>
  %y12 = ncnn.unaryop %y11 {name = "asin", op_type = asin} : (tensor<4xf32>) -> tensor<4xf32>
  %y13 = ncnn.unaryop %y12 {name = "acos", op_type = acos} : (tensor<4xf32>) -> tensor<4xf32>
  %y14 = ncnn.unaryop %y13 {name = "atan", op_type = atan} : (tensor<4xf32>) -> tensor<4xf32>
  %y15 = ncnn.unaryop %y14 {name = "reciprocal", op_type = reciprocal} : (tensor<4xf32>) -> tensor<4xf32>
  %y16 = ncnn.unaryop %y15 {name = "tanh", op_type = tanh} : (tensor<4xf32>) -> tensor<4xf32>
  %y17 = ncnn.unaryop %y16 {name = "log10", op_type = log10} : (tensor<4xf32>) -> tensor<4xf32>
  %y18 = ncnn.unaryop %y17 {name = "round", op_type = round} : (tensor<4xf32>) -> tensor<4xf32>
  %y19 = ncnn.unaryop %y18 {name = "trunc", op_type = trunc} : (tensor<4xf32>) -> tensor<4xf32>
  %y20 = ncnn.unaryop %y19 {name = "sign", op_type = sign} : (tensor<4xf32>) -> tensor<4xf32>
  %y21 = ncnn.unaryop %y20 {name = "expm1", op_type = expm1} : (tensor<4xf32>) -> tensor<4xf32>
  %y22 = ncnn.unaryop %y21 {name = "sinh", op_type = sinh} : (tensor<4xf32>) -> tensor<4xf32>
  %y23 = ncnn.unaryop %y22 {name = "asinh", op_type = asinh} : (tensor<4xf32>) -> tensor<4xf32>
  %y24 = ncnn.unaryop %y23 {name = "cosh", op_type = cosh} : (tensor<4xf32>) -> tensor<4xf32>
  %y25 = ncnn.unaryop %y24 {name = "acosh", op_type = acosh} : (tensor<4xf32>) -> tensor<4xf32>
  %y26 = ncnn.unaryop %y25 {name = "atanh", op_type = atanh} : (tensor<4xf32>) -> tensor<4xf32>
  %y27 = ncnn.unaryop %y26 {name = "log1p", op_type = log1p} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y27 : tensor<4xf32>
}

// All kinds of BinaryOp that are said in scalars, with a number.
// CHECK-LABEL: func.func @scalars(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "rfloor_divide"}) {
// CHECK-NEXT:   %y14 = fused.elementwise %x {name = "add", blob = "rfloor_divide"} : (tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.addf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.subf %1, %0 : f32
// CHECK-NEXT:     %3 = arith.mulf %2, %0 : f32
// CHECK-NEXT:     %4 = arith.divf %3, %0 : f32
// CHECK-NEXT:     %5 = arith.maximumf %4, %0 : f32
// CHECK-NEXT:     %6 = arith.minimumf %5, %0 : f32
// CHECK-NEXT:     %7 = math.powf %6, %0 fastmath<afn> : f32
// CHECK-NEXT:     %8 = arith.subf %0, %7 : f32
// CHECK-NEXT:     %9 = arith.divf %0, %8 : f32
// CHECK-NEXT:     %10 = math.powf %0, %9 fastmath<afn> : f32
// CHECK-NEXT:     %11 = math.atan2 %10, %0 : f32
// CHECK-NEXT:     %12 = math.atan2 %0, %11 : f32
// CHECK-NEXT:     %13 = arith.maximumf %12, %0 : f32
// CHECK-NEXT:     %14 = arith.minimumf %12, %0 : f32
// CHECK-NEXT:     %15 = arith.subf %14, %13 : f32
// CHECK-NEXT:     %16 = math.exp %15 : f32
// CHECK-NEXT:     %17 = math.log1p %16 : f32
// CHECK-NEXT:     %18 = arith.addf %13, %17 : f32
// CHECK-NEXT:     %19 = arith.divf %18, %0 : f32
// CHECK-NEXT:     %20 = math.floor %19 : f32
// CHECK-NEXT:     %21 = arith.divf %0, %20 : f32
// CHECK-NEXT:     %22 = math.floor %21 : f32
// CHECK-NEXT:     fused.yield %22 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y14 : tensor<4xf32>
// CHECK-NEXT: }
func.func @scalars(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y0 = ncnn.binaryop %x {name = "add", op_type = add, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y1 = ncnn.binaryop %y0 {name = "sub", op_type = sub, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y2 = ncnn.binaryop %y1 {name = "mul", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y3 = ncnn.binaryop %y2 {name = "div", op_type = div, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y4 = ncnn.binaryop %y3 {name = "max", op_type = max, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y5 = ncnn.binaryop %y4 {name = "min", op_type = min, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y6 = ncnn.binaryop %y5 {name = "pow", op_type = pow, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y7 = ncnn.binaryop %y6 {name = "rsub", op_type = rsub, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y8 = ncnn.binaryop %y7 {name = "rdiv", op_type = rdiv, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y9 = ncnn.binaryop %y8 {name = "rpow", op_type = rpow, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y10 = ncnn.binaryop %y9 {name = "atan2", op_type = atan2, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y11 = ncnn.binaryop %y10 {name = "ratan2", op_type = ratan2, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y12 = ncnn.binaryop %y11 {name = "logaddexp", op_type = logaddexp, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y13 = ncnn.binaryop %y12 {name = "floor_divide", op_type = floor_divide, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %y14 = ncnn.binaryop %y13 {name = "rfloor_divide", op_type = rfloor_divide, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y14 : tensor<4xf32>
}

// And with a blob.
// CHECK-LABEL: func.func @blobs(%x: tensor<4xf32>, %r: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "rfloor_divide"}) {
// CHECK-NEXT:   %y14 = fused.elementwise %x residuals(%r) {name = "add", blob = "rfloor_divide"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r_1 : f32
// CHECK-NEXT:     %1 = arith.subf %0, %r_1 : f32
// CHECK-NEXT:     %2 = arith.mulf %1, %r_1 : f32
// CHECK-NEXT:     %3 = arith.divf %2, %r_1 : f32
// CHECK-NEXT:     %4 = arith.maximumf %3, %r_1 : f32
// CHECK-NEXT:     %5 = arith.minimumf %4, %r_1 : f32
// CHECK-NEXT:     %6 = math.powf %5, %r_1 fastmath<afn> : f32
// CHECK-NEXT:     %7 = arith.subf %r_1, %6 : f32
// CHECK-NEXT:     %8 = arith.divf %r_1, %7 : f32
// CHECK-NEXT:     %9 = math.powf %r_1, %8 fastmath<afn> : f32
// CHECK-NEXT:     %10 = math.atan2 %9, %r_1 : f32
// CHECK-NEXT:     %11 = math.atan2 %r_1, %10 : f32
// CHECK-NEXT:     %12 = arith.maximumf %11, %r_1 : f32
// CHECK-NEXT:     %13 = arith.minimumf %11, %r_1 : f32
// CHECK-NEXT:     %14 = arith.subf %13, %12 : f32
// CHECK-NEXT:     %15 = math.exp %14 : f32
// CHECK-NEXT:     %16 = math.log1p %15 : f32
// CHECK-NEXT:     %17 = arith.addf %12, %16 : f32
// CHECK-NEXT:     %18 = arith.divf %17, %r_1 : f32
// CHECK-NEXT:     %19 = math.floor %18 : f32
// CHECK-NEXT:     %20 = arith.divf %r_1, %19 : f32
// CHECK-NEXT:     %21 = math.floor %20 : f32
// CHECK-NEXT:     fused.yield %21 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y14 : tensor<4xf32>
// CHECK-NEXT: }
func.func @blobs(%x: tensor<4xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
  %y0 = ncnn.binaryop %x, %r {name = "add", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y1 = ncnn.binaryop %y0, %r {name = "sub", op_type = sub} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y2 = ncnn.binaryop %y1, %r {name = "mul", op_type = mul} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y3 = ncnn.binaryop %y2, %r {name = "div", op_type = div} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y4 = ncnn.binaryop %y3, %r {name = "max", op_type = max} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y5 = ncnn.binaryop %y4, %r {name = "min", op_type = min} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y6 = ncnn.binaryop %y5, %r {name = "pow", op_type = pow} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y7 = ncnn.binaryop %y6, %r {name = "rsub", op_type = rsub} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y8 = ncnn.binaryop %y7, %r {name = "rdiv", op_type = rdiv} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y9 = ncnn.binaryop %y8, %r {name = "rpow", op_type = rpow} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y10 = ncnn.binaryop %y9, %r {name = "atan2", op_type = atan2} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y11 = ncnn.binaryop %y10, %r {name = "ratan2", op_type = ratan2} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y12 = ncnn.binaryop %y11, %r {name = "logaddexp", op_type = logaddexp} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y13 = ncnn.binaryop %y12, %r {name = "floor_divide", op_type = floor_divide} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y14 = ncnn.binaryop %y13, %r {name = "rfloor_divide", op_type = rfloor_divide} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y14 : tensor<4xf32>
}

// CHECK-LABEL: func.func @eltwise(%x: tensor<4xf32>, %r: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "e3"}) {
// CHECK-NEXT:   %y3 = fused.elementwise %x residuals(%r, %s) {name = "e0", blob = "e3"} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> epilogue(%acc: f32, %r_1: f32, %r_2: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %r_1 : f32
// CHECK-NEXT:     %1 = arith.mulf %0, %r_2 : f32
// CHECK-NEXT:     %2 = arith.addf %1, %r_1 : f32
// CHECK-NEXT:     %3 = arith.addf %2, %r_2 : f32
// CHECK-NEXT:     %4 = arith.constant -2.000000e+00 : f32
// CHECK-NEXT:     %5 = arith.mulf %r_1, %4 : f32
// CHECK-NEXT:     %6 = arith.addf %3, %5 : f32
// CHECK-NEXT:     %7 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %8 = arith.mulf %r_2, %7 : f32
// CHECK-NEXT:     %9 = arith.addf %6, %8 : f32
// CHECK-NEXT:     %10 = arith.maximumf %9, %r_1 : f32
// CHECK-NEXT:     %11 = arith.maximumf %10, %r_2 : f32
// CHECK-NEXT:     fused.yield %11 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y3 : tensor<4xf32>
// CHECK-NEXT: }
func.func @eltwise(%x: tensor<4xf32>, %r: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %y0 = ncnn.eltwise %x, %r, %s {name = "e0", op_type = prod} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y1 = ncnn.eltwise %y0, %r, %s {name = "e1", op_type = sum} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y2 = ncnn.eltwise %y1, %r, %s {name = "e2", op_type = sum, coeffs = [1.0, -2.0, 0.5]} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y3 = ncnn.eltwise %y2, %r, %s {name = "e3", op_type = max} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y3 : tensor<4xf32>
}
