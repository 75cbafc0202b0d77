// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-innerproduct-activation %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-innerproduct-activation %s > %t.once
// RUN: ncnn-opt --fuse-innerproduct-activation %t.once | diff %t.once -

// The weights do not matter.
// CHECK-LABEL: func.func @relu(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %fc {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", blobs = ["relu"], num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @relu(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %fc {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// With its slope.
// CHECK-LABEL: func.func @leakyrelu(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %leaky = ncnn.relu %fc {name = "leaky", slope = 0.1} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %leaky : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", blobs = ["leaky"], num_output = 2, activation_type = leakyrelu, activation_params = [0.1]} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @leakyrelu(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %leaky = ncnn.relu %fc {name = "leaky", slope = 0.1} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %leaky : tensor<2xf32>
}

// With its bounds.
// CHECK-LABEL: func.func @clip(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %clip = ncnn.clip %fc {name = "clip", min = -1.0, max = 1.0} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %clip : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", blobs = ["clip"], num_output = 2, activation_type = clip, activation_params = [-1.0, 1.0]} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @clip(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %clip = ncnn.clip %fc {name = "clip", min = -1.0, max = 1.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %clip : tensor<2xf32>
}

// No parameters.
// CHECK-LABEL: func.func @sigmoid(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %sigmoid = ncnn.sigmoid %fc {name = "sigmoid"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %sigmoid : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", blobs = ["sigmoid"], num_output = 2, activation_type = sigmoid} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @sigmoid(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %sigmoid = ncnn.sigmoid %fc {name = "sigmoid"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %sigmoid : tensor<2xf32>
}

// No parameters.
// CHECK-LABEL: func.func @mish(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %mish = ncnn.mish %fc {name = "mish"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %mish : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", blobs = ["mish"], num_output = 2, activation_type = mish} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @mish(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %mish = ncnn.mish %fc {name = "mish"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %mish : tensor<2xf32>
}

// With alpha and beta.
// CHECK-LABEL: func.func @hardswish(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %hardswish = ncnn.hardswish %fc {name = "hardswish", alpha = 0.25} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %hardswish : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", blobs = ["hardswish"], num_output = 2, activation_type = hardswish, activation_params = [0.25, 0.5]} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @hardswish(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %hardswish = ncnn.hardswish %fc {name = "hardswish", alpha = 0.25} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %hardswish : tensor<2xf32>
}

// An activation does not care for axes.
// CHECK-LABEL: func.func @rows(%x: tensor<7x3xf32>) -> tensor<7x2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<7x3xf32>, tensor<2x3xf32>) -> tensor<7x2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %fc {name = "relu"} : (tensor<7x2xf32>) -> tensor<7x2xf32>
// BEFORE-NEXT:   func.return %relu : tensor<7x2xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", blobs = ["relu"], num_output = 2, activation_type = relu} : (tensor<7x3xf32>, tensor<2x3xf32>) -> tensor<7x2xf32>
// AFTER-NEXT:    func.return %fc : tensor<7x2xf32>
// CHECK-NEXT: }
func.func @rows(%x: tensor<7x3xf32>) -> tensor<7x2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<7x3xf32>, tensor<2x3xf32>) -> tensor<7x2xf32>
  %relu = ncnn.relu %fc {name = "relu"} : (tensor<7x2xf32>) -> tensor<7x2xf32>
  func.return %relu : tensor<7x2xf32>
}
