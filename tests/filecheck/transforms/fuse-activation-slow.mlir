// RUN: ncnn-opt --canonicalize %s | filecheck %s --check-prefixes=CHECK,KEPT
// RUN: ncnn-opt --fuse-conv-activation --fuse-innerproduct-activation %s | filecheck %s --check-prefixes=CHECK,ASKED
// RUN: ncnn-opt --canonicalize %s > %t.once
// RUN: ncnn-opt --canonicalize %t.once | diff %t.once -

// Layers that compute curves one element at a time, where the layer of its own takes several. A pass
// that is named does it nevertheless.

// There is no vector code for it, on any processor.
// CHECK-LABEL: func.func @dw1d(
// KEPT:         ncnn.convolutiondepthwise1d {{.*}}name = "host"
// KEPT-NEXT:    ncnn.sigmoid 
// ASKED:        ncnn.convolutiondepthwise1d {{.*}}activation_type = sigmoid
// ASKED-NEXT:   func.return
func.func @dw1d(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x1x1xf32>
  %host = ncnn.convolutiondepthwise1d %x weight %w {name = "host", num_output = 8, kernel_w = 1, group = 8} : (tensor<8x9xf32>, tensor<8x1x1xf32>) -> tensor<8x9xf32>
  %act = ncnn.sigmoid %host {name = "act"} : (tensor<8x9xf32>) -> tensor<8x9xf32>
  func.return %act : tensor<8x9xf32>
}

// The same in three dims.
// CHECK-LABEL: func.func @conv3d(
// KEPT:         ncnn.convolution3d {{.*}}name = "host"
// KEPT-NEXT:    ncnn.mish 
// ASKED:        ncnn.convolution3d {{.*}}activation_type = mish
// ASKED-NEXT:   func.return
func.func @conv3d(%x: tensor<2x3x3x3xf32>) -> tensor<8x3x3x3xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x2x1x1x1xf32>
  %host = ncnn.convolution3d %x weight %w {name = "host", num_output = 8, kernel_w = 1} : (tensor<2x3x3x3xf32>, tensor<8x2x1x1x1xf32>) -> tensor<8x3x3x3xf32>
  %act = ncnn.mish %host {name = "act"} : (tensor<8x3x3x3xf32>) -> tensor<8x3x3x3xf32>
  func.return %act : tensor<8x3x3x3xf32>
}

// Transposed.
// CHECK-LABEL: func.func @deconv1d(
// KEPT:         ncnn.deconvolution1d {{.*}}name = "host"
// KEPT-NEXT:    ncnn.hardswish 
// ASKED:        ncnn.deconvolution1d {{.*}}activation_type = hardswish
// ASKED-NEXT:   func.return
func.func @deconv1d(%x: tensor<2x9xf32>) -> tensor<8x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x2x1xf32>
  %host = ncnn.deconvolution1d %x weight %w {name = "host", num_output = 8, kernel_w = 1} : (tensor<2x9xf32>, tensor<8x2x1xf32>) -> tensor<8x9xf32>
  %act = ncnn.hardswish %host {name = "act"} : (tensor<8x9xf32>) -> tensor<8x9xf32>
  func.return %act : tensor<8x9xf32>
}

// A ReLU is no curve.
// CHECK-LABEL: func.func @straight(
// CHECK:        ncnn.convolutiondepthwise1d {{.*}}activation_type = relu
// CHECK-NEXT:   func.return
func.func @straight(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x1x1xf32>
  %host = ncnn.convolutiondepthwise1d %x weight %w {name = "host", num_output = 8, kernel_w = 1, group = 8} : (tensor<8x9xf32>, tensor<8x1x1xf32>) -> tensor<8x9xf32>
  %act = ncnn.relu %host {name = "act"} : (tensor<8x9xf32>) -> tensor<8x9xf32>
  func.return %act : tensor<8x9xf32>
}

