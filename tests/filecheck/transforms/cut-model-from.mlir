// RUN: ncnn-opt --split-input-file --cut-from first %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --split-input-file --cut-from first %s > %t.once
// RUN: ncnn-opt --split-input-file --cut-model="from=first" %s | diff %t.once -
// RUN: ncnn-opt --split-input-file --cut-from first %t.once | diff %t.once -
// RUN: ncnn-opt --split-input-file --cut-from first --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// All that depends on the layer: both heads, but not the one that comes off before it.
// REMARK: remark: cut-model: first (3 of 5 layers; inputs: a; outputs: head1, head2)
// CHECK-LABEL: func.func @main(%a: tensor<4xf32> {ncnn.blob = "a"}) -> (tensor<4xf32> {ncnn.blob = "head1"}, tensor<4xf32> {ncnn.blob = "head2"}) {
// CHECK-NEXT:   %first = ncnn.exp %a {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %head1 = ncnn.relu %first {name = "head1"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %head2 = ncnn.relu %first {name = "head2"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %head1, %head2 : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "head0"}, tensor<4xf32> {ncnn.blob = "head1"}, tensor<4xf32> {ncnn.blob = "head2"}) {
  %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %first = ncnn.exp %a {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
  %head0 = ncnn.relu %a {name = "head0"} : (tensor<4xf32>) -> tensor<4xf32>
  %head1 = ncnn.relu %first {name = "head1"} : (tensor<4xf32>) -> tensor<4xf32>
  %head2 = ncnn.relu %first {name = "head2"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %head0, %head1, %head2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// An Input layer is named by its own name: what depends on it. Another input stays where such a
// layer reads it.
// REMARK-NEXT: remark: cut-model: first (2 of 4 layers; inputs: data, more, b; outputs: out)
// CHECK-LABEL: func.func @main(%data: tensor<4xf32> {ncnn.blob = "data", ncnn.layer = "first"}, %more: tensor<4xf32> {ncnn.blob = "more"}, %b: tensor<4xf32> {ncnn.blob = "b"}) -> (tensor<4xf32> {ncnn.blob = "out"}) {
// CHECK-NEXT:   %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %out = ncnn.eltwise %a, %b, %more {name = "out", op_type = sum} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %out : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data", ncnn.layer = "first"}, %more: tensor<4xf32> {ncnn.blob = "more"}) -> (tensor<4xf32> {ncnn.blob = "out"}, tensor<4xf32> {ncnn.blob = "other"}) {
  %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.absval %more {name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
  %out = ncnn.eltwise %a, %b, %more {name = "out", op_type = sum} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %other = ncnn.relu %b {name = "other"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %out, %other : tensor<4xf32>, tensor<4xf32>
}

// -----

// Layers without outputs stay, if they depend on the layer.
// REMARK-NEXT: remark: cut-model: first (3 of 5 layers; inputs: a; outputs: out)
// CHECK-LABEL: func.func @main(%a: tensor<4xf32> {ncnn.blob = "a"}) -> (tensor<4xf32> {ncnn.blob = "out"}) {
// CHECK-NEXT:   %first = ncnn.exp %a {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   ncnn.noop %first {name = "sink"} : (tensor<4xf32>) -> ()
// CHECK-NEXT:   %out = ncnn.relu %first {name = "out"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %out : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<4xf32> {ncnn.blob = "out"}) {
  %a = ncnn.absval %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  ncnn.noop %a {name = "sink_before"} : (tensor<4xf32>) -> ()
  %first = ncnn.exp %a {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
  ncnn.noop %first {name = "sink"} : (tensor<4xf32>) -> ()
  %out = ncnn.relu %first {name = "out"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %out : tensor<4xf32>
}

// -----

// A weight that is a blob of the graph may come from outside as well.
// REMARK-NEXT: remark: cut-model: first (1 of 2 layers; inputs: data, w; outputs: first)
// CHECK-LABEL: func.func @main(%data: tensor<1x1x1xf32> {ncnn.blob = "data"}, %w: tensor<2x1x1x1xf32> {ncnn.blob = "w"}) -> (tensor<2x?x?xf32> {ncnn.blob = "first"}) {
// CHECK-NEXT:   %first = ncnn.convolution %data weight %w {name = "first", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
// CHECK-NEXT:   func.return %first : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @main(%data: tensor<1x1x1xf32> {ncnn.blob = "data"}, %raw: tensor<2x1x1x1xf32> {ncnn.blob = "raw"}) -> (tensor<2x?x?xf32> {ncnn.blob = "first"}) {
  %w = ncnn.exp %raw {name = "w"} : (tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
  %first = ncnn.convolution %data weight %w {name = "first", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %first : tensor<2x?x?xf32>
}
