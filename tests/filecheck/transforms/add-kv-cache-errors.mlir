// RUN: ncnn-opt --split-input-file --verify-diagnostics --add-kv-cache %s | filecheck %s

// A model without attention, an encoder, a mask that shows later steps, a computed mask, rows for
// each step, a layer that combines steps.

// CHECK: there is no SDPA and no MultiHeadAttention to give a cache
func.func @none(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %y = ncnn.absval %x {name = "y"} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}

// -----

// CHECK: SDPA 'y' has no mask, so that it is not causal; only attention that hides later steps can have a cache
func.func @encoder(%q: tensor<2x3x2xf32>) -> tensor<2x3x2xf32> {
  %y = ncnn.sdpa %q, %q, %q {name = "y"} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  func.return %y : tensor<2x3x2xf32>
}

// -----

// CHECK: the mask of SDPA 'y', MemoryData 'm', is not causal
func.func @shows(%q: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %m = ncnn.constant {name = "m"} dense<[[0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %y = ncnn.sdpa %q, %q, %q, %m {name = "y", attn_mask = 1} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// -----

// CHECK: the mask of SDPA 'y', AbsVal 'a', is not causal
func.func @computed(%q: tensor<2x2x2xf32>, %m: tensor<2x2xf32>) -> tensor<2x2x2xf32> {
  %a = ncnn.absval %m {name = "a"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = ncnn.sdpa %q, %q, %q, %a {name = "y", attn_mask = 1} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// -----

// CHECK: BinaryOp 'b' reads MemoryData 'p', which has a row for each of 2 steps
func.func @positions(%x: tensor<2x4xf32>, %m: tensor<2x2xf32>) -> tensor<2x2x2xf32> {
  %p = ncnn.constant {name = "p"} dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
  %b = ncnn.binaryop %x, %p {name = "b", op_type = add} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = ncnn.reshape %b {name = "r", w = 2, h = -1, c = 2} : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
  %y = ncnn.sdpa %r, %r, %r, %m {name = "y", attn_mask = 1} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// -----

// CHECK: Softmax 's' may combine steps, which come in different calls
func.func @mixed(%x: tensor<2x4xf32>, %m: tensor<2x2xf32>) -> tensor<2x2x2xf32> {
  %s = ncnn.softmax %x {name = "s", axis = 0} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = ncnn.reshape %s {name = "r", w = 2, h = -1, c = 2} : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
  %y = ncnn.sdpa %r, %r, %r, %m {name = "y", attn_mask = 1} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}
