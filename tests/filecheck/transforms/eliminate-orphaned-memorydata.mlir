// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-orphaned-memorydata %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-orphaned-memorydata %s > %t.once
// RUN: ncnn-opt --eliminate-orphaned-memorydata %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-orphaned-memorydata --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-orphaned-memorydata: MemoryData 'k'

// Nothing uses it.
// CHECK-LABEL: func.func @orphan(%x: tensor<2xf32>) -> tensor<2xf32> {
// BEFORE-NEXT:   %k = ncnn.constant {name = "k"} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// BEFORE-NEXT:   %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   func.return %c : tensor<2xf32>
// AFTER-NEXT:    %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    func.return %c : tensor<2xf32>
// CHECK-NEXT: }
func.func @orphan(%x: tensor<2xf32>) -> tensor<2xf32> {
  %k = ncnn.constant {name = "k"} dense<[1.0, 2.0]> : tensor<2xf32>
  %c = ncnn.relu %x {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c : tensor<2xf32>
}
