// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --merge-permutes %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Orders from 6 on are known for 4 dims only, others mean something else for each.
func.func @unknown_dims(%x: tensor<*xf32>) -> tensor<*xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %softmax = ncnn.softmax %a {name = "softmax"} : (tensor<*xf32>) -> tensor<*xf32>
  %b = ncnn.permute %softmax {name = "b", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %b : tensor<*xf32>
}

// No order of a blob with 2 dims: the runtime fails.
func.func @no_order(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %b = ncnn.permute %a {name = "b", order_type = 5} : (tensor<3x2xf32>) -> tensor<*xf32>
  func.return %b : tensor<*xf32>
}

// The blob between has another reader, or is an output.
func.func @second_reader(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {
  %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %b = ncnn.permute %a {name = "b", order_type = 1} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %relu = ncnn.relu %a {name = "relu"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %b, %relu : tensor<2x3xf32>, tensor<3x2xf32>
}

func.func @output_between(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {
  %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %relu = ncnn.relu %a {name = "relu"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %b = ncnn.permute %relu {name = "b", order_type = 1} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %b, %relu : tensor<2x3xf32>, tensor<3x2xf32>
}

// Layers between that see rows.
func.func @batchnorm_between(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %v = ncnn.constant dense<1.0> : tensor<2xf32>
  %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %bn = ncnn.batchnorm %a slope %v mean %v var %v bias %v {name = "bn"} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %b = ncnn.permute %bn {name = "b", order_type = 1} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %b : tensor<2x2xf32>
}

func.func @reshape_between(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %reshape = ncnn.reshape %a {name = "reshape", w = 4, h = 2} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %b = ncnn.permute %reshape {name = "b", order_type = 1} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return %b : tensor<4x2xf32>
}

// Nobody knows what it means.
func.func @unknown_parameter(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 1, extra = {"9" = 1 : i32}} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %b = ncnn.permute %a {name = "b", order_type = 1} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %b : tensor<2x3xf32>
}

// The order of two axes within channels: wrong on Vulkan in float16 where 4 divides the channels and the plane is odd.
func.func @odd_plane(%x: tensor<8x5x7xf32>) -> tensor<8x7x5xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 4} : (tensor<8x5x7xf32>) -> tensor<7x8x5xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<7x8x5xf32>) -> tensor<8x7x5xf32>
  func.return %b : tensor<8x7x5xf32>
}

func.func @unknown_plane(%x: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 4} : (tensor<8x?x?xf32>) -> tensor<?x8x?xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<?x8x?xf32>) -> tensor<8x?x?xf32>
  func.return %b : tensor<8x?x?xf32>
}
