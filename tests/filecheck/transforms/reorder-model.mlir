// RUN: ncnn-opt --inputs mask,data --outputs c,b,a %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --reorder-model="inputs=mask,data outputs=c,b,a" %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --inputs mask,data --outputs c,b,a %s > %t.once
// RUN: ncnn-opt --inputs mask,data --outputs c,b,a %t.once | diff %t.once -
// RUN: ncnn-opt --inputs mask,data --outputs a,b,c %s | filecheck %s --check-prefix=KEPT
// RUN: ncnn-opt --inputs data+mask %s | filecheck %s --check-prefix=MERGED

// The layer of `b` moves to the end. A layer reads `a`, so a Noop writes the output.
// CHECK:      func.func @main(%mask: tensor<4xf32> {ncnn.blob = "mask"}, %data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "c"}, tensor<4xf32> {ncnn.blob = "b"}, tensor<4xf32> {ncnn.blob = "a"}) {
// CHECK-NEXT:   %a = ncnn.absval %data {name = "a", blobs = ["a_noop"]} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %c = ncnn.binaryop %a, %mask {name = "c", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %b = ncnn.relu %a {name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %a_1 = ncnn.noop %a {name = "a_1", blobs = ["a"]} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %c, %b, %a_1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }

// Layers that are in order stay where they are.
// KEPT: %a = ncnn.absval %data {name = "a"}
// KEPT-NEXT: %b = ncnn.relu
// KEPT-NEXT: %c = ncnn.binaryop

// MERGED: func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}, %mask: tensor<4xf32> {ncnn.blob = "mask", ncnn.layer = "data"})
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}, %mask: tensor<4xf32> {ncnn.blob = "mask"}) -> (tensor<4xf32> {ncnn.blob = "a"}, tensor<4xf32> {ncnn.blob = "b"}, tensor<4xf32> {ncnn.blob = "c"}) {
  %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.relu %a {name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
  %c = ncnn.binaryop %a, %mask {name = "c", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
