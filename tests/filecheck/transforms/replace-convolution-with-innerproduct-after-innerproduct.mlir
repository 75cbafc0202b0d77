// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-innerproduct %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-innerproduct %s > %t.once
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-innerproduct %t.once | diff %t.once -
// RUN: ncnn-opt --replace-convolution-with-innerproduct-after-innerproduct --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-convolution-with-innerproduct-after-innerproduct: Convolution 'a', InnerProduct 'fc'
// REMARK-NEXT: remark: replace-convolution-with-innerproduct-after-innerproduct: Convolution 'b', InnerProduct 'a'

// Each becomes one behind which there is another.
// CHECK-LABEL: func.func @chain(%x: tensor<3xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %u = ncnn.constant dense<1.000000e+00> : tensor<2x3xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<1.000000e+00> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %w = ncnn.constant dense<2.000000e+00> : tensor<2x2x1x1xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %x weight %u {name = "fc", num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %a = ncnn.convolution %fc weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = sigmoid} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.convolution %a weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %b : tensor<2xf32>
// AFTER-NEXT:    %u = ncnn.constant dense<1.000000e+00> : tensor<2x3xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %x weight %u {name = "fc", num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<1.000000e+00> : tensor<2x2xf32>
// AFTER-NEXT:    %a = ncnn.innerproduct %fc weight %v {name = "a", num_output = 2, activation_type = sigmoid} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<2.000000e+00> : tensor<2x2xf32>
// AFTER-NEXT:    %b = ncnn.innerproduct %a weight %w {name = "b", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %b : tensor<2xf32>
// CHECK-NEXT: }
func.func @chain(%x: tensor<3xf32>) -> tensor<2xf32> {
  %u = ncnn.constant dense<1.0> : tensor<2x3xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %w = ncnn.constant dense<2.0> : tensor<2x2x1x1xf32>
  %fc = ncnn.innerproduct %x weight %u {name = "fc", num_output = 2, activation_type = relu} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %a = ncnn.convolution %fc weight %v {name = "a", num_output = 2, kernel_w = 1, activation_type = sigmoid} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
  %b = ncnn.convolution %a weight %w {name = "b", num_output = 2, kernel_w = 1} : (tensor<2xf32>, tensor<2x2x1x1xf32>) -> tensor<2xf32>
  func.return %b : tensor<2xf32>
}
