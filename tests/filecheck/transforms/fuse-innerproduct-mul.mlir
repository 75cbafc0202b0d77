// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-innerproduct-mul %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-innerproduct-mul %s > %t.once
// RUN: ncnn-opt --fuse-innerproduct-mul %t.once | diff %t.once -

// The rows [1, 2, 3] and [4, 5, 6] of the weight and the bias [10, 20] times a factor an output.

// Times [3, 0.5], then plus [-1, 4].
// CHECK-LABEL: func.func @scale(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %t = ncnn.constant dense<[-1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %fc scale %s bias %t {name = "scale"} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %scale : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[3.000000e+00, 6.000000e+00, 9.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[2.900000e+01, 1.400000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["scale"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @scale(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %t = ncnn.constant dense<[-1.0, 4.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %scale = ncnn.scale %fc scale %s bias %t {name = "scale"} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %scale : tensor<2xf32>
}

// Dropout scales all outputs, times 0.5.
// CHECK-LABEL: func.func @dropout(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %dropout = ncnn.dropout %fc {name = "dropout", scale = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %dropout : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[5.000000e-01, 1.000000e+00, 1.500000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[5.000000e+00, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["dropout"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @dropout(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %dropout = ncnn.dropout %fc {name = "dropout", scale = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %dropout : tensor<2xf32>
}

// (shift + x * scale) ^ 1.
// CHECK-LABEL: func.func @power(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %power = ncnn.power %fc {name = "power", scale = 2.0, shift = 3.0} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %power : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[2.000000e+00, 4.000000e+00, 6.000000e+00], [8.000000e+00, 1.000000e+01, 1.200000e+01]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[2.300000e+01, 4.300000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["power"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @power(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %power = ncnn.power %fc {name = "power", scale = 2.0, shift = 3.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %power : tensor<2xf32>
}

// Times 4.
// CHECK-LABEL: func.func @mul_scalar(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %fc {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[4.000000e+00, 8.000000e+00, 1.200000e+01], [1.600000e+01, 2.000000e+01, 2.400000e+01]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[4.000000e+01, 8.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["mul"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @mul_scalar(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %mul = ncnn.binaryop %fc {name = "mul", op_type = mul, with_scalar = 1, b = 4.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %mul : tensor<2xf32>
}

// A 1-D constant and a 1-D blob: element by element.
// CHECK-LABEL: func.func @mul_outputs(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %fc, %s {name = "mul", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[3.000000e+00, 6.000000e+00, 9.000000e+00], [2.000000e+00, 2.500000e+00, 3.000000e+00]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[3.000000e+01, 1.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["mul"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @mul_outputs(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %mul = ncnn.binaryop %fc, %s {name = "mul", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %mul : tensor<2xf32>
}

// Divided by [2, 0.5].
// CHECK-LABEL: func.func @div_outputs(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[2.000000e+00, 5.000000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %div = ncnn.binaryop %fc, %s {name = "div", op_type = div} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %div : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[[5.000000e-01, 1.000000e+00, 1.500000e+00], [8.000000e+00, 1.000000e+01, 1.200000e+01]]> : tensor<2x3xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[5.000000e+00, 4.000000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", blobs = ["div"], num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @div_outputs(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[2.0, 0.5]> : tensor<2xf32>
  %fc = ncnn.innerproduct %x weight %w bias %b {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  %div = ncnn.binaryop %fc, %s {name = "div", op_type = div} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %div : tensor<2xf32>
}
