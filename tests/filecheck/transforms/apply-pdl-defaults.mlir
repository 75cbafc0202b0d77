// RUN: ncnn-opt --apply-pdl=%S/Inputs/defaults.pdl.mlir %s | filecheck %s --match-full-lines

// CHECK:      func.func @default_asked_for(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %sum = ncnn.binaryop %x {name = "sum", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2xf32>) -> tensor<2xf32>
func.func @default_asked_for(%x: tensor<2xf32>) -> tensor<2xf32> {
  %sum = ncnn.binaryop %x, %x {name = "sum", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %sum : tensor<2xf32>
}

// CHECK:      func.func @benefit(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %relu = ncnn.relu %x {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %relu : tensor<2xf32>
func.func @benefit(%x: tensor<2xf32>) -> tensor<2xf32> {
  %relu = ncnn.relu %x {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  %sum = ncnn.binaryop %relu, %relu {name = "sum", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %sum : tensor<2xf32>
}
