// -O makes no layer that the oldest release which runs the model lacks, and says so.
// RUN: ncnn-opt -O %s -o %t.param 2>&1 | filecheck %s --check-prefix=OWN --match-full-lines
// RUN: ncnn-opt -O --for-ncnn latest %s -o %t.new.param 2>&1 | filecheck %s --check-prefix=LATEST --match-full-lines
// RUN: ncnn-opt -O --for-ncnn 20240820 %s -o %t.same.param 2>&1 | filecheck %s --check-prefix=LATEST --match-full-lines
// RUN: diff %t.new.param %t.same.param
// RUN: ncnn-opt -O --remarks=missed %s 2>&1 >/dev/null | filecheck %s --check-prefix=MISSED --match-full-lines
// RUN: ncnn-opt -O --remarks=missed --remarks=json %s 2>&1 >/dev/null | filecheck %s --check-prefix=JSON
// RUN: ncnn-optimize %t.param %t.bin %t.o.param %t.o.bin 0 2>&1 | filecheck %s --check-prefix=NEWER
// RUN: ncnn-optimize %t.param %t.bin %t.o.param %t.o.bin 0 --for-ncnn=latest 2>&1 | filecheck %s --check-prefix=RAISED

// A model that is optimized for itself stays so.
// RUN: ncnn-opt -O %t.param | filecheck %s --check-prefix=AGAIN
// RUN: ncnn-opt -O %t.param --fuse-rmsnorm | filecheck %s --check-prefix=AFTERWARDS

// OWN:         ncnn-opt: 7 -> 7 layers, 0 -> 0 bytes of weights
// OWN-NEXT:    ncnn-opt: newer releases would allow more: --for-ncnn 20240820 (RMSNorm 1)
// LATEST:      ncnn-opt: 7 -> 2 layers, 0 -> 0 bytes of weights
// LATEST-NEXT: ncnn-opt: BinaryOp 3 -> 0, RMSNorm 0 -> 1, Reduction 1 -> 0, Split 1 -> 0, UnaryOp 1 -> 0
// LATEST-NEXT: ncnn-opt: requires ncnn 20240820 now: RMSNorm 'y', layer type RMSNorm
// MISSED:      missed: fuse-rmsnorm: BinaryOp 'y', UnaryOp 's', BinaryOp 'e', Reduction 'v', BinaryOp 'q' (layer type RMSNorm requires ncnn 20240820)
// JSON:        {"rewrite": "fuse-rmsnorm", {{.*}} "note": "layer type RMSNorm requires ncnn 20240820", "missed": true}
// NEWER:       {{^}}newer releases would allow more: --for-ncnn 20240820 (RMSNorm 1)
// RAISED:      {{^}}requires ncnn 20240820 now: RMSNorm 'y', layer type RMSNorm
// AGAIN-NOT:   ncnn.rmsnorm
// AFTERWARDS:  ncnn.rmsnorm

// What does not run in a release is refused, and nothing is written.
// RUN: rm -f %t.none.param
// RUN: not ncnn-opt %t.new.param --for-ncnn 20240410 -o %t.none.param 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not ncnn-opt %t.new.param --for-ncnn 20240410 --check 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not ncnn-optimize %t.new.param %t.new.bin %t.none.param %t.none.bin 0 --for-ncnn 20240410 2>&1 | filecheck %s --check-prefix=REFUSED-BY
// RUN: not ls %t.none.param
// REFUSED: ncnn-opt: error: {{.*}}.new.param: the model does not run in ncnn 20240410: RMSNorm 'y' requires ncnn 20240820 (layer type RMSNorm); --for-ncnn 20240820 allows it
// REFUSED-BY: ncnn-optimize: error: {{.*}}.new.param: the model does not run in ncnn 20240410: RMSNorm 'y' requires ncnn 20240820 (layer type RMSNorm); --for-ncnn 20240820 allows it

// RUN: not ncnn-opt -O --for-ncnn 2024 %s 2>&1 | filecheck %s --check-prefix=UNKNOWN --match-full-lines
// RUN: not ncnn-optimize %t.param %t.bin %t.none.param %t.none.bin 0 --for-ncnn 2024 2>&1 | filecheck %s --check-prefix=UNKNOWN-BY --match-full-lines
// RUN: not ncnn-opt --ncnn-for-release=2024 %s 2>&1 | filecheck %s --check-prefix=UNKNOWN-PASS
// UNKNOWN: ncnn-opt: error: unknown ncnn release '2024'; known are 20240102, 20240410, 20240820, 20241226, 20250428, 20250503, 20250916, 20260113, 20260526, 20261020 and latest
// UNKNOWN-BY: ncnn-optimize: error: unknown ncnn release '2024'; known are 20240102, 20240410, 20240820, 20241226, 20250428, 20250503, 20250916, 20260113, 20260526, 20261020 and latest
// UNKNOWN-PASS: unknown ncnn release '2024'; known are 20240102, {{.*}}

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.binaryop %x, %x {name = "q", op_type = mul} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-06} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = rsqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
