// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-padding-pooling %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-padding-pooling %s > %t.once
// RUN: ncnn-opt --fuse-padding-pooling %t.once | diff %t.once -
// RUN: ncnn-opt --fuse-padding-pooling --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// What changes no maximum, and zeros that a mean counts.

// The lowest number, with 7 digits.
// REMARK: remark: fuse-padding-pooling: Pooling 'y', Padding 'p'
// CHECK-LABEL: func.func @lowest(%x: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", bottom = 1, right = 1, value = -3.402823e+38} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
// BEFORE-NEXT:   %y = ncnn.pooling %p {name = "y", kernel_w = 3, stride_w = 2, pad_mode = valid} : (tensor<2x6x6xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x2x2xf32>
// AFTER-NEXT:    %y = ncnn.pooling %x {name = "y", kernel_w = 3, stride_w = 2, pad_mode = valid, pad_right = 1, pad_bottom = 1} : (tensor<2x5x5xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    func.return %y : tensor<2x2x2xf32>
// CHECK-NEXT: }
func.func @lowest(%x: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
  %p = ncnn.padding %x {name = "p", bottom = 1, right = 1, value = -3.402823e+38} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = max, kernel_w = 3, stride_w = 2, pad_mode = valid} : (tensor<2x6x6xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// 0 where nothing is below 0.
// CHECK-LABEL: func.func @relu(%a: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
// BEFORE-NEXT:   %x = ncnn.relu %a {name = "x"} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 1, left = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
// BEFORE-NEXT:   %y = ncnn.pooling %p {name = "y", kernel_w = 3, stride_w = 2, pad_mode = valid} : (tensor<2x6x6xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x2x2xf32>
// AFTER-NEXT:    %x = ncnn.relu %a {name = "x"} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// AFTER-NEXT:    %y = ncnn.pooling %x {name = "y", kernel_w = 3, stride_w = 2, pad_left = 1, pad_mode = valid, pad_right = 0, pad_bottom = 0} : (tensor<2x5x5xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    func.return %y : tensor<2x2x2xf32>
// CHECK-NEXT: }
func.func @relu(%a: tensor<2x5x5xf32>) -> tensor<2x2x2xf32> {
  %x = ncnn.relu %a {name = "x"} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %p = ncnn.padding %x {name = "p", top = 1, left = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = max, kernel_w = 3, stride_w = 2, pad_mode = valid} : (tensor<2x6x6xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// A mean that counts its pads.
// CHECK-LABEL: func.func @mean(%x: tensor<2x5x5xf32>) -> tensor<2x7x7xf32> {
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 1, left = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
// BEFORE-NEXT:   %y = ncnn.pooling %p {name = "y", pooling_type = avg, kernel_w = 2, pad_left = 1, avgpool_count_include_pad = 1} : (tensor<2x6x6xf32>) -> tensor<2x7x7xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x7x7xf32>
// AFTER-NEXT:    %y = ncnn.pooling %x {name = "y", pooling_type = avg, kernel_w = 2, pad_left = 2, avgpool_count_include_pad = 1, pad_right = 1, pad_bottom = 1} : (tensor<2x5x5xf32>) -> tensor<2x7x7xf32>
// AFTER-NEXT:    func.return %y : tensor<2x7x7xf32>
// CHECK-NEXT: }
func.func @mean(%x: tensor<2x5x5xf32>) -> tensor<2x7x7xf32> {
  %p = ncnn.padding %x {name = "p", top = 1, left = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = avg, kernel_w = 2, pad_left = 1, avgpool_count_include_pad = 1} : (tensor<2x6x6xf32>) -> tensor<2x7x7xf32>
  func.return %y : tensor<2x7x7xf32>
}

// One that has none, so that it may count these.
// CHECK-LABEL: func.func @mean_of_all(%x: tensor<2x5x5xf32>) -> tensor<2x5x5xf32> {
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", top = 1, left = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
// BEFORE-NEXT:   %y = ncnn.pooling %p {name = "y", pooling_type = avg, kernel_w = 2, pad_mode = valid} : (tensor<2x6x6xf32>) -> tensor<2x5x5xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x5x5xf32>
// AFTER-NEXT:    %y = ncnn.pooling %x {name = "y", pooling_type = avg, kernel_w = 2, pad_left = 1, pad_mode = valid, avgpool_count_include_pad = 1, pad_right = 0, pad_bottom = 0} : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// AFTER-NEXT:    func.return %y : tensor<2x5x5xf32>
// CHECK-NEXT: }
func.func @mean_of_all(%x: tensor<2x5x5xf32>) -> tensor<2x5x5xf32> {
  %p = ncnn.padding %x {name = "p", top = 1, left = 1} : (tensor<2x5x5xf32>) -> tensor<2x6x6xf32>
  %y = ncnn.pooling %p {name = "y", pooling_type = avg, kernel_w = 2, pad_mode = valid} : (tensor<2x6x6xf32>) -> tensor<2x5x5xf32>
  func.return %y : tensor<2x5x5xf32>
}

// In 1 dim.
// REMARK: remark: fuse-padding-pooling: Pooling1D 'y', Padding 'p'
// CHECK-LABEL: func.func @one_dim(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", right = 1} : (tensor<2x5xf32>) -> tensor<2x6xf32>
// BEFORE-NEXT:   %y = ncnn.pooling1d %p {name = "y", pooling_type = avg, kernel_w = 2, avgpool_count_include_pad = 1} : (tensor<2x6xf32>) -> tensor<2x5xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x5xf32>
// AFTER-NEXT:    %y = ncnn.pooling1d %x {name = "y", pooling_type = avg, kernel_w = 2, avgpool_count_include_pad = 1, pad_right = 1} : (tensor<2x5xf32>) -> tensor<2x5xf32>
// AFTER-NEXT:    func.return %y : tensor<2x5xf32>
// CHECK-NEXT: }
func.func @one_dim(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %p = ncnn.padding %x {name = "p", right = 1} : (tensor<2x5xf32>) -> tensor<2x6xf32>
  %y = ncnn.pooling1d %p {name = "y", pooling_type = avg, kernel_w = 2, avgpool_count_include_pad = 1} : (tensor<2x6xf32>) -> tensor<2x5xf32>
  func.return %y : tensor<2x5xf32>
}

// In 3 dims.
// REMARK: remark: fuse-padding-pooling: Pooling3D 'y', Padding 'p'
// CHECK-LABEL: func.func @three_dims(%x: tensor<2x5x5x5xf32>) -> tensor<2x5x4x4xf32> {
// BEFORE-NEXT:   %p = ncnn.padding %x {name = "p", behind = 1} : (tensor<2x5x5x5xf32>) -> tensor<2x6x5x5xf32>
// BEFORE-NEXT:   %y = ncnn.pooling3d %p {name = "y", pooling_type = avg, kernel_w = 2, avgpool_count_include_pad = 1} : (tensor<2x6x5x5xf32>) -> tensor<2x5x4x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<2x5x4x4xf32>
// AFTER-NEXT:    %y = ncnn.pooling3d %x {name = "y", pooling_type = avg, kernel_w = 2, avgpool_count_include_pad = 1, pad_behind = 1} : (tensor<2x5x5x5xf32>) -> tensor<2x5x4x4xf32>
// AFTER-NEXT:    func.return %y : tensor<2x5x4x4xf32>
// CHECK-NEXT: }
func.func @three_dims(%x: tensor<2x5x5x5xf32>) -> tensor<2x5x4x4xf32> {
  %p = ncnn.padding %x {name = "p", behind = 1} : (tensor<2x5x5x5xf32>) -> tensor<2x6x5x5xf32>
  %y = ncnn.pooling3d %p {name = "y", pooling_type = avg, kernel_w = 2, avgpool_count_include_pad = 1} : (tensor<2x6x5x5xf32>) -> tensor<2x5x4x4xf32>
  func.return %y : tensor<2x5x4x4xf32>
}
