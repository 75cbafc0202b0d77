// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --replace-product-with-square %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --replace-product-with-square %s > %t.once
// RUN: ncnn-opt --replace-product-with-square %t.once | diff %t.once -
// RUN: ncnn-opt --replace-product-with-square --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: replace-product-with-square: BinaryOp 'a'

// The blob is read once.
// CHECK-LABEL: func.func @square(%in: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    %x = ncnn.tanh %in {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %a = ncnn.binaryop %x, %x {name = "a", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %a : tensor<2xf32>
// AFTER-NEXT:    %a = ncnn.unaryop %x {name = "a", op_type = square} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %a : tensor<2xf32>
// CHECK-NEXT: }
func.func @square(%in: tensor<2xf32>) -> tensor<2xf32> {
  %x = ncnn.tanh %in {name = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %a = ncnn.binaryop %x, %x {name = "a", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}
