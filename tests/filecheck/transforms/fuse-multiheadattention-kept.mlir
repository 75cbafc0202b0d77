// RUN: ncnn-opt --tune none %s > %t.before
// RUN: ncnn-opt --tune none --fuse-multiheadattention %s | diff %t.before -

// So short a sequence is left as it is, unless the model is made for no processor.
// RUN: ncnn-opt --tune none --fuse-multiheadattention %S/fuse-multiheadattention.mlir | filecheck %s --check-prefix=ANY
// RUN: ncnn-opt %S/fuse-multiheadattention.mlir > %t.short
// RUN: ncnn-opt --fuse-multiheadattention %S/fuse-multiheadattention.mlir | diff %t.short -
// RUN: ncnn-opt --tune x86 --fuse-multiheadattention %S/fuse-multiheadattention.mlir | filecheck %s --check-prefix=X86
// RUN: ncnn-opt --tune arm --fuse-multiheadattention %S/fuse-multiheadattention.mlir | filecheck %s --check-prefix=ANY
// ANY:     ncnn.multiheadattention
// X86-NOT: ncnn.multiheadattention

// Nothing here may change. Each function is one that does, but for one thing.

// Somebody else reads what is cut.
func.func @reader(%in: tensor<6xf32>) -> (tensor<3x2xf32>, tensor<2x3x3xf32>) {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
  %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %z = ncnn.absval %p {name = "z"} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %o, %z : tensor<3x2xf32>, tensor<2x3x3xf32>
}

// The heads are an output.
func.func @output(%in: tensor<6xf32>) -> (tensor<3x2xf32>, tensor<2x3x1xf32>) {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
  %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %o, %y : tensor<3x2xf32>, tensor<2x3x1xf32>
}

// A factor, which a MultiHeadAttention has not.
func.func @factor(%in: tensor<6xf32>) -> tensor<3x2xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", alpha = 2.0, transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
  %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %o : tensor<3x2xf32>
}

// Rows are heads behind it.
func.func @heads_are_steps(%in: tensor<6xf32>) -> tensor<3x2xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
  %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 0} : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<2x3x1xf32>) -> tensor<3x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %o : tensor<3x2xf32>
}

// How many heads there are follows from the size of the input.
func.func @steps_are_not_certain(%in: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %x = ncnn.relu %in {name = "x"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = -1, c = 3} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
  %y = ncnn.sdpa %q, %k, %v {name = "y"} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %o : tensor<3x2xf32>
}

// A layer that the runtime is told to treat otherwise.
func.func @another_feature_mask(%in: tensor<6xf32>) -> tensor<3x2xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 3} : (tensor<6xf32>) -> tensor<3x2xf32>
  %w = ncnn.constant dense<[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0], [30.0, 31.0], [40.0, 41.0], [50.0, 51.0]]> : tensor<6x2xf32>
  %g = ncnn.gemm %x B %w {name = "g", transB = 1, constantB = 1, constantN = 6, constantK = 2} : (tensor<3x2xf32>, tensor<6x2xf32>) -> tensor<3x6xf32>
  %r = ncnn.reshape %g {name = "r", w = 3, h = 2, c = -1} : (tensor<3x6xf32>) -> tensor<3x2x3xf32>
  %p = ncnn.permute %r {name = "p", order_type = 2} : (tensor<3x2x3xf32>) -> tensor<2x3x3xf32>
  %q, %k, %v = ncnn.slice %p {name = "s", slices = [-233, -233, -233], axis = 2} : (tensor<2x3x3xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>)
  %y = ncnn.sdpa %q, %k, %v {name = "y", featmask = 1} : (tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %t = ncnn.permute %y {name = "t", order_type = 2} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
  %u = ncnn.reshape %t {name = "u", w = 2, h = -1} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
  %wo = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %o = ncnn.gemm %u B %wo {name = "o", constantB = 1, constantN = 2, constantK = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %o : tensor<3x2xf32>
}

