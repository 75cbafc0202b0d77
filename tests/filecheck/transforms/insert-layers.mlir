// RUN: ncnn-opt --insert 'SherpaMetaData meta 0 0 0=2 -23301=2,16,32 2="a  b"' --insert 'Sigmoid s 1 1 a a' --insert 'ReLU r 1 1 x more' %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --insert-layers='lines="Sigmoid s 1 1 a a"' %s | filecheck %s --check-prefix=PASS
// RUN: ncnn-opt --insert 'Sigmoid s 1 1 x x' %s | filecheck %s --check-prefix=INPUT
// RUN: ncnn-opt --insert 'Sigmoid s 1 1 b b' %s | filecheck %s --check-prefix=OUTPUT

// A layer without inputs is the first one. A layer that replaces a blob is read instead of it. An
// output that no layer reads is an output of the model.
// CHECK:      func.func @main(%x: tensor<4xf32> {ncnn.blob = "x"}) -> (tensor<4xf32> {ncnn.blob = "b"}, tensor<4xf32> {ncnn.blob = "more"}) {
// CHECK-NEXT:   ncnn.custom "SherpaMetaData"() {name = "meta", extra = {"0" = 2 : i32, "1" = array<i32: 16, 32>, "2" = "a  b"}} : () -> ()
// CHECK-NEXT:   %more = ncnn.relu %x {name = "r", blobs = ["more"]} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %a = ncnn.absval %x {name = "a", blobs = ["a_before_s"]} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %a_1 = ncnn.sigmoid %a {name = "s", blobs = ["a"]} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %b = ncnn.relu %a_1 {name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %b, %more : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
// PASS: ncnn.sigmoid %a {name = "s", blobs = ["a"]}

// An input keeps its name, an output too.
// INPUT: ncnn.sigmoid %x {name = "s", blobs = ["x_s"]}
// OUTPUT: ncnn.relu %a {name = "b", blobs = ["b_before_s"]}
// OUTPUT-NEXT: ncnn.sigmoid %b {name = "s", blobs = ["b"]}
func.func @main(%x: tensor<4xf32> {ncnn.blob = "x"}) -> (tensor<4xf32> {ncnn.blob = "b"}) {
  %a = ncnn.absval %x {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.relu %a {name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}
