// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-memorydata-binaryop %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// More than one element.
func.func @two_elements(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "c"} dense<[2.0, 3.0]> : tensor<2xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = sub} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// One element, but the output has the constant's three dims.
func.func @more_dims(%x: tensor<3xf32>) -> tensor<1x1x3xf32> {
  %c = ncnn.constant {name = "c"} dense<2.0> : tensor<1x1x1xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = mul} : (tensor<3xf32>, tensor<1x1x1xf32>) -> tensor<1x1x3xf32>
  func.return %y : tensor<1x1x3xf32>
}

// It may have.
func.func @perhaps_more_dims(%x: tensor<*xf32>) -> tensor<*xf32> {
  %c = ncnn.constant {name = "c"} dense<2.0> : tensor<1x1xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = mul} : (tensor<*xf32>, tensor<1x1xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// No constant.
func.func @blob(%x: tensor<2x3xf32>, %c: tensor<1xf32>) -> tensor<2x3xf32> {
  %y = ncnn.binaryop %x, %c {name = "y", op_type = sub} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Two constants: that is for fold-constants.
func.func @both() -> tensor<1xf32> {
  %c = ncnn.constant {name = "c"} dense<2.0> : tensor<1xf32>
  %d = ncnn.constant {name = "d"} dense<3.0> : tensor<1xf32>
  %y = ncnn.binaryop %c, %d {name = "y", op_type = sub} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %y : tensor<1xf32>
}

// ncnn's text has no infinity.
func.func @infinite(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "c"} dense<"0x0000807F"> : tensor<1xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = min} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Bytes are no floats.
func.func @integer(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "c", load_type = 0} dense<2> : tensor<1xi8>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = add} : (tensor<2x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// There is no value.
func.func @elided(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "c"} #ncnn.elided : tensor<1xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = add} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A parameter of which nothing is known.
func.func @unknown_parameter(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = ncnn.constant {name = "c"} dense<2.0> : tensor<1xf32>
  %y = ncnn.binaryop %x, %c {name = "y", op_type = add, extra = {"27" = 5 : i32}} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
