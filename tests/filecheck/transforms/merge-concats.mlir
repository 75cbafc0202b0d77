// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --merge-concats %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --merge-concats %s > %t.once
// RUN: ncnn-opt --merge-concats %t.once | diff %t.once -
// RUN: ncnn-opt --merge-concats --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: merge-concats: Concat 'all', Concat 'a', Concat 'b'
// REMARK-NEXT: remark: merge-concats: Concat 'b', Concat 'a'
// REMARK-NEXT: remark: merge-concats: Concat 'd', Concat 'c'

// Inner ones in all places, along the same axis.
// CHECK-LABEL: func.func @nested(%x: tensor<1x?x?xf32>, %y: tensor<2x?x?xf32>) -> tensor<7x?x?xf32> {
// BEFORE-NEXT:   %a = ncnn.concat %x, %y {name = "a"} : (tensor<1x?x?xf32>, tensor<2x?x?xf32>) -> tensor<3x?x?xf32>
// BEFORE-NEXT:   %b = ncnn.concat %y, %x {name = "b"} : (tensor<2x?x?xf32>, tensor<1x?x?xf32>) -> tensor<3x?x?xf32>
// BEFORE-NEXT:   %all = ncnn.concat %a, %x, %b {name = "all"} : (tensor<3x?x?xf32>, tensor<1x?x?xf32>, tensor<3x?x?xf32>) -> tensor<7x?x?xf32>
// BEFORE-NEXT:   func.return %all : tensor<7x?x?xf32>
// AFTER-NEXT:    %all = ncnn.concat %x, %y, %x, %y, %x {name = "all"} : (tensor<1x?x?xf32>, tensor<2x?x?xf32>, tensor<1x?x?xf32>, tensor<2x?x?xf32>, tensor<1x?x?xf32>) -> tensor<7x?x?xf32>
// AFTER-NEXT:    func.return %all : tensor<7x?x?xf32>
// CHECK-NEXT: }
func.func @nested(%x: tensor<1x?x?xf32>, %y: tensor<2x?x?xf32>) -> tensor<7x?x?xf32> {
  %a = ncnn.concat %x, %y {name = "a"} : (tensor<1x?x?xf32>, tensor<2x?x?xf32>) -> tensor<3x?x?xf32>
  %b = ncnn.concat %y, %x {name = "b"} : (tensor<2x?x?xf32>, tensor<1x?x?xf32>) -> tensor<3x?x?xf32>
  %all = ncnn.concat %a, %x, %b {name = "all"} : (tensor<3x?x?xf32>, tensor<1x?x?xf32>, tensor<3x?x?xf32>) -> tensor<7x?x?xf32>
  func.return %all : tensor<7x?x?xf32>
}

// Of unknown dims along the same axis; of known ones -1 is the last.
// CHECK-LABEL: func.func @axes(%x: tensor<*xf32>, %y: tensor<?x4xf32>) -> (tensor<*xf32>, tensor<?x12xf32>) {
// BEFORE-NEXT:   %a = ncnn.concat %x, %x {name = "a", axis = -2} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %b = ncnn.concat %a, %x {name = "b", axis = -2} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
// BEFORE-NEXT:   %c = ncnn.concat %y, %y {name = "c", axis = 1} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
// BEFORE-NEXT:   %d = ncnn.concat %c, %y {name = "d", axis = -1} : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<?x12xf32>
// BEFORE-NEXT:   func.return %b, %d : tensor<*xf32>, tensor<?x12xf32>
// AFTER-NEXT:    %b = ncnn.concat %x, %x, %x {name = "b", axis = -2} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
// AFTER-NEXT:    %d = ncnn.concat %y, %y, %y {name = "d", axis = -1} : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x12xf32>
// AFTER-NEXT:    func.return %b, %d : tensor<*xf32>, tensor<?x12xf32>
// CHECK-NEXT: }
func.func @axes(%x: tensor<*xf32>, %y: tensor<?x4xf32>) -> (tensor<*xf32>, tensor<?x12xf32>) {
  %a = ncnn.concat %x, %x {name = "a", axis = -2} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %b = ncnn.concat %a, %x {name = "b", axis = -2} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %c = ncnn.concat %y, %y {name = "c", axis = 1} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  %d = ncnn.concat %c, %y {name = "d", axis = -1} : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<?x12xf32>
  func.return %b, %d : tensor<*xf32>, tensor<?x12xf32>
}
