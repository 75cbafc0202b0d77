// RUN: ncnn-opt --print-between-passes --eliminate-dropout --eliminate-noop %s 2>&1 >%t.mlir | filecheck %s
// RUN: ncnn-opt --eliminate-dropout --eliminate-noop %s | diff %t.mlir -

// The IR after each pass is on standard error, after the last pass as well, as with mlir-opt.
// Large weights are left out. The result alone is on standard output.
// CHECK:      // -----// IR Dump After eliminate-dropout //----- //
// CHECK-NEXT: builtin.module {
// CHECK-NEXT:   func.func @main(%x: tensor<4x4xf32>) -> tensor<8x4xf32> {
// CHECK-NEXT:     %noop = ncnn.noop %x {name = "noop"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:     %large = ncnn.constant #ncnn.elided : tensor<8x4xf32>
// CHECK-NEXT:     %product = ncnn.matmul %large, %noop {name = "product"} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:     func.return %product : tensor<8x4xf32>
// CHECK:      // -----// IR Dump After eliminate-noop //----- //
// CHECK-NEXT: builtin.module {
// CHECK-NEXT:   func.func @main(%x: tensor<4x4xf32>) -> tensor<8x4xf32> {
// CHECK-NEXT:     %large = ncnn.constant #ncnn.elided : tensor<8x4xf32>
// CHECK-NEXT:     %product = ncnn.matmul %large, %x {name = "product"} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
// CHECK:      // -----// IR Dump After convert-storage //----- //
func.func @main(%x: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %drop = ncnn.dropout %x {name = "drop"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %noop = ncnn.noop %drop {name = "noop"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %large = ncnn.constant dense<1.0> : tensor<8x4xf32>
  %product = ncnn.matmul %large, %noop {name = "product"} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  func.return %product : tensor<8x4xf32>
}
