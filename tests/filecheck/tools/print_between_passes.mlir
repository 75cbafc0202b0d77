// RUN: ncnn-opt --print-between-passes --eliminate-dropout --eliminate-noop %s | filecheck %s

// CHECK:      IR after eliminate-dropout:
// CHECK-NEXT: builtin.module {
// CHECK-NEXT:   func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:     %noop = ncnn.noop %x {name = "noop"} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     %relu = ncnn.relu %noop {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:     %relu = ncnn.relu %x {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %drop = ncnn.dropout %x {name = "drop"} : (tensor<8xf32>) -> tensor<8xf32>
  %noop = ncnn.noop %drop {name = "noop"} : (tensor<8xf32>) -> tensor<8xf32>
  %relu = ncnn.relu %noop {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %relu : tensor<8xf32>
}
