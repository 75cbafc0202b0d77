// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-deconvolution-with-convolution %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Windows overlap.
func.func @overlap(%x: tensor<1x3x4xf32>) -> tensor<1x7x9xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x1x3x3xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 3, stride_w = 2} : (tensor<1x3x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x7x9xf32>
  func.return %y : tensor<1x7x9xf32>
}

// There are gaps between windows.
func.func @gaps(%x: tensor<1x3x4xf32>) -> tensor<1x8x11xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x1x2x2xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 2, stride_w = 3} : (tensor<1x3x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x8x11xf32>
  func.return %y : tensor<1x8x11xf32>
}

// The elements of a window lie apart.
func.func @dilated(%x: tensor<1x3x4xf32>) -> tensor<1x7x9xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x1x2x2xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 2, dilation_w = 2, stride_w = 2} : (tensor<1x3x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x7x9xf32>
  func.return %y : tensor<1x7x9xf32>
}

// PixelShuffle has one factor for both.
func.func @oblong(%x: tensor<1x3x4xf32>) -> tensor<1x3x8xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x1x1x2xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 2, kernel_h = 1, stride_w = 2, stride_h = 1} : (tensor<1x3x4xf32>, tensor<1x1x1x2xf32>) -> tensor<1x3x8xf32>
  func.return %y : tensor<1x3x8xf32>
}

// Columns are cut off.
func.func @cut(%x: tensor<1x3x4xf32>) -> tensor<1x6x7xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x1x2x2xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 2, stride_w = 2, pad_left = 1, pad_right = 0, pad_top = 0, pad_bottom = 0} : (tensor<1x3x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x6x7xf32>
  func.return %y : tensor<1x6x7xf32>
}

// Rows and columns are added.
func.func @added(%x: tensor<1x3x4xf32>) -> tensor<1x7x9xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x1x2x2xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 2, stride_w = 2, output_pad_right = 1} : (tensor<1x3x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x7x9xf32>
  func.return %y : tensor<1x7x9xf32>
}

// The extents that are wanted decide what is cut off.
func.func @wanted(%x: tensor<1x3x4xf32>) -> tensor<1x5x5xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x1x2x2xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 2, stride_w = 2, pad_left = -233, output_w = 5} : (tensor<1x3x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x5x5xf32>
  func.return %y : tensor<1x5x5xf32>
}

// A convolution of single pixels is none of windows.
func.func @pointwise(%x: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %w = ncnn.constant dense<1.0> : tensor<1x1x1x1xf32>
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 1} : (tensor<1x3x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4xf32>
  func.return %y : tensor<1x3x4xf32>
}

// The weight is a blob of the graph.
func.func @dynamic(%x: tensor<1x3x4xf32>, %w: tensor<1x1x2x2xf32>) -> tensor<1x6x8xf32> {
  %y = ncnn.deconvolution %x weight %w {name = "y", num_output = 1, kernel_w = 2, stride_w = 2} : (tensor<1x3x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x6x8xf32>
  func.return %y : tensor<1x6x8xf32>
}

// Layers in groups are other layers.
func.func @groups(%x: tensor<2x3x4xf32>) -> tensor<2x6x8xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x1x2x2xf32>
  %y = ncnn.deconvolutiondepthwise %x weight %w {name = "y", num_output = 2, kernel_w = 2, stride_w = 2, group = 2} : (tensor<2x3x4xf32>, tensor<2x1x2x2xf32>) -> tensor<2x6x8xf32>
  func.return %y : tensor<2x6x8xf32>
}
