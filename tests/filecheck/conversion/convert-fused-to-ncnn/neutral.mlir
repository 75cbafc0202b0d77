// RUN: ncnn-opt --convert-ncnn-to-fused --canonicalize --convert-fused-to-ncnn %s | filecheck %s --match-full-lines

// Parameters at which an operation of the layer's code changes nothing: it is simplified away, and
// found nevertheless.

// CHECK-LABEL: func.func @elu(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.elu %x {name = "y", alpha = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @elu(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.elu %x {name = "y", alpha = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @celu(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.elu %x {name = "y", alpha = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @celu(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.celu %x {name = "y"} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @selu(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.selu %x {name = "y", alpha = 1.0, lambd = 2.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @selu(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.selu %x {name = "y", alpha = 1.0, lambd = 2.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @selu_both(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.elu %x {name = "y", alpha = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @selu_both(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.selu %x {name = "y", alpha = 1.0, lambd = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @shrink(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.shrink %x {name = "y", lambd = 0.75} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @shrink(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.shrink %x {name = "y", bias = 0.0, lambd = 0.75} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @shrink_nothing(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.shrink %x {name = "y", lambd = 0.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @shrink_nothing(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.shrink %x {name = "y", bias = 0.0, lambd = 0.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @hard_swish(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.hardswish %x {name = "y", alpha = 1.0, beta = 0.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @hard_swish(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.hardswish %x {name = "y", alpha = 1.0, beta = 0.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @hard_sigmoid(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.hardsigmoid %x {name = "y", alpha = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @hard_sigmoid(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.hardsigmoid %x {name = "y", alpha = 1.0, beta = 0.5} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @hard_sigmoid_both(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.clip %x {name = "y", min = 0.0, max = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @hard_sigmoid_both(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.hardsigmoid %x {name = "y", alpha = 1.0, beta = 0.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @exp(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.exp %x {name = "y", base = 2.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @exp(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.exp %x {name = "y", base = 2.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// CHECK-LABEL: func.func @power(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.power %x {name = "y", power = 3.0, shift = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @power(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %y = ncnn.power %x {name = "y", power = 3.0, shift = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// What has its place in the layer of an anchor, too.
// CHECK-LABEL: func.func @anchor(%x: tensor<4x2x2xf32>) -> (tensor<2x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x4x1x1xf32>
// CHECK-NEXT:   %y = ncnn.convolution %x weight %w {name = "c", blobs = ["y"], num_output = 2, kernel_w = 1, activation_type = hardswish, activation_params = [1.0, 0.0]} : (tensor<4x2x2xf32>, tensor<2x4x1x1xf32>) -> tensor<2x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<2x2x2xf32>
// CHECK-NEXT: }
func.func @anchor(%x: tensor<4x2x2xf32>) -> (tensor<2x2x2xf32> {ncnn.blob = "y"}) {
  %w = ncnn.constant #ncnn.elided : tensor<2x4x1x1xf32>
  %0 = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<4x2x2xf32>, tensor<2x4x1x1xf32>) -> tensor<2x2x2xf32>
  %y = ncnn.hardswish %0 {name = "y", alpha = 1.0, beta = 0.0} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// Two layers of which neither is whole any more.
// CHECK-LABEL: func.func @two(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %0 = ncnn.hardswish %x {name = "h", alpha = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   %y = ncnn.elu %0 {name = "h_1", blobs = ["y"], alpha = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x2xf32>
// CHECK-NEXT: }
func.func @two(%x: tensor<4x2x2xf32>) -> (tensor<4x2x2xf32> {ncnn.blob = "y"}) {
  %0 = ncnn.hardswish %x {name = "h", alpha = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %y = ncnn.elu %0 {name = "y", alpha = 1.0} : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  func.return %y : tensor<4x2x2xf32>
}

// Slopes that are the same everywhere.
// CHECK-LABEL: func.func @slopes(%x: tensor<2x2x2xf32>) -> (tensor<2x2x2xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.relu %x {name = "y", slope = 0.25} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<2x2x2xf32>
// CHECK-NEXT: }
func.func @slopes(%x: tensor<2x2x2xf32>) -> (tensor<2x2x2xf32> {ncnn.blob = "y"}) {
  %s = ncnn.constant dense<[0.25, 0.25]> : tensor<2xf32>
  %y = ncnn.prelu %x slope %s {name = "y"} : (tensor<2x2x2xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}
