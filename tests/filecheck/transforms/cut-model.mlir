// RUN: ncnn-opt --split-input-file --cut-from first --cut-to last %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --split-input-file --cut-from first --cut-to last %s > %t.once
// RUN: ncnn-opt --split-input-file --cut-model="from=first to=last" %s | diff %t.once -
// RUN: ncnn-opt --split-input-file --cut-from first --cut-to last %t.once | diff %t.once -
// RUN: ncnn-opt --split-input-file --cut-from first --cut-to last --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// What is before and after is gone, with its weights. Names and types are what they were.
// REMARK: remark: cut-model: first, last (2 of 4 layers; inputs: blob_before; outputs: blob_last)
// CHECK-LABEL: func.func @main(%before: tensor<8x4x4xf32> {ncnn.blob = "blob_before"}) -> (tensor<4x4x4xf32> {ncnn.blob = "blob_last"}) {
// CHECK-NEXT:   %w1 = ncnn.constant #ncnn.elided : tensor<4x8x1x1xf32>
// CHECK-NEXT:   %first = ncnn.convolution %before weight %w1 {name = "first", num_output = 4, kernel_w = 1} : (tensor<8x4x4xf32>, tensor<4x8x1x1xf32>) -> tensor<4x4x4xf32>
// CHECK-NEXT:   %last = ncnn.relu %first {name = "last", blobs = ["blob_last"]} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
// CHECK-NEXT:   func.return %last : tensor<4x4x4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<2x4x4xf32> {ncnn.blob = "data"}) -> (tensor<1x4x4xf32> {ncnn.blob = "prob"}) {
  %w0 = ncnn.constant #ncnn.elided : tensor<8x2x1x1xf32>
  %before = ncnn.convolution %data weight %w0 {name = "before", blobs = ["blob_before"], num_output = 8, kernel_w = 1} : (tensor<2x4x4xf32>, tensor<8x2x1x1xf32>) -> tensor<8x4x4xf32>
  %w1 = ncnn.constant #ncnn.elided : tensor<4x8x1x1xf32>
  %first = ncnn.convolution %before weight %w1 {name = "first", num_output = 4, kernel_w = 1} : (tensor<8x4x4xf32>, tensor<4x8x1x1xf32>) -> tensor<4x4x4xf32>
  %last = ncnn.relu %first {name = "last", blobs = ["blob_last"]} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %w2 = ncnn.constant #ncnn.elided : tensor<1x4x1x1xf32>
  %prob = ncnn.convolution %last weight %w2 {name = "after", blobs = ["prob"], num_output = 1, kernel_w = 1} : (tensor<4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4xf32>
  func.return %prob : tensor<1x4x4xf32>
}

// -----

