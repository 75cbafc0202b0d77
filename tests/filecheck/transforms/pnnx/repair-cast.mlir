// RUN: ncnn-opt --repair-cast %s | filecheck %s
// RUN: ncnn-opt --repair-cast --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: repair-cast: aten::to 'to'

// The arguments of the operator go: constants of PNNX, and the Split between.
// CHECK-LABEL: func.func @arguments
// CHECK-NEXT:   %p = ncnn.softmax
// CHECK-NEXT:   %y = ncnn.gelu %p {name = "y"}
// CHECK-NEXT:   func.return %y
func.func @arguments(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %p = ncnn.softmax %x {name = "p", axis = 1, fixbug0 = 1} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = ncnn.custom "pnnx.Expression"() {name = "e1"} : () -> tensor<*xf32>
  %b = ncnn.custom "pnnx.Expression"() {name = "e2"} : () -> tensor<*xf32>
  %c, %d = ncnn.split %b {name = "s", blobs = ["c", "d"]} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  %t = ncnn.custom "aten::to"(%p, %a, %c, %d) {name = "to"} : (tensor<4x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.gelu %t {name = "y"} : (tensor<*xf32>) -> tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}

// Readers behind a Split and a Permute.
// CHECK-LABEL: func.func @readers
// CHECK-NEXT:   %p = ncnn.sigmoid
// CHECK-NEXT:   %a, %b = ncnn.split %p
// CHECK-NOT: aten::to
func.func @readers(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  %p = ncnn.sigmoid %x {name = "p"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = ncnn.custom "aten::to"(%p) {name = "to"} : (tensor<4x8xf32>) -> tensor<*xf32>
  %a, %b = ncnn.split %t {name = "s", blobs = ["a", "b"]} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  %y = ncnn.gelu %a {name = "y"} : (tensor<*xf32>) -> tensor<4x8xf32>
  %q = ncnn.permute %b {name = "q", order_type = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.softmax %q {name = "z", axis = 1, fixbug0 = 1} : (tensor<*xf32>) -> tensor<8x4xf32>
  func.return %y, %z : tensor<4x8xf32>, tensor<8x4xf32>
}

// By its name a cast to a float.
// CHECK-LABEL: func.func @named
// CHECK-NEXT:   %y = ncnn.relu %x {name = "y"}
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = ncnn.custom "Tensor.float"(%x) {name = "t"} : (tensor<4xf32>) -> tensor<*xf32>
  %y = ncnn.relu %t {name = "y"} : (tensor<*xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
