// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-norm-affine %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-norm-affine %s > %t.once
// RUN: ncnn-opt --fuse-norm-affine %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-norm-affine --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Into the weights of what normalizes.

// Into weights that are there: gamma [2 * 3, 2 * 4, 2 * 5], beta [1 * 3, 1 * 4, 1 * 5].
// REMARK: remark: fuse-norm-affine: LayerNorm 'y', BinaryOp 'z'
// CHECK-LABEL: func.func @mul(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %gg = ncnn.constant dense<2.000000e+00> : tensor<3xf32>
// BEFORE-NEXT:   %bb = ncnn.constant dense<1.000000e+00> : tensor<3xf32>
// BEFORE-NEXT:   %y = ncnn.layernorm %x gamma %gg beta %bb {name = "y", affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %c = ncnn.constant {name = "c"} dense<[[3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<1x3xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x3xf32>
// AFTER-NEXT:    %gg = ncnn.constant dense<[6.000000e+00, 8.000000e+00, 1.000000e+01]> : tensor<3xf32>
// AFTER-NEXT:    %bb = ncnn.constant dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x gamma %gg beta %bb {name = "y", blobs = ["z"], affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @mul(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %gg = ncnn.constant dense<[2.0, 2.0, 2.0]> : tensor<3xf32>
  %bb = ncnn.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %y = ncnn.layernorm %x gamma %gg beta %bb {name = "y", affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %c = ncnn.constant {name = "c"} dense<[[3.0, 4.0, 5.0]]> : tensor<1x3xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// Constant first: 3 - y.
// CHECK-LABEL: func.func @rsub(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %c = ncnn.constant {name = "c"} dense<[3.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %c, %y {name = "z", op_type = sub} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x3xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<-1.000000e+00> : tensor<3xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<3.000000e+00> : tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x gamma %y_gamma beta %y_beta {name = "y", blobs = ["z"], affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @rsub(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.constant {name = "c"} dense<[3.0]> : tensor<1xf32>
  %z = ncnn.binaryop %c, %y {name = "z", op_type = sub} : (tensor<1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// A Scale for the channels of a GroupNorm.
// REMARK: remark: fuse-norm-affine: GroupNorm 'y', Scale 'z'
// CHECK-LABEL: func.func @scale(%i: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 4, h = 3, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %y = ncnn.groupnorm %x {name = "y", channels = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %sc = ncnn.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %sb = ncnn.constant dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.scale %y scale %sc bias %sb {name = "z"} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x3x4xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.groupnorm %x gamma %y_gamma beta %y_beta {name = "y", blobs = ["z"], channels = 2} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @scale(%i: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %x = ncnn.reshape %i {name = "x", w = 4, h = 3, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = ncnn.groupnorm %x {name = "y", group = 1, channels = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %sc = ncnn.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %sb = ncnn.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %z = ncnn.scale %y scale %sc bias %sb {name = "z"} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  func.return %z : tensor<2x3x4xf32>
}

// A BatchNorm for those of an InstanceNorm.
// REMARK: remark: fuse-norm-affine: InstanceNorm 'y', BatchNorm 'z'
// CHECK-LABEL: func.func @batchnorm(%i: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 4, h = 3, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %y = ncnn.instancenorm %x {name = "y", channels = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   %sl = ncnn.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %me = ncnn.constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %va = ncnn.constant dense<[0.000000e+00, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %bi = ncnn.constant dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %z = ncnn.batchnorm %y slope %sl mean %me var %va bias %bi {name = "z", eps = 1.0} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x3x4xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[2.000000e+00, 1.500000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<[4.000000e+00, 3.500000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %y = ncnn.instancenorm %x gamma %y_gamma beta %y_beta {name = "y", blobs = ["z"], channels = 2} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
func.func @batchnorm(%i: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %x = ncnn.reshape %i {name = "x", w = 4, h = 3, c = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = ncnn.instancenorm %x {name = "y", channels = 2} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %sl = ncnn.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %me = ncnn.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %va = ncnn.constant dense<[0.0, 3.0]> : tensor<2xf32>
  %bi = ncnn.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %z = ncnn.batchnorm %y slope %sl mean %me var %va bias %bi {name = "z", eps = 1.0} : (tensor<2x3x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  func.return %z : tensor<2x3x4xf32>
}

// One over, for an RMSNorm.
// REMARK: remark: fuse-norm-affine: RMSNorm 'y', BinaryOp 'z'
// CHECK-LABEL: func.func @div(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %y = ncnn.rmsnorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   %c = ncnn.constant {name = "c"} dense<[2.000000e+00, 4.000000e+00, 8.000000e+00]> : tensor<3xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = div} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x3xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[5.000000e-01, 2.500000e-01, 1.250000e-01]> : tensor<3xf32>
// AFTER-NEXT:    %y = ncnn.rmsnorm %x gamma %y_gamma {name = "y", blobs = ["z"], affine_size = 3} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// AFTER-NEXT:    func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @div(%i: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %x = ncnn.reshape %i {name = "x", w = 3, h = 2} : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %y = ncnn.rmsnorm %x {name = "y", affine_size = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = ncnn.constant {name = "c"} dense<[2.0, 4.0, 8.0]> : tensor<3xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = div} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// A LayerNorm of h x w.
// CHECK-LABEL: func.func @plane(%i: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
// CHECK-NEXT:    %x = ncnn.reshape %i {name = "x", w = 2, h = 2, c = 2} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   %y = ncnn.layernorm %x {name = "y", affine_size = 4} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   %c = ncnn.constant {name = "c"} dense<[[[2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]]> : tensor<1x2x2xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x2x2xf32>, tensor<1x2x2xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   func.return %z : tensor<2x2x2xf32>
// AFTER-NEXT:    %y_gamma = ncnn.constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<4xf32>
// AFTER-NEXT:    %y_beta = ncnn.constant dense<0.000000e+00> : tensor<4xf32>
// AFTER-NEXT:    %y = ncnn.layernorm %x gamma %y_gamma beta %y_beta {name = "y", blobs = ["z"], affine_size = 4} : (tensor<2x2x2xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    func.return %y : tensor<2x2x2xf32>
// CHECK-NEXT: }
func.func @plane(%i: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %x = ncnn.reshape %i {name = "x", w = 2, h = 2, c = 2} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %y = ncnn.layernorm %x {name = "y", affine_size = 4} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = ncnn.constant {name = "c"} dense<[[[2.0, 3.0], [4.0, 5.0]]]> : tensor<1x2x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x2x2xf32>, tensor<1x2x2xf32>) -> tensor<2x2x2xf32>
  func.return %z : tensor<2x2x2xf32>
}
