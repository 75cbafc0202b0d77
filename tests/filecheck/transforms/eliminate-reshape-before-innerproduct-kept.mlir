// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-reshape-before-innerproduct %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Without the Flatten they would be rows.
func.func @rows_before(%x: tensor<1x4xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %flat = ncnn.flatten %x {name = "flat"} : (tensor<1x4xf32>) -> tensor<4xf32>
  %fc = ncnn.innerproduct %flat weight %w {name = "fc", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  func.return %fc : tensor<2xf32>
}

// They are rows because of the Reshape.
func.func @rows_after(%x: tensor<3x2x2xf32>) -> tensor<?x2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %rows = ncnn.reshape %x {name = "rows", w = 4, h = -1} : (tensor<3x2x2xf32>) -> tensor<3x4xf32>
  %fc = ncnn.innerproduct %rows weight %w {name = "fc", num_output = 2} : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<3x2xf32>
  %relu = ncnn.relu %fc {name = "relu"} : (tensor<3x2xf32>) -> tensor<?x2xf32>
  func.return %relu : tensor<?x2xf32>
}

// What is not known may be rows.
func.func @unknown(%x: tensor<*xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %flat = ncnn.flatten %x {name = "flat"} : (tensor<*xf32>) -> tensor<?xf32>
  %fc = ncnn.innerproduct %flat weight %w {name = "fc", num_output = 2} : (tensor<?xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  func.return %fc : tensor<2xf32>
}

// Other columns are no proof: they are those of an input.
func.func @columns_of_an_input(%x: tensor<2x2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %flat = ncnn.flatten %x {name = "flat"} : (tensor<2x2xf32>) -> tensor<4xf32>
  %fc = ncnn.innerproduct %flat weight %w {name = "fc", num_output = 2} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  func.return %fc : tensor<2xf32>
}

// A Permute puts elements elsewhere.
func.func @permute(%x: tensor<1x2x2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x4xf32>
  %permute = ncnn.permute %x {name = "permute", order_type = 1} : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %fc = ncnn.innerproduct %permute weight %w {name = "fc", num_output = 2} : (tensor<1x2x2xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  func.return %fc : tensor<2xf32>
}

// A Gemm does not flatten.
func.func @gemm(%x: tensor<1x2x2xf32>) -> tensor<1x2xf32> {
  %w = ncnn.constant {name = "w"} dense<1.0> : tensor<4x2xf32>
  %row = ncnn.reshape %x {name = "row", w = 4, h = 1} : (tensor<1x2x2xf32>) -> tensor<1x4xf32>
  %mm = ncnn.matmul %row, %w {name = "mm"} : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  func.return %mm : tensor<1x2xf32>
}
