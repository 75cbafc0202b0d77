// RUN: ncnn-opt --fold-constants %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --canonicalize %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --fold-constants --remarks %s 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK --match-full-lines
// RUN: ncnn-opt --fold-constants --fold-constants %s | filecheck %s --match-full-lines

// A chain: each step has the name of its layer, and what nothing uses is gone.
// REMARK:      remark: fold-constants: UnaryOp 'root'
// REMARK-NEXT: remark: fold-constants: Reshape 'column'
// REMARK-NEXT: remark: fold-constants: BinaryOp 'table'
// CHECK:      func.func @chain(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %table = ncnn.constant {name = "table", blobs = ["shift"]} dense<{{\[\[}}2.000000e+00, 3.000000e+00, 4.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT:   %sum = ncnn.binaryop %x, %table {name = "sum", op_type = add} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %sum : tensor<2x3xf32>
func.func @chain(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = ncnn.constant {name = "a"} dense<[1.0, 4.0]> : tensor<2xf32>
  %b = ncnn.constant {name = "b"} dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %root = ncnn.unaryop %a {name = "root", op_type = sqrt} : (tensor<2xf32>) -> tensor<2xf32>
  %column = ncnn.reshape %root {name = "column", w = 1, h = 2} : (tensor<2xf32>) -> tensor<2x1xf32>
  %table = ncnn.binaryop %column, %b {name = "table", blobs = ["shift"], op_type = add} : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %sum = ncnn.binaryop %x, %table {name = "sum", op_type = add} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %sum : tensor<2x3xf32>
}

// Several blobs, one of which nobody needs; a type that was not known.
// CHECK:      func.func @pieces(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %right = ncnn.constant {name = "right"} dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %max = ncnn.binaryop %x, %right {name = "max", op_type = max} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @pieces(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = ncnn.constant {name = "c"} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %left, %right = ncnn.slice %c {name = "halves", blobs = ["left", "right"], slices = [-233, -233]} : (tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  %max = ncnn.binaryop %x, %right {name = "max", op_type = max} : (tensor<2xf32>, tensor<*xf32>) -> tensor<2xf32>
  func.return %max : tensor<2xf32>
}

// float16 is read as the runtime reads it; a layer with weights; an output.
// CHECK:      func.func @product(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
// CHECK-NEXT:   %fc = ncnn.constant {name = "fc"} dense<[1.150000e+01]> : tensor<1xf32>
// CHECK-NEXT:   func.return %x, %fc : tensor<1xf32>, tensor<1xf32>
func.func @product(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %c = ncnn.constant {name = "c", load_type = 0} dense<[1.0, 2.0]> : tensor<2xf16>
  %w = ncnn.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %b = ncnn.constant dense<[0.5]> : tensor<1xf32>
  %fc = ncnn.innerproduct %c weight %w bias %b {name = "fc", num_output = 1} : (tensor<2xf16>, tensor<1x2xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %x, %fc : tensor<1xf32>, tensor<1xf32>
}

// What the file stores as float16, the runtime has as float32: an output, too.
// CHECK:      func.func @half_output() -> tensor<2xf32> {
// CHECK-NEXT:   %abs = ncnn.constant {name = "abs"} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   func.return %abs : tensor<2xf32>
func.func @half_output() -> tensor<2xf16> {
  %c = ncnn.constant {name = "c", load_type = 0} dense<[-1.0, 2.0]> : tensor<2xf16>
  %abs = ncnn.absval %c {name = "abs"} : (tensor<2xf16>) -> tensor<2xf16>
  func.return %abs : tensor<2xf16>
}
