// RUN: ncnn-opt --convert-ncnn-to-fused %s | filecheck %s --match-full-lines
// Written by make_cases.py.

// CHECK-LABEL: func.func @two_conv2d_first(%x: tensor<4x6x7xf32>, %z: tensor<4x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %one = fused.conv %x weight %w bias %b pads [1, 1, 1, 1] {name = "one"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %add = fused.conv %z weight %w bias %b residuals(%one) pads [1, 1, 1, 1] {name = "two", blob = "add"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x7xf32>
// CHECK-NEXT:   }
func.func @two_conv2d_first(%x: tensor<4x6x7xf32>, %z: tensor<4x6x7xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %one = ncnn.convolution %x weight %w bias %b {name = "one", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
  %two = ncnn.convolution %z weight %w bias %b {name = "two", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
  %add = ncnn.binaryop %one, %two {name = "add", op_type = add} : (tensor<8x6x7xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  func.return %add : tensor<8x6x7xf32>
}

// CHECK-LABEL: func.func @two_conv2d_second(%x: tensor<4x6x7xf32>, %z: tensor<4x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %one = fused.conv %x weight %w bias %b pads [1, 1, 1, 1] {name = "one"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %add = fused.conv %z weight %w bias %b residuals(%one) pads [1, 1, 1, 1] {name = "two", blob = "add"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x7xf32>
// CHECK-NEXT:   }
func.func @two_conv2d_second(%x: tensor<4x6x7xf32>, %z: tensor<4x6x7xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %one = ncnn.convolution %x weight %w bias %b {name = "one", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
  %two = ncnn.convolution %z weight %w bias %b {name = "two", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<8x6x7xf32>
  %add = ncnn.binaryop %two, %one {name = "add", op_type = add} : (tensor<8x6x7xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  func.return %add : tensor<8x6x7xf32>
}

// CHECK-LABEL: func.func @two_conv_transpose2d_first(%x: tensor<4x3x5xf32>, %z: tensor<4x3x5xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %one = fused.conv_transpose %x weight %w bias %b strides [2, 2] pads [1, 1, 1, 1] {name = "one"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
// CHECK-NEXT:   %add = fused.conv_transpose %z weight %w bias %b residuals(%one) strides [2, 2] pads [1, 1, 1, 1] {name = "two", blob = "add"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @two_conv_transpose2d_first(%x: tensor<4x3x5xf32>, %z: tensor<4x3x5xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %one = ncnn.deconvolution %x weight %w bias %b {name = "one", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %two = ncnn.deconvolution %z weight %w bias %b {name = "two", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %one, %two {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %add : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @two_conv_transpose2d_second(%x: tensor<4x3x5xf32>, %z: tensor<4x3x5xf32>) -> (tensor<8x6x10xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %one = fused.conv_transpose %x weight %w bias %b strides [2, 2] pads [1, 1, 1, 1] {name = "one"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
// CHECK-NEXT:   %add = fused.conv_transpose %z weight %w bias %b residuals(%one) strides [2, 2] pads [1, 1, 1, 1] {name = "two", blob = "add"} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x10xf32>
// CHECK-NEXT:   }
func.func @two_conv_transpose2d_second(%x: tensor<4x3x5xf32>, %z: tensor<4x3x5xf32>) -> tensor<8x6x10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x4x4xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %one = ncnn.deconvolution %x weight %w bias %b {name = "one", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %two = ncnn.deconvolution %z weight %w bias %b {name = "two", num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1} : (tensor<4x3x5xf32>, tensor<8x4x4x4xf32>, tensor<8xf32>) -> tensor<8x6x10xf32>
  %add = ncnn.binaryop %two, %one {name = "add", op_type = add} : (tensor<8x6x10xf32>, tensor<8x6x10xf32>) -> tensor<8x6x10xf32>
  func.return %add : tensor<8x6x10xf32>
}

// CHECK-LABEL: func.func @two_conv3d_first(%x: tensor<4x3x6x7xf32>, %z: tensor<4x3x6x7xf32>) -> (tensor<8x3x6x7xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3x3xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %one = fused.conv %x weight %w bias %b pads [1, 1, 1, 1, 1, 1] {name = "one"} : (tensor<4x3x6x7xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>) -> tensor<8x3x6x7xf32>
// CHECK-NEXT:   %add = fused.conv %z weight %w bias %b residuals(%one) pads [1, 1, 1, 1, 1, 1] {name = "two", blob = "add"} : (tensor<4x3x6x7xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>, tensor<8x3x6x7xf32>) -> tensor<8x3x6x7xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x3x6x7xf32>
// CHECK-NEXT:   }
func.func @two_conv3d_first(%x: tensor<4x3x6x7xf32>, %z: tensor<4x3x6x7xf32>) -> tensor<8x3x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3x3xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %one = ncnn.convolution3d %x weight %w bias %b {name = "one", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x3x6x7xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>) -> tensor<8x3x6x7xf32>
  %two = ncnn.convolution3d %z weight %w bias %b {name = "two", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x3x6x7xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>) -> tensor<8x3x6x7xf32>
  %add = ncnn.binaryop %one, %two {name = "add", op_type = add} : (tensor<8x3x6x7xf32>, tensor<8x3x6x7xf32>) -> tensor<8x3x6x7xf32>
  func.return %add : tensor<8x3x6x7xf32>
}

// CHECK-LABEL: func.func @two_conv3d_second(%x: tensor<4x3x6x7xf32>, %z: tensor<4x3x6x7xf32>) -> (tensor<8x3x6x7xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3x3xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %one = fused.conv %x weight %w bias %b pads [1, 1, 1, 1, 1, 1] {name = "one"} : (tensor<4x3x6x7xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>) -> tensor<8x3x6x7xf32>
// CHECK-NEXT:   %add = fused.conv %z weight %w bias %b residuals(%one) pads [1, 1, 1, 1, 1, 1] {name = "two", blob = "add"} : (tensor<4x3x6x7xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>, tensor<8x3x6x7xf32>) -> tensor<8x3x6x7xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x3x6x7xf32>
// CHECK-NEXT:   }
func.func @two_conv3d_second(%x: tensor<4x3x6x7xf32>, %z: tensor<4x3x6x7xf32>) -> tensor<8x3x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3x3xf32>
  %b = ncnn.constant #ncnn.elided : tensor<8xf32>
  %one = ncnn.convolution3d %x weight %w bias %b {name = "one", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x3x6x7xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>) -> tensor<8x3x6x7xf32>
  %two = ncnn.convolution3d %z weight %w bias %b {name = "two", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x3x6x7xf32>, tensor<8x4x3x3x3xf32>, tensor<8xf32>) -> tensor<8x3x6x7xf32>
  %add = ncnn.binaryop %two, %one {name = "add", op_type = add} : (tensor<8x3x6x7xf32>, tensor<8x3x6x7xf32>) -> tensor<8x3x6x7xf32>
  func.return %add : tensor<8x3x6x7xf32>
}

// CHECK-LABEL: func.func @two_linear_first(%x: tensor<12xf32>, %z: tensor<12xf32>) -> (tensor<10xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<10x12xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<10xf32>
// CHECK-NEXT:   %one = fused.linear %x weight %w bias %b {name = "one"} : (tensor<12xf32>, tensor<10x12xf32>, tensor<10xf32>) -> tensor<10xf32>
// CHECK-NEXT:   %add = fused.linear %z weight %w bias %b residuals(%one) {name = "two", blob = "add"} : (tensor<12xf32>, tensor<10x12xf32>, tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<10xf32>
// CHECK-NEXT:   }
func.func @two_linear_first(%x: tensor<12xf32>, %z: tensor<12xf32>) -> tensor<10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<10x12xf32>
  %b = ncnn.constant #ncnn.elided : tensor<10xf32>
  %one = ncnn.innerproduct %x weight %w bias %b {name = "one", num_output = 10} : (tensor<12xf32>, tensor<10x12xf32>, tensor<10xf32>) -> tensor<10xf32>
  %two = ncnn.innerproduct %z weight %w bias %b {name = "two", num_output = 10} : (tensor<12xf32>, tensor<10x12xf32>, tensor<10xf32>) -> tensor<10xf32>
  %add = ncnn.binaryop %one, %two {name = "add", op_type = add} : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  func.return %add : tensor<10xf32>
}

// CHECK-LABEL: func.func @two_linear_second(%x: tensor<12xf32>, %z: tensor<12xf32>) -> (tensor<10xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<10x12xf32>
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<10xf32>
// CHECK-NEXT:   %one = fused.linear %x weight %w bias %b {name = "one"} : (tensor<12xf32>, tensor<10x12xf32>, tensor<10xf32>) -> tensor<10xf32>
// CHECK-NEXT:   %add = fused.linear %z weight %w bias %b residuals(%one) {name = "two", blob = "add"} : (tensor<12xf32>, tensor<10x12xf32>, tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<10xf32>
// CHECK-NEXT:   }
func.func @two_linear_second(%x: tensor<12xf32>, %z: tensor<12xf32>) -> tensor<10xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<10x12xf32>
  %b = ncnn.constant #ncnn.elided : tensor<10xf32>
  %one = ncnn.innerproduct %x weight %w bias %b {name = "one", num_output = 10} : (tensor<12xf32>, tensor<10x12xf32>, tensor<10xf32>) -> tensor<10xf32>
  %two = ncnn.innerproduct %z weight %w bias %b {name = "two", num_output = 10} : (tensor<12xf32>, tensor<10x12xf32>, tensor<10xf32>) -> tensor<10xf32>
  %add = ncnn.binaryop %two, %one {name = "add", op_type = add} : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  func.return %add : tensor<10xf32>
}
