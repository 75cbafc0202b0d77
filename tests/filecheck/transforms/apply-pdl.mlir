// RUN: ncnn-opt --apply-pdl=%S/../../../examples/swish.pdl.mlir %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --apply-pdl=%S/../../../examples/swish.pdl.mlir --remarks %s 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK --match-full-lines

// REMARK:      remark: eliminate-split: Split 'split'
// REMARK-NEXT: remark: apply-pdl: BinaryOp 'product' (@swish)
// REMARK-NEXT: remark: apply-pdl: BinaryOp 'product' (@swish_reversed)
// REMARK-NEXT: remark: apply-pdl: BinaryOp 'product' (@swish)
// REMARK-NEXT: remark: apply-pdl: BinaryOp 'product' (@swish)
// REMARK-NOT:  remark: apply-pdl

// The Swish has the names of what it replaces.
// CHECK:      func.func @gate_first(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT:   %product = ncnn.swish %x {name = "product", blobs = ["gated"]} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   func.return %product : tensor<2x3x4xf32>
func.func @gate_first(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %gate = ncnn.sigmoid %x {name = "gate"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %product = ncnn.binaryop %gate, %x {name = "product", blobs = ["gated"], op_type = mul} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %product : tensor<2x3x4xf32>
}

// CHECK:      func.func @gate_second(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %product = ncnn.swish %x {name = "product"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %product : tensor<2xf32>
func.func @gate_second(%x: tensor<2xf32>) -> tensor<2xf32> {
  %gate = ncnn.sigmoid %x {name = "gate"} : (tensor<2xf32>) -> tensor<2xf32>
  %product = ncnn.binaryop %x, %gate {name = "product", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %product : tensor<2xf32>
}

// Who else needs the gate still has it.
// CHECK:      func.func @second_consumer(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// CHECK-NEXT:   %gate = ncnn.sigmoid %x {name = "gate"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:   %product = ncnn.swish %x {name = "product"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %gate, %product : tensor<2xf32>, tensor<2xf32>
func.func @second_consumer(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %gate = ncnn.sigmoid %x {name = "gate"} : (tensor<2xf32>) -> tensor<2xf32>
  %product = ncnn.binaryop %gate, %x {name = "product", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %gate, %product : tensor<2xf32>, tensor<2xf32>
}

// The results of a Split are one value.
// CHECK:      func.func @split(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %product = ncnn.swish %x {name = "product"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %product : tensor<2xf32>
func.func @split(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a, %b = ncnn.split %x {name = "split"} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %gate = ncnn.sigmoid %a {name = "gate"} : (tensor<2xf32>) -> tensor<2xf32>
  %product = ncnn.binaryop %gate, %b {name = "product", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %product : tensor<2xf32>
}
