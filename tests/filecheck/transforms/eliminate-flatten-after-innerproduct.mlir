// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-flatten-after-innerproduct %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-flatten-after-innerproduct %s > %t.once
// RUN: ncnn-opt --eliminate-flatten-after-innerproduct %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-flatten-after-innerproduct --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-flatten-after-innerproduct: InnerProduct 'fc', Flatten 'flat'
// REMARK-NEXT: remark: eliminate-flatten-after-innerproduct: InnerProduct 'fc', Flatten 'flat'

// One dim already.
// CHECK-LABEL: func.func @vector(%x: tensor<4xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<1.000000e+00> : tensor<2x4xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %flat = ncnn.flatten %fc {name = "flat"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %flat {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<1.000000e+00> : tensor<2x4xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %fc {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %relu : tensor<2xf32>
// CHECK-NEXT: }
func.func @vector(%x: tensor<4xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  %flat = ncnn.flatten %fc {name = "flat"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %flat {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// Of a volume, too; int8, with an activation, and another reader.
// BEFORE-LABEL: func.func @volume(%x: tensor<1x2x2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2xf32>) {
// AFTER-LABEL: func.func @volume(%x: tensor<1x2x2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2xf32> {ncnn.blob = "tanh"}) {
// BEFORE-NEXT:   %w = ncnn.constant dense<1> : tensor<2x4xi8>
// BEFORE-NEXT:   %s = ncnn.constant dense<1.000000e+00> : tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %w weight_int8_scales %s bottom_int8_scales %b {name = "fc", num_output = 2, int8_scale_term = 2, activation_type = relu} : (tensor<1x2x2xf32>, tensor<2x4xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %flat = ncnn.flatten %fc {name = "flat", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %fc {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %flat, %tanh : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<1> : tensor<2x4xi8>
// AFTER-NEXT:    %s = ncnn.constant dense<1.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %b = ncnn.constant dense<[1.000000e+00]> : tensor<1xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w weight_int8_scales %s bottom_int8_scales %b {name = "fc", num_output = 2, int8_scale_term = 2, activation_type = relu} : (tensor<1x2x2xf32>, tensor<2x4xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %fc {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc, %tanh : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @volume(%x: tensor<1x2x2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2xf32>) {
  %w = ncnn.constant dense<1> : tensor<2x4xi8>
  %s = ncnn.constant dense<1.0> : tensor<2xf32>
  %b = ncnn.constant dense<1.0> : tensor<1xf32>
  %fc = ncnn.innerproduct %x weight %w weight_int8_scales %s bottom_int8_scales %b {name = "fc", num_output = 2, int8_scale_term = 2, activation_type = relu} : (tensor<1x2x2xf32>, tensor<2x4xi8>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %flat = ncnn.flatten %fc {name = "flat", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %fc {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %flat, %tanh : tensor<2xf32>, tensor<2xf32>
}
