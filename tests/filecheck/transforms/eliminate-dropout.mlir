// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-dropout %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-dropout %s > %t.once
// RUN: ncnn-opt --eliminate-dropout %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-dropout --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Without a scale it does nothing.
// REMARK: remark: eliminate-dropout: Dropout 'drop'
// CHECK-LABEL: func.func @inside(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %drop = ncnn.dropout %absval {name = "drop"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2xf32>
// AFTER-NEXT:    %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %absval {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %relu : tensor<2xf32>
// CHECK-NEXT: }
func.func @inside(%x: tensor<2xf32>) -> tensor<2xf32> {
  %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
  %drop = ncnn.dropout %absval {name = "drop"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// Its input may have other uses.
// CHECK-LABEL: func.func @second_consumer(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// BEFORE-NEXT:   %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %drop = ncnn.dropout %absval {name = "drop"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %tanh = ncnn.tanh %absval {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %absval {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %tanh = ncnn.tanh %absval {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @second_consumer(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
  %drop = ncnn.dropout %absval {name = "drop"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  %tanh = ncnn.tanh %absval {name = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu, %tanh : tensor<2xf32>, tensor<2xf32>
}

// One after the other.
// CHECK-LABEL: func.func @chain(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %drop = ncnn.dropout %x {name = "drop"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %drop2 = ncnn.dropout %drop {name = "drop2"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %drop2 {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %relu : tensor<2xf32>
// CHECK-NEXT: }
func.func @chain(%x: tensor<2xf32>) -> tensor<2xf32> {
  %drop = ncnn.dropout %x {name = "drop"} : (tensor<2xf32>) -> tensor<2xf32>
  %drop2 = ncnn.dropout %drop {name = "drop2"} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %drop2 {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// The model's output keeps its name: the layer before makes a blob of that name.
// CHECK-LABEL: func.func @output(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}) {
// BEFORE-NEXT:   %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %drop = ncnn.dropout %absval {name = "drop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %drop : tensor<2xf32>
// AFTER-NEXT:    %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %absval : tensor<2xf32>
// CHECK-NEXT: }
func.func @output(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}) {
  %absval = ncnn.absval %x {name = "absval"} : (tensor<2xf32>) -> tensor<2xf32>
  %drop = ncnn.dropout %absval {name = "drop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %drop : tensor<2xf32>
}

// Whatever the runtime may use for it, it does nothing.
// CHECK-LABEL: func.func @masked(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %drop = ncnn.dropout %x {name = "drop", featmask = 2} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %relu : tensor<2xf32>
// AFTER-NEXT:    %relu = ncnn.relu %x {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %relu : tensor<2xf32>
// CHECK-NEXT: }
func.func @masked(%x: tensor<2xf32>) -> tensor<2xf32> {
  %drop = ncnn.dropout %x {name = "drop", featmask = 2} : (tensor<2xf32>) -> tensor<2xf32>
  %relu = ncnn.relu %drop {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %relu : tensor<2xf32>
}

// The blob before is needed under its own name, too: export puts a Split in its place.
// CHECK-LABEL: func.func @two_names(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2xf32> {ncnn.blob = "abs"}) {
// BEFORE-NEXT:   %abs = ncnn.absval %x {name = "abs"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %drop = ncnn.dropout %abs {name = "drop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %drop, %abs : tensor<2xf32>, tensor<2xf32>
// AFTER-NEXT:    %abs = ncnn.absval %x {name = "abs"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %abs, %abs : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @two_names(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "out"}, tensor<2xf32> {ncnn.blob = "abs"}) {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<2xf32>) -> tensor<2xf32>
  %drop = ncnn.dropout %abs {name = "drop", blobs = ["out"]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %drop, %abs : tensor<2xf32>, tensor<2xf32>
}

// A value that is returned twice keeps its two names.
// BEFORE-LABEL: func.func @returned_twice(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// AFTER-LABEL: func.func @returned_twice(%x: tensor<2xf32>) -> (tensor<2xf32> {ncnn.blob = "drop"}, tensor<2xf32> {ncnn.blob = "drop_1"}) {
func.func @returned_twice(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %abs = ncnn.absval %x {name = "abs"} : (tensor<2xf32>) -> tensor<2xf32>
  %drop = ncnn.dropout %abs {name = "drop"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %drop, %drop : tensor<2xf32>, tensor<2xf32>
}
