// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt -p 'insert-quantization{table="%S/Inputs/kept.table"}' %s | diff %t.before -
// RUN: ncnn-opt -p 'insert-quantization{table="%S/Inputs/kept.table"}' --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Nothing here may change.

func.func @main(%data: tensor<1x4x4xf32>, %v: tensor<1xf32>, %u: tensor<*xf32>) -> (tensor<1x4x4xf32>, tensor<1xf32>) {
  %one = ncnn.constant dense<1.0> : tensor<1x1x1x1xf32>
  %weight = ncnn.constant {name = "weight"} dense<1.0> : tensor<1x1x1x1xf32>

  // The runtime takes a vector for an image of one channel in int8.
  // REMARK: remark: insert-quantization: Convolution 'vector' (stays float: its input may not have 3 dims, and the runtime's int8 code needs 3)
  %vector = ncnn.convolution %v weight %one {name = "vector", num_output = 1, kernel_w = 1} : (tensor<1xf32>, tensor<1x1x1x1xf32>) -> tensor<1xf32>

  // The runtime pads the rounded blob, with the integer 2.
  // REMARK-NEXT: remark: insert-quantization: Convolution 'padded' (stays float: its padding 2 would be an int8 value in the runtime)
  %padded = ncnn.convolution %data weight %one {name = "padded", num_output = 1, kernel_w = 1, pad_left = 1, pad_value = 2.0} : (tensor<1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x6xf32>

  // REMARK-NEXT: remark: insert-quantization: Convolution 'dynamic' (stays float: its weights are not float constants used by this layer only)
  %dynamic = ncnn.convolution %data weight %weight {name = "dynamic", num_output = 1, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4xf32>

  // REMARK-NEXT: remark: insert-quantization: Convolution 'dead' (stays float: its input was always 0 when the scales were taken)
  %dead = ncnn.convolution %data weight %one {name = "dead", num_output = 1, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4xf32>

  // REMARK-NEXT: remark: insert-quantization: Convolution 'large' (stays float: a float32 does not hold 1 / (the scales of channel 0))
  %large = ncnn.convolution %data weight %one {name = "large", num_output = 1, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4xf32>

  // REMARK-NEXT: remark: insert-quantization: Convolution 'small' (stays float: a float32 does not hold 1 / (the scales of channel 0))
  %small = ncnn.convolution %data weight %one {name = "small", num_output = 1, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4xf32>

  // REMARK-NEXT: remark: insert-quantization: Convolution 'weight_only' (stays float: the table has no scale for its input)
  %weight_only = ncnn.convolution %data weight %one {name = "weight_only", num_output = 1, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4xf32>

  // REMARK-NEXT: remark: insert-quantization: Convolution 'absent' (stays float: the table has no scale for its input)
  %absent = ncnn.convolution %data weight %one {name = "absent", num_output = 1, kernel_w = 1} : (tensor<1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4xf32>

  // REMARK-NEXT: remark: insert-quantization: PReLU 'prelu' (stays as it is: such a layer has no static int8)
  %slope = ncnn.constant dense<0.5> : tensor<1xf32>
  %prelu = ncnn.prelu %absent slope %slope {name = "prelu"} : (tensor<1x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>

  func.return %prelu, %vector : tensor<1x4x4xf32>, tensor<1xf32>
}
