// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-dead-layers %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-dead-layers %s > %t.once
// RUN: ncnn-opt --eliminate-dead-layers %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-dead-layers --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-dead-layers: BinaryOp 'b'
// REMARK-NEXT: remark: eliminate-dead-layers: MemoryData 'k'
// REMARK-NEXT: remark: eliminate-dead-layers: Split 's'
// REMARK-NEXT: remark: eliminate-dead-layers: Scale 'a'

// Nothing uses the last, and then what it read.
// CHECK-LABEL: func.func @chain(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %a = ncnn.scale %x scale %w {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %b = ncnn.binaryop %a, %a {name = "b", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %c : tensor<2xf32>
// AFTER-NEXT:    %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %c : tensor<2xf32>
// CHECK-NEXT: }
func.func @chain(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = ncnn.scale %x scale %w {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.binaryop %a, %a {name = "b", op_type = mul} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c : tensor<2xf32>
}

// All outputs of it, and a constant.
// CHECK-LABEL: func.func @several(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %k = ncnn.constant {name = "k"} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %a, %b = ncnn.split %x {name = "s", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// BEFORE-NEXT:   %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %c : tensor<2xf32>
// AFTER-NEXT:    %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %c : tensor<2xf32>
// CHECK-NEXT: }
func.func @several(%x: tensor<2xf32>) -> tensor<2xf32> {
  %k = ncnn.constant {name = "k"} dense<[1.0, 2.0]> : tensor<2xf32>
  %a, %b = ncnn.split %x {name = "s", blobs = ["a", "b"]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c : tensor<2xf32>
}
