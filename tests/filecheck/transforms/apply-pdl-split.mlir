// RUN: ncnn-opt --apply-pdl=%S/Inputs/split.pdl.mlir --remarks %s 2>&1 >/dev/null | filecheck %s

// A pattern that is about Splits finds them.
// CHECK-NOT: eliminate-split
// CHECK:     remark: apply-pdl: Split 'split' (@unread_split)
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a, %b = ncnn.split %x {name = "split"} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %c = ncnn.relu %a {name = "c"} : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.sigmoid %b {name = "d"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c, %d : tensor<2xf32>, tensor<2xf32>
}
