// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --merge-crops %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// How many there are is not certain: the file says it of an input.
func.func @input(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.crop %x {name = "a", starts = [0], ends = [2], axes = [0]} : (tensor<4xf32>) -> tensor<2xf32>
  %b = ncnn.crop %x {name = "b", starts = [2], ends = [4], axes = [0]} : (tensor<4xf32>) -> tensor<2xf32>
  func.return %a, %b : tensor<2xf32>, tensor<2xf32>
}

// With a gap, an overlap, and not to the end.
func.func @not_all(%x: tensor<*xf32>) -> (tensor<1x6xf32>, tensor<1x6xf32>, tensor<2x6xf32>, tensor<3x6xf32>, tensor<2x2xf32>, tensor<2x3xf32>) {
  %y = ncnn.reshape %x {name = "y", w = 6, h = 3, c = 2} : (tensor<*xf32>) -> tensor<2x3x6xf32>
  %z = ncnn.reshape %y {name = "z", w = 6, h = 6} : (tensor<2x3x6xf32>) -> tensor<6x6xf32>
  %a = ncnn.crop %z {name = "a", starts = [0], ends = [1], axes = [0]} : (tensor<6x6xf32>) -> tensor<1x6xf32>
  %b = ncnn.crop %z {name = "b", starts = [2], ends = [3], axes = [0]} : (tensor<6x6xf32>) -> tensor<1x6xf32>
  %c = ncnn.crop %z {name = "c", starts = [2], ends = [4], axes = [0]} : (tensor<6x6xf32>) -> tensor<2x6xf32>
  %d = ncnn.crop %z {name = "d", starts = [3], ends = [6], axes = [0]} : (tensor<6x6xf32>) -> tensor<3x6xf32>
  %w = ncnn.reshape %c {name = "w", w = 3, h = 4} : (tensor<2x6xf32>) -> tensor<4x3xf32>
  %v = ncnn.reshape %w {name = "v", w = 6, h = 2} : (tensor<4x3xf32>) -> tensor<2x6xf32>
  %e = ncnn.crop %v {name = "e", starts = [0], ends = [2], axes = [1]} : (tensor<2x6xf32>) -> tensor<2x2xf32>
  %f = ncnn.crop %v {name = "f", starts = [2], ends = [5], axes = [1]} : (tensor<2x6xf32>) -> tensor<2x3xf32>
  func.return %a, %b, %c, %d, %e, %f : tensor<1x6xf32>, tensor<1x6xf32>, tensor<2x6xf32>, tensor<3x6xf32>, tensor<2x2xf32>, tensor<2x3xf32>
}

// Along two axes, along another one, with another mask, with a parameter that nobody knows.
func.func @others(%x: tensor<*xf32>) -> (tensor<2x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %y = ncnn.reshape %x {name = "y", w = 2, h = 4, c = 2} : (tensor<*xf32>) -> tensor<2x4x2xf32>
  %z = ncnn.reshape %y {name = "z", w = 4, h = 4} : (tensor<2x4x2xf32>) -> tensor<4x4xf32>
  %a = ncnn.crop %z {name = "a", starts = [0, 0], ends = [2, 1], axes = [0, 1]} : (tensor<4x4xf32>) -> tensor<2x1xf32>
  %b = ncnn.crop %z {name = "b", starts = [2], ends = [4], axes = [0]} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %c = ncnn.crop %z {name = "c", starts = [0], ends = [2], axes = [1]} : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %d = ncnn.crop %z {name = "d", starts = [0], ends = [2], axes = [0], featmask = 1} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %e = ncnn.crop %z {name = "e", starts = [0], ends = [2], axes = [0], extra = {"12" = 1 : i32}} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  func.return %a, %b, %c, %d, %e : tensor<2x1xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}
