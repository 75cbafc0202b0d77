// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --merge-unaryops %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// What the second one does to values of the first.
func.func @needed(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.unaryop %x {name = "a", op_type = neg} : (tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.unaryop %a {name = "b", op_type = floor} : (tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.unaryop %x {name = "c", op_type = log} : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.absval %c {name = "d"} : (tensor<2xf32>) -> tensor<2xf32>
  %e = ncnn.unaryop %x {name = "e", op_type = abs} : (tensor<2xf32>) -> tensor<2xf32>
  %f = ncnn.unaryop %e {name = "f", op_type = neg} : (tensor<2xf32>) -> tensor<2xf32>
  %g = ncnn.unaryop %x {name = "g", op_type = reciprocal} : (tensor<2xf32>) -> tensor<2xf32>
  %h = ncnn.unaryop %g {name = "h", op_type = reciprocal} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %b, %d, %f, %h : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

func.func @products(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.unaryop %y {name = "a", op_type = neg} : (tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.binaryop %x, %a {name = "b", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.binaryop %a, %x {name = "c", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.binaryop %a {name = "d", op_type = sub, with_scalar = 1, b = 1.0} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %b, %c, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// An input that is an output under another name; parameters that nobody knows.
func.func @apart(%x: tensor<2xf32> {ncnn.blob = "data"}, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c = ncnn.unaryop %x {name = "c", op_type = floor, extra = {"9" = 1 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.unaryop %c {name = "d", op_type = floor} : (tensor<2xf32>) -> tensor<2xf32>
  %e = ncnn.unaryop %x {name = "e", op_type = neg, extra = {"9" = 1 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  %f = ncnn.binaryop %y, %e {name = "f", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %g = ncnn.unaryop %x {name = "g", op_type = neg} : (tensor<2xf32>) -> tensor<2xf32>
  %h = ncnn.binaryop %y, %g {name = "h", op_type = add, extra = {"9" = 1 : i32}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %d, %f, %h : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
