// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-duplicate-layers %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-duplicate-layers %s > %t.once
// RUN: ncnn-opt --eliminate-duplicate-layers %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-duplicate-layers --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-duplicate-layers: ELU 'a', ELU 'b'
// REMARK-NEXT: remark: eliminate-duplicate-layers: TanH 'a', TanH 'e'
// REMARK-NEXT: remark: eliminate-duplicate-layers: Slice 'cut', Slice 'cut2'
// REMARK-NEXT: remark: eliminate-duplicate-layers: BinaryOp 'd', BinaryOp 'h'
// REMARK-NEXT: remark: eliminate-duplicate-layers: Scale 'a', Scale 'b'
// REMARK-NEXT: remark: eliminate-duplicate-layers: MemoryData 'p', MemoryData 'q'
// REMARK-NEXT: remark: eliminate-duplicate-layers: BinaryOp 'c', BinaryOp 'd'
// REMARK-NEXT: remark: eliminate-duplicate-layers: MemoryData 'p', MemoryData 'q'
// REMARK-NEXT: remark: eliminate-duplicate-layers: Reshape 'a', Reshape 'b'

// The same of the same blob: one stands for both, whatever they are called.
// CHECK-LABEL: func.func @same(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %a = ncnn.elu %x {name = "a", alpha = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.elu %x {name = "b", alpha = 0.5, shape_hints = [1, 2, 1, 1]} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %c : tensor<2xf32>
// AFTER-NEXT:    %a = ncnn.elu %x {name = "a", alpha = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %c = ncnn.binaryop %a, %a {name = "c", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %c : tensor<2xf32>
// CHECK-NEXT: }
func.func @same(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = ncnn.elu %x {name = "a", alpha = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.elu %x {name = "b", alpha = 0.5, shape_hints = [1, 2, 1, 1]} : (tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.binaryop %a, %b {name = "c", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %c : tensor<2xf32>
}

// One after the other: what they read has become the same.
// CHECK-LABEL: func.func @chains(%x: tensor<4xf32>) -> (tensor<2xf32> {ncnn.blob = "one"}, tensor<2xf32> {ncnn.blob = "two"}) {
// BEFORE-NEXT:   %a = ncnn.tanh %x {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
// BEFORE-NEXT:   %b, %c = ncnn.slice %a {name = "cut", blobs = ["b", "c"], slices = [2, -233]} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// BEFORE-NEXT:   %d = ncnn.binaryop %b, %c {name = "d", blobs = ["one"], op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %e = ncnn.tanh %x {name = "e"} : (tensor<4xf32>) -> tensor<4xf32>
// BEFORE-NEXT:   %f, %g = ncnn.slice %e {name = "cut2", blobs = ["f", "g"], slices = [2, -233]} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// BEFORE-NEXT:   %h = ncnn.binaryop %f, %g {name = "h", blobs = ["two"], op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %d, %h : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %a = ncnn.tanh %x {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
// AFTER-NEXT:    %b, %c = ncnn.slice %a {name = "cut", blobs = ["b", "c"], slices = [2, -233]} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// AFTER-NEXT:    %d = ncnn.binaryop %b, %c {name = "d", blobs = ["one"], op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %d, %d : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @chains(%x: tensor<4xf32>) -> (tensor<2xf32> {ncnn.blob = "one"}, tensor<2xf32> {ncnn.blob = "two"}) {
  %a = ncnn.tanh %x {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %b, %c = ncnn.slice %a {name = "cut", blobs = ["b", "c"], slices = [2, -233]} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %d = ncnn.binaryop %b, %c {name = "d", blobs = ["one"], op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %e = ncnn.tanh %x {name = "e"} : (tensor<4xf32>) -> tensor<4xf32>
  %f, %g = ncnn.slice %e {name = "cut2", blobs = ["f", "g"], slices = [2, -233]} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %h = ncnn.binaryop %f, %g {name = "h", blobs = ["two"], op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %d, %h : tensor<2xf32>, tensor<2xf32>
}

// Weights and constants of the same values.
// BEFORE-LABEL: func.func @weights(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// AFTER-LABEL: func.func @weights(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "c"}, tensor<2xf32> {ncnn.blob = "d"}) {
// BEFORE-NEXT:   %w = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %a = ncnn.scale %x scale %w {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.scale %x scale %v {name = "b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %p = ncnn.constant {name = "p"} dense<3.000000e+00> : tensor<2xf32>
// BEFORE-NEXT:   %q = ncnn.constant {name = "q"} dense<3.000000e+00> : tensor<2xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %p, %a {name = "c", op_type = div} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %q, %b {name = "d", op_type = div} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %c, %d : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %a = ncnn.scale %x scale %w {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %p = ncnn.constant {name = "p"} dense<3.000000e+00> : tensor<2xf32>
// AFTER-NEXT:    %c = ncnn.binaryop %p, %a {name = "c", op_type = div} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %c, %c : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @weights(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %w = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = ncnn.scale %x scale %w {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %v = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = ncnn.scale %x scale %v {name = "b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %p = ncnn.constant {name = "p"} dense<3.0> : tensor<2xf32>
  %q = ncnn.constant {name = "q"} dense<3.0> : tensor<2xf32>
  %c = ncnn.binaryop %p, %a {name = "c", op_type = div} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.binaryop %q, %b {name = "d", op_type = div} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %c, %d : tensor<2xf32>, tensor<2xf32>
}

// MemoryData of the same values, and what is done to them.
// CHECK-LABEL: func.func @memory(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
// BEFORE-NEXT:   %p = ncnn.constant {name = "p"} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %q = ncnn.constant {name = "q"} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %a = ncnn.reshape %p {name = "a", w = 2, h = 1} : (tensor<2xf32>) -> tensor<1x2xf32>
// BEFORE-NEXT:   %b = ncnn.reshape %q {name = "b", w = 2, h = 1} : (tensor<2xf32>) -> tensor<1x2xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %x, %a {name = "c", op_type = max} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %b {name = "d", op_type = min} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// AFTER-NEXT:    %p = ncnn.constant {name = "p"} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// AFTER-NEXT:    %a = ncnn.reshape %p {name = "a", w = 2, h = 1} : (tensor<2xf32>) -> tensor<1x2xf32>
// AFTER-NEXT:    %c = ncnn.binaryop %x, %a {name = "c", op_type = max} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// AFTER-NEXT:    %d = ncnn.binaryop %x, %a {name = "d", op_type = min} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:    func.return %c, %d : tensor<1x2xf32>, tensor<1x2xf32>
// CHECK-NEXT: }
func.func @memory(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %p = ncnn.constant {name = "p"} dense<[1.0, 2.0]> : tensor<2xf32>
  %q = ncnn.constant {name = "q"} dense<[1.0, 2.0]> : tensor<2xf32>
  %a = ncnn.reshape %p {name = "a", w = 2, h = 1} : (tensor<2xf32>) -> tensor<1x2xf32>
  %b = ncnn.reshape %q {name = "b", w = 2, h = 1} : (tensor<2xf32>) -> tensor<1x2xf32>
  %c = ncnn.binaryop %x, %a {name = "c", op_type = max} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %d = ncnn.binaryop %x, %b {name = "d", op_type = min} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %c, %d : tensor<1x2xf32>, tensor<1x2xf32>
}

// Constants without a name that are read as blobs are MemoryData as well.
// CHECK-LABEL: func.func @unnamed(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
// BEFORE-NEXT:   %p = ncnn.constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %q = ncnn.constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// BEFORE-NEXT:   %c = ncnn.binaryop %x, %p {name = "c", op_type = max} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// BEFORE-NEXT:   %d = ncnn.binaryop %x, %q {name = "d", op_type = min} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// AFTER-NEXT:    %p = ncnn.constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// AFTER-NEXT:    %c = ncnn.binaryop %x, %p {name = "c", op_type = max} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// AFTER-NEXT:    %d = ncnn.binaryop %x, %p {name = "d", op_type = min} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:    func.return %c, %d : tensor<1x2xf32>, tensor<1x2xf32>
// CHECK-NEXT: }
func.func @unnamed(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %p = ncnn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %q = ncnn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %c = ncnn.binaryop %x, %p {name = "c", op_type = max} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %d = ncnn.binaryop %x, %q {name = "d", op_type = min} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %c, %d : tensor<1x2xf32>, tensor<1x2xf32>
}

// The type of the second says more: that of both does, then.
// BEFORE-LABEL: func.func @types(%x: tensor<*xf32>) -> (tensor<?xf32>, tensor<2xf32>) {
// AFTER-LABEL: func.func @types(%x: tensor<*xf32>) -> (tensor<2xf32> {ncnn.blob = "a"}, tensor<2xf32> {ncnn.blob = "b"}) {
// BEFORE-NEXT:   %a = ncnn.flatten %x {name = "a"} : (tensor<*xf32>) -> tensor<?xf32>
// BEFORE-NEXT:   %b = ncnn.flatten %x {name = "b"} : (tensor<*xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %a, %b : tensor<?xf32>, tensor<2xf32>
// AFTER-NEXT:    %a = ncnn.flatten %x {name = "a"} : (tensor<*xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %a, %a : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @types(%x: tensor<*xf32>) -> (tensor<?xf32>, tensor<2xf32>) {
  %a = ncnn.flatten %x {name = "a"} : (tensor<*xf32>) -> tensor<?xf32>
  %b = ncnn.flatten %x {name = "b"} : (tensor<*xf32>) -> tensor<2xf32>
  func.return %a, %b : tensor<?xf32>, tensor<2xf32>
}
