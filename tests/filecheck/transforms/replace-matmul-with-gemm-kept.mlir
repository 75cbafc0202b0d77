// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-matmul-with-gemm %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// How many dims the blob has is not certain.
func.func @dims(%x: tensor<*xf32>) -> tensor<*xf32> {
  %w = ncnn.constant {name = "w"} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// The constant is two matrices.
func.func @several(%x: tensor<?x2xf32>) -> tensor<2x?x1xf32> {
  %w = ncnn.constant {name = "w"} dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<?x2xf32>, tensor<2x2x1xf32>) -> tensor<2x?x1xf32>
  func.return %y : tensor<2x?x1xf32>
}

// Several matrices are to the right of the constant.
func.func @left(%in: tensor<*xf32>) -> tensor<?x1x2xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 2, c = -1} : (tensor<*xf32>) -> tensor<?x2x2xf32>
  %w = ncnn.constant {name = "w"} dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %y = ncnn.matmul %w, %x {name = "y"} : (tensor<1x2xf32>, tensor<?x2x2xf32>) -> tensor<?x1x2xf32>
  func.return %y : tensor<?x1x2xf32>
}

// Two matrices only: two Reshapes take as long.
func.func @few(%in: tensor<*xf32>) -> tensor<2x4x1xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 4, c = 2} : (tensor<*xf32>) -> tensor<2x4x2xf32>
  %w = ncnn.constant {name = "w"} dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<2x4x2xf32>, tensor<2x1xf32>) -> tensor<2x4x1xf32>
  func.return %y : tensor<2x4x1xf32>
}

// Large ones: Reshapes would move more than is gained.
func.func @large(%in: tensor<*xf32>) -> tensor<?x4000x1xf32> {
  %x = ncnn.reshape %in {name = "x", w = 2, h = 4000, c = -1} : (tensor<*xf32>) -> tensor<?x4000x2xf32>
  %w = ncnn.constant {name = "w"} dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<?x4000x2xf32>, tensor<2x1xf32>) -> tensor<?x4000x1xf32>
  func.return %y : tensor<?x4000x1xf32>
}

// Of any number of rows: they may be large.
func.func @any(%x: tensor<?x?x2xf32>) -> tensor<?x?x1xf32> {
  %w = ncnn.constant {name = "w"} dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<?x?x2xf32>, tensor<2x1xf32>) -> tensor<?x?x1xf32>
  func.return %y : tensor<?x?x1xf32>
}

// Float16 does not hold the weight that an InnerProduct would have.
func.func @precision(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant {name = "w"} dense<[[1.0e6, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// The runtime is told to compute it otherwise.
func.func @mask(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w = ncnn.constant {name = "w"} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = ncnn.matmul %x, %w {name = "y", featmask = 1} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// What is multiplied is a blob.
func.func @blobs(%x: tensor<?x2xf32>, %w: tensor<2x2xf32>) -> tensor<?x2xf32> {
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// A large constant that somebody else reads: it would be there twice.
func.func @shared(%x: tensor<?x33xf32>) -> (tensor<?x33xf32>, tensor<33x33xf32>) {
  %w = ncnn.constant {name = "w"} dense<1.0> : tensor<33x33xf32>
  %y = ncnn.matmul %x, %w {name = "y"} : (tensor<?x33xf32>, tensor<33x33xf32>) -> tensor<?x33xf32>
  %z = ncnn.absval %w {name = "z"} : (tensor<33x33xf32>) -> tensor<33x33xf32>
  func.return %y, %z : tensor<?x33xf32>, tensor<33x33xf32>
}
