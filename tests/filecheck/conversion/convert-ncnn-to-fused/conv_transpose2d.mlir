// RUN: ncnn-opt --convert-ncnn-to-fused %s | filecheck %s --match-full-lines
// Written by make_cases.py.

// CHECK-LABEL: func.func @conv_transpose2d(%x: tensor<4x3x5xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "anchor"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %anchor = fused.conv_transpose %x weight %w bias %b strides [2, 2] pads [1, 1, 1, 1] {name = "anchor"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
// CHECK-NEXT:   func.return %anchor : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d(%x: tensor<4x3x5xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  func.return %anchor : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_relu(%x: tensor<4x3x5xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.maximumf %acc, %0 : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_relu(%x: tensor<4x3x5xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.relu %anchor {name = "relu"} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_relu6(%x: tensor<4x3x5xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu6"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu6"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.maximumf %acc, %0 : f32
// CHECK-NEXT:     %2 = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.minimumf %1, %2 : f32
// CHECK-NEXT:     fused.yield %3 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_relu6(%x: tensor<4x3x5xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.clip %anchor {name = "relu6", min = 0.0, max = 6.0} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_add_first(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %add = fused.conv_transpose %x weight %w bias %b residuals(%r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "add"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r_1 : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_add_first(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %anchor, %r {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %add : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_add_first_relu(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r_1 : f32
// CHECK-NEXT:     %1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %2 = arith.maximumf %0, %1 : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_add_first_relu(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %anchor, %r {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.relu %add {name = "relu"} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_add_first_relu6(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu6"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu6"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r_1 : f32
// CHECK-NEXT:     %1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %2 = arith.maximumf %0, %1 : f32
// CHECK-NEXT:     %3 = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.minimumf %2, %3 : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_add_first_relu6(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %anchor, %r {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.clip %add {name = "relu6", min = 0.0, max = 6.0} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_add_second(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %add = fused.conv_transpose %x weight %w bias %b residuals(%r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "add"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %r_1, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_add_second(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %r, %anchor {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %add : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_add_second_relu(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %r_1, %acc : f32
// CHECK-NEXT:     %1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %2 = arith.maximumf %0, %1 : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_add_second_relu(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %r, %anchor {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.relu %add {name = "relu"} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_add_second_relu6(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu6"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu6"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.addf %r_1, %acc : f32
// CHECK-NEXT:     %1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %2 = arith.maximumf %0, %1 : f32
// CHECK-NEXT:     %3 = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.minimumf %2, %3 : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_add_second_relu6(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %r, %anchor {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.clip %add {name = "relu6", min = 0.0, max = 6.0} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_bn(%x: tensor<4x3x5xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "bn"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_scale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn = fused.conv_transpose %x weight %w bias %b residuals(%bn_scale, %bn_shift) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "bn"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %scale: f32, %shift: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %bn : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_bn(%x: tensor<4x3x5xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_slope = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_mean = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_var = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_bias = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %bn = ncnn.batchnorm %anchor slope %bn_slope mean %bn_mean var %bn_var bias %bn_bias {name = "bn", eps = 1.0e-05} : (tensor<8x6x10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  func.return %bn : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_bn_relu(%x: tensor<4x3x5xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_scale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%bn_scale, %bn_shift) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %scale: f32, %shift: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.maximumf %1, %2 : f32
// CHECK-NEXT:     fused.yield %3 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_bn_relu(%x: tensor<4x3x5xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_slope = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_mean = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_var = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_bias = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %bn = ncnn.batchnorm %anchor slope %bn_slope mean %bn_mean var %bn_var bias %bn_bias {name = "bn", eps = 1.0e-05} : (tensor<8x6x10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.relu %bn {name = "relu"} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_bn_relu6(%x: tensor<4x3x5xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu6"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_scale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%bn_scale, %bn_shift) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu6"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %scale: f32, %shift: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %3 = arith.maximumf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:     %5 = arith.minimumf %3, %4 : f32
// CHECK-NEXT:     fused.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_bn_relu6(%x: tensor<4x3x5xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_slope = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_mean = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_var = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_bias = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %bn = ncnn.batchnorm %anchor slope %bn_slope mean %bn_mean var %bn_var bias %bn_bias {name = "bn", eps = 1.0e-05} : (tensor<8x6x10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.clip %bn {name = "relu6", min = 0.0, max = 6.0} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_bn_add_first(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_scale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %add = fused.conv_transpose %x weight %w bias %b residuals(%bn_scale, %bn_shift, %r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "add"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %scale: f32, %shift: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     %2 = arith.addf %1, %r_1 : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_bn_add_first(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_slope = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_mean = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_var = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_bias = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %bn = ncnn.batchnorm %anchor slope %bn_slope mean %bn_mean var %bn_var bias %bn_bias {name = "bn", eps = 1.0e-05} : (tensor<8x6x10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %bn, %r {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %add : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_bn_add_first_relu(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_scale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%bn_scale, %bn_shift, %r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %scale: f32, %shift: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     %2 = arith.addf %1, %r_1 : f32
// CHECK-NEXT:     %3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.maximumf %2, %3 : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_bn_add_first_relu(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_slope = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_mean = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_var = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_bias = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %bn = ncnn.batchnorm %anchor slope %bn_slope mean %bn_mean var %bn_var bias %bn_bias {name = "bn", eps = 1.0e-05} : (tensor<8x6x10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %bn, %r {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.relu %add {name = "relu"} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_bn_add_first_relu6(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu6"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_scale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%bn_scale, %bn_shift, %r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu6"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %scale: f32, %shift: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     %2 = arith.addf %1, %r_1 : f32
// CHECK-NEXT:     %3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.maximumf %2, %3 : f32
// CHECK-NEXT:     %5 = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:     %6 = arith.minimumf %4, %5 : f32
// CHECK-NEXT:     fused.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_bn_add_first_relu6(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_slope = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_mean = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_var = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_bias = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %bn = ncnn.batchnorm %anchor slope %bn_slope mean %bn_mean var %bn_var bias %bn_bias {name = "bn", eps = 1.0e-05} : (tensor<8x6x10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %bn, %r {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.clip %add {name = "relu6", min = 0.0, max = 6.0} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_bn_add_second(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_scale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %add = fused.conv_transpose %x weight %w bias %b residuals(%bn_scale, %bn_shift, %r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "add"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %scale: f32, %shift: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     %2 = arith.addf %r_1, %1 : f32
// CHECK-NEXT:     fused.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_bn_add_second(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_slope = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_mean = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_var = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_bias = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %bn = ncnn.batchnorm %anchor slope %bn_slope mean %bn_mean var %bn_var bias %bn_bias {name = "bn", eps = 1.0e-05} : (tensor<8x6x10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %r, %bn {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %add : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_bn_add_second_relu(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_scale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%bn_scale, %bn_shift, %r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %scale: f32, %shift: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     %2 = arith.addf %r_1, %1 : f32
// CHECK-NEXT:     %3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.maximumf %2, %3 : f32
// CHECK-NEXT:     fused.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_bn_add_second_relu(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_slope = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_mean = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_var = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_bias = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %bn = ncnn.batchnorm %anchor slope %bn_slope mean %bn_mean var %bn_var bias %bn_bias {name = "bn", eps = 1.0e-05} : (tensor<8x6x10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %r, %bn {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.relu %add {name = "relu"} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @conv_transpose2d_bn_add_second_relu6(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "relu6"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_scale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %bn_shift = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %act = fused.conv_transpose %x weight %w bias %b residuals(%bn_scale, %bn_shift, %r) strides [2, 2] pads [1, 1, 1, 1] {name = "anchor", blob = "relu6"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %scale: f32, %shift: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = arith.addf %0, %shift : f32
// CHECK-NEXT:     %2 = arith.addf %r_1, %1 : f32
// CHECK-NEXT:     %3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %4 = arith.maximumf %2, %3 : f32
// CHECK-NEXT:     %5 = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:     %6 = arith.minimumf %4, %5 : f32
// CHECK-NEXT:     fused.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %act : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @conv_transpose2d_bn_add_second_relu6(%x: tensor<4x3x5xf32>, %r: tensor<8x6x10xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_slope = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_mean = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_var = ncnn.constant #ncnn.elided : tensor<8xf32>
  %bn_bias = ncnn.constant #ncnn.elided : tensor<8xf32>
  %anchor = ncnn.deconvolution %x weight %w bias %b {name = "anchor", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %bn = ncnn.batchnorm %anchor slope %bn_slope mean %bn_mean var %bn_var bias %bn_bias {name = "bn", eps = 1.0e-05} : (tensor<8x6x10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %r, %bn {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  %act = ncnn.clip %add {name = "relu6", min = 0.0, max = 6.0} : (tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %act : tensor<8x6x10xf32>
}
