// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-batchnorm-scale %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-batchnorm-scale %s > %t.once
// RUN: ncnn-opt --fuse-batchnorm-scale %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-batchnorm-scale --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// y = (slope * (x - mean) / sqrt(var + eps) + bias) * s + t: mean, var and eps stay as they are, the slope
// becomes slope * s = [4 * 3, 2 * 0.25].

// The bias [0.5 * 3, 3 * 0.25].
// REMARK: remark: fuse-batchnorm-scale: BatchNorm 'bn', Scale 'scale'
// CHECK-LABEL: func.func @scale(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale : tensor<2x1x1xf32>
// AFTER-NEXT:    %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %slope = ncnn.constant dense<[1.200000e+01, 5.000000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %shift = ncnn.constant dense<[1.500000e+00, 7.500000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", blobs = ["scale"], eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %bn : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scale(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// The bias [0.5 * 3 - 1, 3 * 0.25 + 4].
// CHECK-LABEL: func.func @scale_with_bias(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %t = ncnn.constant dense<[-1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %bn scale %s bias %t {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale : tensor<2x1x1xf32>
// AFTER-NEXT:    %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %slope = ncnn.constant dense<[1.200000e+01, 5.000000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %shift = ncnn.constant dense<[5.000000e-01, 4.750000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", blobs = ["scale"], eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %bn : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @scale_with_bias(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %t = ncnn.constant dense<[-1.0, 4.0]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s bias %t {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// Both act along the outermost axis, whatever the dims are.
// CHECK-LABEL: func.func @unknown_type(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<*xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<*xf32>, tensor<2xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %scale : tensor<*xf32>
// AFTER-NEXT:    %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %slope = ncnn.constant dense<[1.200000e+01, 5.000000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %shift = ncnn.constant dense<[1.500000e+00, 7.500000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", blobs = ["scale"], eps = 1.0} : (tensor<*xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %bn : tensor<*xf32>
// CHECK-NEXT: }
func.func @unknown_type(%x: tensor<*xf32>) -> tensor<*xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<*xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<*xf32>, tensor<2xf32>) -> tensor<*xf32>
  func.return %scale : tensor<*xf32>
}

// What another layer uses as well stays for it.
// CHECK-LABEL: func.func @shared_mean(%x: tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %other = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "other", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale, %other : tensor<2x1x1xf32>, tensor<2x1x1xf32>
// AFTER-NEXT:    %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %slope_1 = ncnn.constant dense<[1.200000e+01, 5.000000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %shift_1 = ncnn.constant dense<[1.500000e+00, 7.500000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %bn = ncnn.batchnorm %x slope %slope_1 mean %mean var %var bias %shift_1 {name = "bn", blobs = ["scale"], eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    %other = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "other", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %bn, %other : tensor<2x1x1xf32>, tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @shared_mean(%x: tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %other = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "other", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale, %other : tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// [4 * 3 * 3, 2 * 0.25 * 0.25].
// CHECK-LABEL: func.func @two_scales(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
// BEFORE-NEXT:   %slope = ncnn.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// BEFORE-NEXT:   %shift = ncnn.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %s = ncnn.constant dense<[3.000000e+00, 2.500000e-01]> : tensor<2xf32>
// BEFORE-NEXT:   %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %scale2 = ncnn.scale %scale scale %s {name = "scale2"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   func.return %scale2 : tensor<2x1x1xf32>
// AFTER-NEXT:    %mean = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %var = ncnn.constant dense<[3.000000e+00, 1.500000e+01]> : tensor<2xf32>
// AFTER-NEXT:    %slope = ncnn.constant dense<[3.600000e+01, 1.250000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %shift = ncnn.constant dense<[4.500000e+00, 1.875000e-01]> : tensor<2xf32>
// AFTER-NEXT:    %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", blobs = ["scale2"], eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
// AFTER-NEXT:    func.return %bn : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @two_scales(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %s = ncnn.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %bn = ncnn.batchnorm %x slope %slope mean %mean var %var bias %shift {name = "bn", eps = 1.0} : (tensor<2x1x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale = ncnn.scale %bn scale %s {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  %scale2 = ncnn.scale %scale scale %s {name = "scale2"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale2 : tensor<2x1x1xf32>
}
