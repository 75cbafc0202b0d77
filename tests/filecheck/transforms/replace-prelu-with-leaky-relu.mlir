// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-prelu-with-leaky-relu %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-prelu-with-leaky-relu %s > %t.once
// RUN: ncnn-opt --replace-prelu-with-leaky-relu %t.once | diff %t.once -
// RUN: ncnn-opt --replace-prelu-with-leaky-relu --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-prelu-with-leaky-relu: PReLU 'a'
// REMARK-NEXT: remark: replace-prelu-with-leaky-relu: PReLU 'a'

// One slope.
// CHECK-LABEL: func.func @one(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[2.500000e-01]> : tensor<1xf32>
// BEFORE-NEXT:   %a = ncnn.prelu %x slope %w {name = "a", blobs = ["out"], featmask = 2} : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %a : tensor<*xf32>
// AFTER-NEXT:    %a = ncnn.relu %x {name = "a", blobs = ["out"], slope = 0.25, featmask = 2} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %a : tensor<*xf32>
// CHECK-NEXT: }
func.func @one(%x: tensor<*xf32>) -> tensor<*xf32> {
  %w = ncnn.constant dense<0.25> : tensor<1xf32>
  %a = ncnn.prelu %x slope %w {name = "a", blobs = ["out"], featmask = 2} : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
  func.return %a : tensor<*xf32>
}

// The same for all channels.
// CHECK-LABEL: func.func @equal(%x: tensor<3x?x?xf32>) -> tensor<3x?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<2.500000e-01> : tensor<3xf32>
// BEFORE-NEXT:   %a = ncnn.prelu %x slope %w {name = "a"} : (tensor<3x?x?xf32>, tensor<3xf32>) -> tensor<3x?x?xf32>
// BEFORE-NEXT:   func.return %a : tensor<3x?x?xf32>
// AFTER-NEXT:    %a = ncnn.relu %x {name = "a", slope = 0.25} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
// AFTER-NEXT:    func.return %a : tensor<3x?x?xf32>
// CHECK-NEXT: }
func.func @equal(%x: tensor<3x?x?xf32>) -> tensor<3x?x?xf32> {
  %w = ncnn.constant dense<0.25> : tensor<3xf32>
  %a = ncnn.prelu %x slope %w {name = "a"} : (tensor<3x?x?xf32>, tensor<3xf32>) -> tensor<3x?x?xf32>
  func.return %a : tensor<3x?x?xf32>
}
