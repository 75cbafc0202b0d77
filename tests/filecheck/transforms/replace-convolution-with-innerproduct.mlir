// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-convolution-with-innerproduct %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-convolution-with-innerproduct %s > %t.once
// RUN: ncnn-opt --replace-convolution-with-innerproduct %t.once | diff %t.once -
// RUN: ncnn-opt --replace-convolution-with-innerproduct --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-convolution-with-innerproduct: Convolution 'a'
// REMARK-NEXT: remark: replace-convolution-with-innerproduct: Convolution 'a'
// REMARK-NEXT: remark: replace-convolution-with-innerproduct: Convolution 'b'

// Behind any layer that gives one dim; weights that were left out are not needed.
// CHECK-LABEL: func.func @any(%x: tensor<*xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x3x1x1xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 3, h = 1, c = 1} : (tensor<*xf32>) -> tensor<1x1x3xf32>
// BEFORE-NEXT:   %flat = ncnn.flatten %r {name = "flat"} : (tensor<1x1x3xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %flat {name = "relu"} : (tensor<3xf32>) -> tensor<3xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %relu weight %w {name = "a", num_output = 2, kernel_w = 1} : (tensor<3xf32>, tensor<2x3x1x1xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %a : tensor<2xf32>
// AFTER-NEXT:    %r = ncnn.reshape %x {name = "r", w = 3, h = 1, c = 1} : (tensor<*xf32>) -> tensor<1x1x3xf32>
// AFTER-NEXT:    %flat = ncnn.flatten %r {name = "flat"} : (tensor<1x1x3xf32>) -> tensor<3xf32>
// AFTER-NEXT:    %relu = ncnn.relu %flat {name = "relu"} : (tensor<3xf32>) -> tensor<3xf32>
// AFTER-NEXT:    %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
// AFTER-NEXT:    %a = ncnn.innerproduct %relu weight %w {name = "a", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %a : tensor<2xf32>
// CHECK-NEXT: }
func.func @any(%x: tensor<*xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3x1x1xf32>
  %r = ncnn.reshape %x {name = "r", w = 3, h = 1, c = 1} : (tensor<*xf32>) -> tensor<1x1x3xf32>
  %flat = ncnn.flatten %r {name = "flat"} : (tensor<1x1x3xf32>) -> tensor<3xf32>
  %relu = ncnn.relu %flat {name = "relu"} : (tensor<3xf32>) -> tensor<3xf32>
  %a = ncnn.convolution %relu weight %w {name = "a", num_output = 2, kernel_w = 1} : (tensor<3xf32>, tensor<2x3x1x1xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// Behind the layers that ncnnoptimize knows.
// CHECK-LABEL: func.func @known(%x: tensor<*xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %v = ncnn.constant dense<1.000000e+00> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<2.000000e+00> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 2} : (tensor<*xf32>) -> tensor<2x?x2xf32>
// BEFORE-NEXT:   %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<2x?x2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %pool weight %v {name = "a", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.convolution %a weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %b : tensor<2xf32>
// AFTER-NEXT:    %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 2} : (tensor<*xf32>) -> tensor<2x?x2xf32>
// AFTER-NEXT:    %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<2x?x2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<1.000000e+00> : tensor<2x2xf32>
// AFTER-NEXT:    %a = ncnn.innerproduct %pool weight %v {name = "a", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<2.000000e+00> : tensor<2x2xf32>
// AFTER-NEXT:    %b = ncnn.innerproduct %a weight %w {name = "b", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %b : tensor<2xf32>
// CHECK-NEXT: }
func.func @known(%x: tensor<*xf32>) -> tensor<2xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %w = ncnn.constant dense<2.0> : tensor<2x2x1x1xf32>
  %r = ncnn.reshape %x {name = "r", w = 2, h = -1, c = 2} : (tensor<*xf32>) -> tensor<2x?x2xf32>
  %pool = ncnn.pooling %r {name = "pool", global_pooling = 1} : (tensor<2x?x2xf32>) -> tensor<2xf32>
  %a = ncnn.convolution %pool weight %v {name = "a", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
  %b = ncnn.convolution %a weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
  func.return %b : tensor<2xf32>
}
