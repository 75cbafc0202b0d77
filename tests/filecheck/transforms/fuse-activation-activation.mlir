// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --fuse-activation-activation %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --fuse-activation-activation %s > %t.once
// RUN: ncnn-opt --fuse-activation-activation %t.once | diff %t.once -

// Two activations that are one: of ReLU and Clip each, or the second changes nothing.

// CHECK-LABEL: func.func @relu_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %s = ncnn.relu %x {name = "s", blobs = ["z"]} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %s : tensor<*xf32>
// CHECK-NEXT: }
func.func @relu_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// Clip(0, 1).
// CHECK-LABEL: func.func @relu_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.clip %s {name = "z", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.clip %x {name = "z", min = 0.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @relu_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// Clip(0, 1).
// CHECK-LABEL: func.func @clip_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.clip %x {name = "s", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.clip %x {name = "z", min = 0.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @clip_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.clip %x {name = "s", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// Clip(0, 1).
// CHECK-LABEL: func.func @clip_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.clip %x {name = "s", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.clip %s {name = "z", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.clip %x {name = "z", min = 0.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @clip_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.clip %x {name = "s", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// Clip(0, 6).
// CHECK-LABEL: func.func @upper_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.clip %x {name = "s", max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.clip %x {name = "z", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @upper_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.clip %x {name = "s", max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// Nothing is left to leak.
// CHECK-LABEL: func.func @relu_leaky(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.relu %s {name = "z", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %s = ncnn.relu %x {name = "s", blobs = ["z"]} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %s : tensor<*xf32>
// CHECK-NEXT: }
func.func @relu_leaky(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// 0.5 * 0.5.
// CHECK-LABEL: func.func @leaky_leaky(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.relu %x {name = "s", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.relu %s {name = "z", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.relu %x {name = "z", slope = 0.25} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @leaky_leaky(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// Nothing of what leaks gets through.
// CHECK-LABEL: func.func @leaky_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.relu %x {name = "s", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.relu %x {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @leaky_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// CHECK-LABEL: func.func @leaky_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.relu %x {name = "s", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.clip %s {name = "z", min = 1.0, max = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.clip %x {name = "z", min = 1.0, max = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @leaky_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = 1.0, max = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// A negative slope gives nothing below 0.
// CHECK-LABEL: func.func @growing_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.relu %x {name = "s", slope = -0.5} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %s = ncnn.relu %x {name = "s", blobs = ["z"], slope = -0.5} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %s : tensor<*xf32>
// CHECK-NEXT: }
func.func @growing_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s", slope = -0.5} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// A slope of 1 changes nothing.
// CHECK-LABEL: func.func @unit_sigmoid(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.relu %x {name = "s", slope = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.sigmoid %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.sigmoid %x {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @unit_sigmoid(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s", slope = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.sigmoid %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// A Sigmoid gives nothing below 0
// CHECK-LABEL: func.func @sigmoid_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.sigmoid %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %s = ncnn.sigmoid %x {name = "s", blobs = ["z"]} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %s : tensor<*xf32>
// CHECK-NEXT: }
func.func @sigmoid_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// or above 1.
// CHECK-LABEL: func.func @sigmoid_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.sigmoid %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.clip %s {name = "z", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %s = ncnn.sigmoid %x {name = "s", blobs = ["z"]} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %s : tensor<*xf32>
// CHECK-NEXT: }
func.func @sigmoid_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.sigmoid %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// All that the first gives is within the second.
// CHECK-LABEL: func.func @clip_wide(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.clip %x {name = "s", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.clip %s {name = "z", min = -1.0, max = 9.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %s = ncnn.clip %x {name = "s", blobs = ["z"], min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %s : tensor<*xf32>
// CHECK-NEXT: }
func.func @clip_wide(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.clip %x {name = "s", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = -1.0, max = 9.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// All that the first gives is above the second.
// CHECK-LABEL: func.func @relu_below(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.clip %s {name = "z", min = -5.0, max = -1.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.clip %x {name = "z", min = -1.0, max = -1.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @relu_below(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = -5.0, max = -1.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// The spelling with BinaryOp: Clip(0, 6).
// CHECK-LABEL: func.func @max_min(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = max, with_scalar = 1} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.binaryop %s {name = "z", op_type = min, with_scalar = 1, b = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.clip %x {name = "z", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @max_min(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = max, with_scalar = 1, b = 0.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = min, with_scalar = 1, b = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// CHECK-LABEL: func.func @max_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
// BEFORE-NEXT:   %s = ncnn.binaryop %x {name = "s", op_type = max, with_scalar = 1} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %z = ncnn.clip %s {name = "z", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   func.return %z : tensor<*xf32>
// AFTER-NEXT:    %z = ncnn.clip %x {name = "z", min = 0.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    func.return %z : tensor<*xf32>
// CHECK-NEXT: }
func.func @max_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = max, with_scalar = 1, b = 0.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}