// Channels that are not kept together, since 4 does not divide them.
// CHECK-LABEL: func.func @odd(
// KEPT:         ncnn.convolutiondepthwise {{.*}}name = "host"
// KEPT-NEXT:    ncnn.sigmoid 
// ASKED:        ncnn.convolutiondepthwise {{.*}}activation_type = sigmoid
// ASKED-NEXT:   func.return
func.func @odd(%x: tensor<13x5x5xf32>) -> tensor<13x5x5xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<13x1x1x1xf32>
  %host = ncnn.convolutiondepthwise %x weight %w {name = "host", num_output = 13, kernel_w = 1, group = 13} : (tensor<13x5x5xf32>, tensor<13x1x1x1xf32>) -> tensor<13x5x5xf32>
  %act = ncnn.sigmoid %host {name = "act"} : (tensor<13x5x5xf32>) -> tensor<13x5x5xf32>
  func.return %act : tensor<13x5x5xf32>
}

// They are here.
// CHECK-LABEL: func.func @even(
// CHECK:        ncnn.convolutiondepthwise {{.*}}activation_type = sigmoid
// CHECK-NEXT:   func.return
func.func @even(%x: tensor<12x5x5xf32>) -> tensor<12x5x5xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<12x1x1x1xf32>
  %host = ncnn.convolutiondepthwise %x weight %w {name = "host", num_output = 12, kernel_w = 1, group = 12} : (tensor<12x5x5xf32>, tensor<12x1x1x1xf32>) -> tensor<12x5x5xf32>
  %act = ncnn.sigmoid %host {name = "act"} : (tensor<12x5x5xf32>) -> tensor<12x5x5xf32>
  func.return %act : tensor<12x5x5xf32>
}

// Mish is too long a computation to wait for after each vector.
// CHECK-LABEL: func.func @conv1d(
// KEPT:         ncnn.convolution1d {{.*}}name = "host"
// KEPT-NEXT:    ncnn.mish 
// ASKED:        ncnn.convolution1d {{.*}}activation_type = mish
// ASKED-NEXT:   func.return
func.func @conv1d(%x: tensor<2x9xf32>) -> tensor<8x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x2x1xf32>
  %host = ncnn.convolution1d %x weight %w {name = "host", num_output = 8, kernel_w = 1} : (tensor<2x9xf32>, tensor<8x2x1xf32>) -> tensor<8x9xf32>
  %act = ncnn.mish %host {name = "act"} : (tensor<8x9xf32>) -> tensor<8x9xf32>
  func.return %act : tensor<8x9xf32>
}

// Sigmoid is not.
// CHECK-LABEL: func.func @conv1d_sigmoid(
// CHECK:        ncnn.convolution1d {{.*}}activation_type = sigmoid
// CHECK-NEXT:   func.return
func.func @conv1d_sigmoid(%x: tensor<2x9xf32>) -> tensor<8x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x2x1xf32>
  %host = ncnn.convolution1d %x weight %w {name = "host", num_output = 8, kernel_w = 1} : (tensor<2x9xf32>, tensor<8x2x1xf32>) -> tensor<8x9xf32>
  %act = ncnn.sigmoid %host {name = "act"} : (tensor<8x9xf32>) -> tensor<8x9xf32>
  func.return %act : tensor<8x9xf32>
}

// Rows, of which there may be any number.
// CHECK-LABEL: func.func @rows(
// KEPT:         ncnn.innerproduct {{.*}}name = "host"
// KEPT-NEXT:    ncnn.sigmoid 
// ASKED:        ncnn.innerproduct {{.*}}activation_type = sigmoid
// ASKED-NEXT:   func.return
func.func @rows(%x: tensor<5x3xf32>) -> tensor<5x2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %host = ncnn.innerproduct %x weight %w {name = "host", num_output = 2} : (tensor<5x3xf32>, tensor<2x3xf32>) -> tensor<5x2xf32>
  %act = ncnn.sigmoid %host {name = "act"} : (tensor<5x2xf32>) -> tensor<5x2xf32>
  func.return %act : tensor<5x2xf32>
}

// A vector.
// CHECK-LABEL: func.func @vector(
// CHECK:        ncnn.innerproduct {{.*}}activation_type = sigmoid
// CHECK-NEXT:   func.return
func.func @vector(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x3xf32>
  %host = ncnn.innerproduct %x weight %w {name = "host", num_output = 2} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %act = ncnn.sigmoid %host {name = "act"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %act : tensor<2xf32>
}
