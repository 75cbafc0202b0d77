// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-flatten-after-innerproduct %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Rows in, rows out: two dims become one.
func.func @rows(%x: tensor<3x4xf32>) -> tensor<6xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<3x2xf32>
  %flat = ncnn.flatten %fc {name = "flat"} : (tensor<3x2xf32>) -> tensor<6xf32>
  func.return %flat : tensor<6xf32>
}

// They may be rows.
func.func @unknown(%x: tensor<*xf32>) -> tensor<?xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<*xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  %flat = ncnn.flatten %fc {name = "flat"} : (tensor<*xf32>) -> tensor<?xf32>
  func.return %flat : tensor<?xf32>
}

func.func @gemm(%x: tensor<3x4xf32>, %y: tensor<4x2xf32>) -> tensor<6xf32> {
  %mm = ncnn.matmul %x, %y {name = "mm"} : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %flat = ncnn.flatten %mm {name = "flat"} : (tensor<3x2xf32>) -> tensor<6xf32>
  func.return %flat : tensor<6xf32>
}

// eliminate-identity does that.
func.func @reshape(%x: tensor<4xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  %reshape = ncnn.reshape %fc {name = "reshape", w = -1} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %reshape {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}
