// RUN: ncnn-opt --convert-fused-to-linalg=conv=gemm --convert-ncnn-to-linalg=conv=gemm %s | filecheck %s
// RUN: ncnn-opt --convert-fused-to-linalg=conv=named %s | filecheck %s --check-prefix=NAMED

// The form that an operation names is the one that it has, whatever would be cheapest.

// CHECK-LABEL: func.func @direct
// CHECK: linalg.conv_2d_nhwc_hwcf
// NAMED-LABEL: func.func @direct
// NAMED: linalg.conv_2d_nchw_fchw
func.func @direct(%x: tensor<64x16x16xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x14x14xf32> {
  %y = fused.conv %x weight %w {ncnn.form = "direct"} : (tensor<64x16x16xf32>, tensor<64x64x3x3xf32>) -> tensor<64x14x14xf32>
  func.return %y : tensor<64x14x14xf32>
}

// CHECK-LABEL: func.func @columns
// CHECK: tensor.insert_slice {{.*}} into tensor<14x14x1x3x192xf32>
// CHECK-NOT: tensor<36x
func.func @columns(%x: tensor<64x16x16xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x14x14xf32> {
  %y = fused.conv %x weight %w {ncnn.form = "columns"} : (tensor<64x16x16xf32>, tensor<64x64x3x3xf32>) -> tensor<64x14x14xf32>
  func.return %y : tensor<64x14x14xf32>
}

// CHECK-LABEL: func.func @winograd2
// CHECK: tensor<16x49x64xf32>
func.func @winograd2(%x: tensor<64x16x16xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<64x14x14xf32> {
  %y = fused.conv %x weight %w {ncnn.form = "winograd2"} : (tensor<64x16x16xf32>, tensor<64x64x3x3xf32>) -> tensor<64x14x14xf32>
  func.return %y : tensor<64x14x14xf32>
}

// CHECK-LABEL: func.func @flat
// CHECK: tensor.collapse_shape {{.*}} into tensor<256x64xf32>
func.func @flat(%x: tensor<64x16x16xf32>, %w: tensor<32x64x1x1xf32>) -> tensor<32x16x16xf32> {
  %y = fused.conv %x weight %w {ncnn.form = "flat"} : (tensor<64x16x16xf32>, tensor<32x64x1x1xf32>) -> tensor<32x16x16xf32>
  func.return %y : tensor<32x16x16xf32>
}

// CHECK-LABEL: func.func @places
// CHECK-NOT: tensor.collapse_shape {{.*}} into tensor<256x64xf32>
// CHECK: return
func.func @places(%x: tensor<64x16x16xf32>, %w: tensor<32x64x1x1xf32>) -> tensor<32x16x16xf32> {
  %y = fused.conv %x weight %w {ncnn.form = "places"} : (tensor<64x16x16xf32>, tensor<32x64x1x1xf32>) -> tensor<32x16x16xf32>
  func.return %y : tensor<32x16x16xf32>
}

// It is an attribute of layers, too.

// CHECK-LABEL: func.func @layer
// CHECK: tensor.collapse_shape {{.*}} into tensor<256x64xf32>
func.func @layer(%x: tensor<64x16x16xf32>, %w: tensor<32x64x1x1xf32>) -> tensor<32x16x16xf32> {
  %y = ncnn.convolution %x weight %w {num_output = 32, kernel_w = 1, ncnn.form = "flat"} : (tensor<64x16x16xf32>, tensor<32x64x1x1xf32>) -> tensor<32x16x16xf32>
  func.return %y : tensor<32x16x16xf32>
}

// Convolutions in groups have these forms, too: products of matrices for all groups.

// CHECK-LABEL: func.func @thin
// CHECK: tensor<16x16x55x8xf32>
func.func @thin(%x: tensor<440x9x9xf32>, %w: tensor<440x8x3x3xf32>) -> tensor<440x7x7xf32> {
  %y = fused.conv %x weight %w groups 55 {ncnn.form = "winograd2"} : (tensor<440x9x9xf32>, tensor<440x8x3x3xf32>) -> tensor<440x7x7xf32>
  func.return %y : tensor<440x7x7xf32>
}

// CHECK-LABEL: func.func @wide
// CHECK: tensor<36x16x2x192xf32>
func.func @wide(%x: tensor<384x15x15xf32>, %w: tensor<384x192x3x3xf32>) -> tensor<384x13x13xf32> {
  %y = fused.conv %x weight %w groups 2 : (tensor<384x15x15xf32>, tensor<384x192x3x3xf32>) -> tensor<384x13x13xf32>
  func.return %y : tensor<384x13x13xf32>
}
