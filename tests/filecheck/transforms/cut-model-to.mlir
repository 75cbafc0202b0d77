// RUN: ncnn-opt --split-input-file --cut-to=last %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --split-input-file --cut-to=last %s > %t.once
// RUN: ncnn-opt --split-input-file --cut-model=to=last %s | diff %t.once -
// RUN: ncnn-opt --split-input-file --cut-to=last %t.once | diff %t.once -
// RUN: ncnn-opt --split-input-file --cut-to=last --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// All that the layer needs, from the inputs on: those that it does not need are gone.
// REMARK: remark: cut-model: last (2 of 4 layers; inputs: data; outputs: last)
// CHECK-LABEL: func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "last"}) {
// CHECK-NEXT:   %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %last = ncnn.exp %a {name = "last"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %last : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%unread: tensor<4xf32> {ncnn.blob = "unread"}, %data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "out"}) {
  %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.binaryop %a, %unread {name = "b", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %last = ncnn.exp %a {name = "last"} : (tensor<4xf32>) -> tensor<4xf32>
  %out = ncnn.binaryop %last, %b {name = "out", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %out : tensor<4xf32>
}

// -----

// Up to a Split: all its blobs are outputs, also those that a layer read.
// REMARK-NEXT: remark: cut-model: last (1 of 2 layers; inputs: data; outputs: split1, split0)
// CHECK-LABEL: func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "split1"}, tensor<4xf32> {ncnn.blob = "split0"}) {
// CHECK-NEXT:   %split0, %split1 = ncnn.split %data {name = "last", blobs = ["split0", "split1"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:   func.return %split1, %split0 : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "out"}, tensor<4xf32> {ncnn.blob = "split1"}) {
  %split0, %split1 = ncnn.split %data {name = "last", blobs = ["split0", "split1"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %out = ncnn.relu %split0 {name = "out"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %out, %split1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The last layer is an output of the model already, under a name of its own.
// REMARK-NEXT: remark: cut-model: last (1 of 1 layers; inputs: data; outputs: out)
// CHECK-LABEL: func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "out"}) {
// CHECK-NEXT:   %last = ncnn.exp %data {name = "last"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %last : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "out"}) {
  %last = ncnn.exp %data {name = "last"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %last : tensor<4xf32>
}
