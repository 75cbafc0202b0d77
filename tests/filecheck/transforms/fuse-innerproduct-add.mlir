// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-innerproduct-add %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-innerproduct-add %s > %t.once
// RUN: ncnn-opt --fuse-innerproduct-add %t.once | diff %t.once -

// The weight stays as it is, the bias [10, 20] gets a summand an output.

// Plus 4.
// CHECK-LABEL: func.func @add_scalar(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %fc {name = "add", op_type = add, with_scalar = 1, b = 4.0} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %add : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.400000e+01, 2.400000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["add"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @add_scalar(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %add = ncnn.binaryop %fc {name = "add", op_type = add, with_scalar = 1, b = 4.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %add : tensor<2xf32>
}

// [10 + 3, 20 - 1].
// CHECK-LABEL: func.func @add_outputs(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %fc, %s {name = "add", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %add : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.300000e+01, 1.900000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["add"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @add_outputs(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %add = ncnn.binaryop %fc, %s {name = "add", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %add : tensor<2xf32>
}

// Where there was no bias: [0 - 3, 0 + 1].
// CHECK-LABEL: func.func @new_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %sub = ncnn.binaryop %fc, %s {name = "sub", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %sub : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %w_bias = ncnn.constant dense<[-3.000000e+00, 1.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %w_bias {name = "fc", blobs = ["sub"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @new_bias(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %sub = ncnn.binaryop %fc, %s {name = "sub", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %sub : tensor<2xf32>
}

// s - fc(x): the weight changes its sign, the bias is [3 - 10, -1 - 20].
// CHECK-LABEL: func.func @sub_left(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %sub = ncnn.binaryop %s, %fc {name = "sub", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %sub : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[-1.000000e+00, -2.000000e+00, -3.000000e+00], [-4.000000e+00, -5.000000e+00, -6.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[-7.000000e+00, -2.100000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["sub"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @sub_left(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %sub = ncnn.binaryop %s, %fc {name = "sub", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %sub : tensor<2xf32>
}

// A Bias adds its first value to all elements of a 1-D blob: plus 3.
// CHECK-LABEL: func.func @bias(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, -1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %bias = ncnn.bias %fc bias %s {name = "bias"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %bias : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.300000e+01, 2.300000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["bias"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @bias(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %bias = ncnn.bias %fc bias %s {name = "bias"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %bias : tensor<2xf32>
}
