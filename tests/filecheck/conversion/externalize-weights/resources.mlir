// RUN: ncnn-opt %s --externalize-weights=resources | filecheck %s --match-full-lines
// RUN: ncnn-opt %s --externalize-weights=resources | ncnn-opt | filecheck %s --match-full-lines

// The bytes are behind the module. MLIR allows no hyphen in the name of a resource.
// CHECK: builtin.module {
// CHECK-NEXT:   func.func @main(%x: tensor<72xf32>) -> tensor<72xf32> {
// CHECK-NEXT:     %w = arith.constant dense_resource<w> : tensor<72xf16>
// CHECK-NEXT:     %same = arith.constant dense_resource<w> : tensor<72xf16>
// CHECK-NEXT:     %scaled = arith.constant dense_resource<scaled> : tensor<72xf32>
// CHECK-NEXT:     %a-table = arith.constant dense_resource<a_table> : tensor<80xf32>
// CHECK-NEXT:     %small = arith.constant dense<[1, -2, 3]> : tensor<3xi8>
// CHECK-NEXT:     %0 = arith.extf %w : tensor<72xf16> to tensor<72xf32>
// CHECK-NEXT:     %1 = arith.extf %same : tensor<72xf16> to tensor<72xf32>
// CHECK-NEXT:     %2 = arith.addf %0, %1 : tensor<72xf32>
// CHECK-NEXT:     %3 = arith.addf %2, %scaled : tensor<72xf32>
// CHECK-NEXT:     %4 = arith.addf %3, %x : tensor<72xf32>
// CHECK-NEXT:     %5 = "test.op"(%4, %a-table, %small) : (tensor<72xf32>, tensor<80xf32>, tensor<3xi8>) -> tensor<72xf32>
// CHECK-NEXT:     func.return %5 : tensor<72xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK: {-#
// CHECK-NEXT:   dialect_resources: {
// CHECK-NEXT:     builtin: {
// CHECK-NEXT:       a_table: "0x40000000000000000000803F{{[0-9A-F]+}}",scaled: "0x40000000000000000000803F{{[0-9A-F]+}}",w: "0x400000000000003000340036{{[0-9A-F]+}}"
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: #-}

func.func @main(%x: tensor<72xf32> {ncnn.blob = "data", ncnn.params = {"30" = array<i32: 1, 72, 1, 1>}}) -> (tensor<72xf32> {ncnn.blob = "out"}) attributes {ncnn.note = "ours"} {
  %in = ncnn.input %x {name = "in"} : (tensor<72xf32>) -> tensor<72xf32>
  %w = ncnn.constant #ncnn.weight<"Inputs/weights.bin", 4> : tensor<72xf16>
  %same = ncnn.constant #ncnn.weight<"Inputs/weights.bin", 4> : tensor<72xf16>
  %scaled = ncnn.constant #ncnn.weight<"Inputs/weights.bin", 152, scaled> : tensor<72xf32>
  %a-table = ncnn.constant #ncnn.weight<"Inputs/weights.bin", 148, table> : tensor<80xf32>
  %small = ncnn.constant dense<[1, -2, 3]> : tensor<3xi8>
  %0 = arith.extf %w : tensor<72xf16> to tensor<72xf32>
  %1 = arith.extf %same : tensor<72xf16> to tensor<72xf32>
  %2 = arith.addf %0, %1 : tensor<72xf32>
  %3 = arith.addf %2, %scaled : tensor<72xf32>
  %4 = arith.addf %3, %in : tensor<72xf32>
  %5 = "test.op"(%4, %a-table, %small) : (tensor<72xf32>, tensor<80xf32>, tensor<3xi8>) -> tensor<72xf32>
  func.return %5 : tensor<72xf32>
}
