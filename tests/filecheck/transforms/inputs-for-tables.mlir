// RUN: ncnn-opt --table-inputs --remarks %s 2>%t | filecheck %s --match-full-lines
// RUN: filecheck %s --check-prefix=TOLD --input-file %t
// RUN: ncnn-opt --inputs-for-tables %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --table-inputs --dynamic x=h:n,w:n --dynamic mask=h:n,w:n --dynamic positions=w:n %s | filecheck %s --check-prefix=DYNAMIC

// Equal tables are one input, and a name that is taken is not used again.
// CHECK:      func.func @main(%x: tensor<4x4xf32> {ncnn.blob = "x"}, %cos: tensor<2xf32> {ncnn.blob = "cos"}, %mask: tensor<4x4xf32> {ncnn.blob = "mask"}, %positions: tensor<4xf32> {ncnn.blob = "positions"}) -> (tensor<4x4xf32> {ncnn.blob = "b"}, tensor<4xf32> {ncnn.blob = "p"}) {
// CHECK-NEXT:   %a = ncnn.binaryop %x, %mask {name = "a", op_type = add} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:   %b = ncnn.binaryop %a, %mask {name = "b", op_type = add} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:   %p = ncnn.relu %positions {name = "p"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %b, %p : tensor<4x4xf32>, tensor<4xf32>
// CHECK-NEXT: }
// TOLD:      remark: inputs-for-tables: 'mask': a causal mask, steps x steps: -1e+09 above the diagonal, else 0
// TOLD-NEXT: remark: inputs-for-tables: 'positions': the positions 0, 1, 2, … of the steps
// DYNAMIC:   func.func @main(%x: tensor<?x?xf32> {ncnn.blob = "x"}, %cos: tensor<2xf32> {ncnn.blob = "cos"}, %mask: tensor<?x?xf32> {ncnn.blob = "mask"}, %positions: tensor<?xf32> {ncnn.blob = "positions"})
func.func @main(%x: tensor<4x4xf32> {ncnn.blob = "x"}, %cos: tensor<2xf32> {ncnn.blob = "cos"}) -> (tensor<4x4xf32> {ncnn.blob = "b"}, tensor<4xf32> {ncnn.blob = "p"}) {
  %m = ncnn.constant {name = "m"} dense<[[0.0, -1.0e9, -1.0e9, -1.0e9], [0.0, 0.0, -1.0e9, -1.0e9], [0.0, 0.0, 0.0, -1.0e9], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %a = ncnn.binaryop %x, %m {name = "a", op_type = add} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %m2 = ncnn.constant {name = "m2"} dense<[[0.0, -1.0e9, -1.0e9, -1.0e9], [0.0, 0.0, -1.0e9, -1.0e9], [0.0, 0.0, 0.0, -1.0e9], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %b = ncnn.binaryop %a, %m2 {name = "b", op_type = add} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %arange = ncnn.constant {name = "arange"} dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %p = ncnn.relu %arange {name = "p"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b, %p : tensor<4x4xf32>, tensor<4xf32>
}
