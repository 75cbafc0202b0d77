// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-reshape-before-innerproduct %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-reshape-before-innerproduct %s > %t.once
// RUN: ncnn-opt --eliminate-reshape-before-innerproduct %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-reshape-before-innerproduct --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-reshape-before-innerproduct: InnerProduct 'fc', Flatten 'flat'
// REMARK-NEXT: remark: eliminate-reshape-before-innerproduct: InnerProduct 'fc', Reshape 'flat'

// All elements in row-major order, which an InnerProduct takes itself.
// CHECK-LABEL: func.func @flatten(%x: tensor<1x2x2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<1.000000e+00> : tensor<2x4xf32>
// BEFORE-NEXT:   %flat = ncnn.flatten %x {name = "flat"} : (tensor<1x2x2xf32>) -> tensor<4xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %flat weight %w {name = "fc", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %fc : tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<1.000000e+00> : tensor<2x4xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<1x2x2xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @flatten(%x: tensor<1x2x2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %flat = ncnn.flatten %x {name = "flat"} : (tensor<1x2x2xf32>) -> tensor<4xf32>
  %fc = ncnn.innerproduct %flat weight %w {name = "fc", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  func.return %fc : tensor<2xf32>
}

// With an activation between; of any extents; the reshaped blob is read elsewhere, too.
// CHECK-LABEL: func.func @through(%x: tensor<?x?x?x?xf32>) -> (tensor<2xf32>, tensor<?xf32>) {
// BEFORE-NEXT:   %w = ncnn.constant dense<1.000000e+00> : tensor<2x4xf32>
// BEFORE-NEXT:   %flat = ncnn.reshape %x {name = "flat", w = -1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %flat {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %relu weight %w {name = "fc", num_output = 2} : (tensor<?xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %flat {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   func.return %fc, %tanh : tensor<2xf32>, tensor<?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<1.000000e+00> : tensor<2x4xf32>
// AFTER-NEXT:    %flat = ncnn.reshape %x {name = "flat", w = -1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %relu weight %w {name = "fc", num_output = 2} : (tensor<?x?x?x?xf32>, tensor<2x4xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %flat {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
// AFTER-NEXT:    func.return %fc, %tanh : tensor<2xf32>, tensor<?xf32>
// CHECK-NEXT: }
func.func @through(%x: tensor<?x?x?x?xf32>) -> (tensor<2xf32>, tensor<?xf32>) {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %flat = ncnn.reshape %x {name = "flat", w = -1} : (tensor<?x?x?x?xf32>) -> tensor<?xf32>
  %relu = ncnn.relu %flat {name = "relu"} : (tensor<?xf32>) -> tensor<?xf32>
  %fc = ncnn.innerproduct %relu weight %w {name = "fc", num_output = 2} : (tensor<?xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %flat {name = "tanh"} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %fc, %tanh : tensor<2xf32>, tensor<?xf32>
}
