// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --merge-concats %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

func.func @other_axis(%x: tensor<2x2xf32>) -> tensor<4x4xf32> {
  %a = ncnn.concat %x, %x {name = "a", axis = 1} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %b = ncnn.concat %x, %x {name = "b", axis = 1} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %all = ncnn.concat %a, %b {name = "all"} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return %all : tensor<4x4xf32>
}

// Of how many dims nobody knows.
func.func @perhaps_other_axis(%x: tensor<*xf32>) -> tensor<*xf32> {
  %a = ncnn.concat %x, %x {name = "a", axis = 1} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %b = ncnn.concat %a, %x {name = "b", axis = -1} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  func.return %b : tensor<*xf32>
}

// The inner one is read twice, or an output.
func.func @read_twice(%x: tensor<2xf32>) -> (tensor<8xf32>, tensor<6xf32>, tensor<4xf32>) {
  %a = ncnn.concat %x, %x {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %b = ncnn.concat %a, %a {name = "b"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %c = ncnn.concat %x, %x {name = "c"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %d = ncnn.concat %c, %x {name = "d"} : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
  func.return %b, %d, %c : tensor<8xf32>, tensor<6xf32>, tensor<4xf32>
}

// Feature masks, and a parameter that nobody knows.
func.func @apart(%x: tensor<2xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %a = ncnn.concat %x, %x {name = "a", featmask = 1} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %b = ncnn.concat %a, %x {name = "b"} : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
  %c = ncnn.concat %x, %x {name = "c", extra = {"9" = 1 : i32}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %d = ncnn.concat %c, %x {name = "d"} : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
  func.return %b, %d : tensor<6xf32>, tensor<6xf32>
}