// A second way into the part is a second input. What leaves it on a side way is not needed.
// REMARK-NEXT: remark: cut-model: first, last (2 of 6 layers; inputs: a, b; outputs: last)
// CHECK-LABEL: func.func @main(%a: tensor<4xf32> {ncnn.blob = "a"}, %b: tensor<4xf32> {ncnn.blob = "b"}) -> (tensor<4xf32> {ncnn.blob = "last"}) {
// CHECK-NEXT:   %first = ncnn.relu %b {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %last = ncnn.binaryop %first, %a {name = "last", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %last : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "out"}, tensor<4xf32> {ncnn.blob = "side"}) {
  %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.exp %a {name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
  %first = ncnn.relu %b {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
  %side = ncnn.relu %first {name = "side"} : (tensor<4xf32>) -> tensor<4xf32>
  %last = ncnn.binaryop %first, %a {name = "last", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %out = ncnn.relu %last {name = "out"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %out, %side : tensor<4xf32>, tensor<4xf32>
}

// -----

// The Split at the way in is looked through: both ways are one input. The one inside loses what
// nobody reads, that of two outputs altogether.
// REMARK-NEXT: remark: cut-model: first, last (4 of 8 layers; inputs: a; outputs: last)
// CHECK-LABEL: func.func @main(%a: tensor<4xf32> {ncnn.blob = "a"}) -> (tensor<4xf32> {ncnn.blob = "last"}) {
// CHECK-NEXT:   %first = ncnn.relu %a {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %f0, %f2 = ncnn.split %first {name = "split_f", blobs = ["f0", "f2"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:   %sum = ncnn.eltwise %f0, %a, %f2 {name = "sum", op_type = sum} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %last = ncnn.relu %sum {name = "last"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %last : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "out"}) {
  %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %a0, %a1 = ncnn.split %a {name = "split_a", blobs = ["a0", "a1"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %first = ncnn.relu %a0 {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
  %f0, %f1, %f2 = ncnn.split %first {name = "split_f", blobs = ["f0", "f1", "f2"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %sum = ncnn.eltwise %f0, %a1, %f2 {name = "sum", op_type = sum} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s0, %s1 = ncnn.split %sum {name = "split_s", blobs = ["s0", "s1"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %last = ncnn.relu %s1 {name = "last"} : (tensor<4xf32>) -> tensor<4xf32>
  %out = ncnn.eltwise %last, %s0, %f1 {name = "out"} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %out : tensor<4xf32>
}

// -----

// Constants are no inputs: MemoryData that others read too, what is made of it, and a Split of it.
// REMARK-NEXT: remark: cut-model: first, last (4 of 9 layers; inputs: b; outputs: last)
// CHECK-LABEL: func.func @main(%b: tensor<4xf32> {ncnn.blob = "b"}) -> (tensor<4xf32> {ncnn.blob = "last"}) {
// CHECK-NEXT:   %memory = ncnn.constant {name = "memory"} dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT:   %exp = ncnn.exp %memory {name = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %first = ncnn.binaryop %b, %exp {name = "first", op_type = mul} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %last = ncnn.relu %first {name = "last"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %last : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "out"}, tensor<4xf32> {ncnn.blob = "memory"}) {
  %memory = ncnn.constant {name = "memory"} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %m0, %m1 = ncnn.split %memory {name = "split_m", blobs = ["m0", "m1"]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %unread = ncnn.constant {name = "unread"} dense<0.0> : tensor<4xf32>
  %exp = ncnn.exp %m1 {name = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  %a = ncnn.binaryop %data, %m0 {name = "a", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.binaryop %a, %unread {name = "b", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %first = ncnn.binaryop %b, %exp {name = "first", op_type = mul} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %last = ncnn.relu %first {name = "last"} : (tensor<4xf32>) -> tensor<4xf32>
  %out = ncnn.relu %last {name = "out"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %out, %memory : tensor<4xf32>, tensor<4xf32>
}

// -----

// Other layers give all that they make; an output of the model stays one, under its name.
// REMARK-NEXT: remark: cut-model: first, last (3 of 5 layers; inputs: a; outputs: alias, right, last)
// CHECK-LABEL: func.func @main(%a: tensor<4xf32> {ncnn.blob = "a"}) -> (tensor<4xf32> {ncnn.blob = "alias"}, tensor<2xf32> {ncnn.blob = "right"}, tensor<2xf32> {ncnn.blob = "last"}) {
// CHECK-NEXT:   %first = ncnn.relu %a {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %left, %right = ncnn.slice %first {name = "slice", blobs = ["left", "right"], slices = [2, -233]} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// CHECK-NEXT:   %last = ncnn.relu %left {name = "last"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %first, %right, %last : tensor<4xf32>, tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "out"}, tensor<4xf32> {ncnn.blob = "alias"}) {
  %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %first = ncnn.relu %a {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
  %left, %right = ncnn.slice %first {name = "slice", blobs = ["left", "right"], slices = [2, -233]} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %last = ncnn.relu %left {name = "last"} : (tensor<2xf32>) -> tensor<2xf32>
  %out = ncnn.concat %last, %right {name = "out"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return %out, %first : tensor<4xf32>, tensor<4xf32>
}

// -----

// An input of the model stays one, with all that is known about it. Of an Input layer in the middle
// of the file the blob that is read stays. Which blobs have several readers is said for those that
// are left and still have.
// REMARK-NEXT: remark: cut-model: first, last (3 of 7 layers; inputs: data, in1, b, c; outputs: last)
// CHECK-LABEL: func.func @main(%data: tensor<4xf32> {ncnn.blob = "data", ncnn.layer = "input"}, %in1: tensor<4xf32> {ncnn.blob = "in1"}, %b: tensor<4xf32> {ncnn.blob = "b"}, %c: tensor<4xf32> {ncnn.blob = "c"}) -> (tensor<4xf32> {ncnn.blob = "last"}) attributes {ncnn.shared_blobs = ["first"]} {
// CHECK-NEXT:   %m1 = ncnn.input %in1 {name = "middle", blobs = ["in1"], w = 4} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %first = ncnn.eltwise %b, %c, %m1 {name = "first", op_type = prod} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %d = ncnn.binaryop %first, %data {name = "d", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %last = ncnn.binaryop %first, %d {name = "last", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %last : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%other: tensor<4xf32> {ncnn.blob = "other"}, %data: tensor<4xf32> {ncnn.blob = "data", ncnn.layer = "input"}, %in0: tensor<4xf32> {ncnn.blob = "in0"}, %in1: tensor<4xf32> {ncnn.blob = "in1"}) -> (tensor<4xf32> {ncnn.blob = "out"}) attributes {ncnn.shared_blobs = ["a", "data", "first"]} {
  %a = ncnn.binaryop %data, %other {name = "a", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.absval %a {name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
  %m0, %m1 = ncnn.input %in0, %in1 {name = "middle", blobs = ["in0", "in1"], w = 4} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %c = ncnn.binaryop %a, %m0 {name = "c", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %first = ncnn.eltwise %b, %c, %m1 {name = "first"} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = ncnn.binaryop %first, %data {name = "d", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %last = ncnn.binaryop %first, %d {name = "last", op_type = add} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %out = ncnn.relu %last {name = "out"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %out : tensor<4xf32>
}
