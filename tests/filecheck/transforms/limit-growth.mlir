// RUN: ncnn-opt --limit-growth=percent=20 --fuse-conv-mul %s | filecheck %s --check-prefixes=CHECK,LESS
// RUN: ncnn-opt --limit-growth=percent=25 --fuse-conv-mul %s | filecheck %s --check-prefixes=CHECK,MORE
// RUN: ncnn-opt --limit-growth --fuse-conv-mul --round-weights %s | filecheck %s --check-prefixes=CHECK,LESS
// RUN: ncnn-opt -p "limit-growth{storage=original},fuse-conv-mul" --round-weights %s | filecheck %s --check-prefixes=CHECK,HALF
// RUN: ncnn-opt --fuse-conv-mul %s | filecheck %s --check-prefixes=CHECK,MORE

// A second run knows by the float32 weight what the first one has added.
// RUN: ncnn-opt --limit-growth=percent=25 --fuse-conv-mul %s > %t.once
// RUN: ncnn-opt --limit-growth=percent=25 --fuse-conv-mul %t.once | diff %t.once -

// The module carries the limit from pass to pass, also in plain xdsl-opt; -O removes it.
// RUN: xdsl-opt -p "limit-growth{percent=20}" %s | filecheck %s --check-prefix=CARRIED
// RUN: xdsl-opt -p "limit-growth{percent=25},fuse-conv-mul" %s | filecheck %s --check-prefix=SPENT
// RUN: xdsl-opt -p "limit-growth{percent=20}" %s | xdsl-opt -p fuse-conv-mul,convert-storage{storage=keep} | filecheck %s --check-prefixes=CHECK,LESS
// CARRIED: builtin.module attributes {ncnn.growth = {limit = 6 : i64, widened = 0 : i64, added = 0 : i64, storage = "keep"}}
// SPENT: builtin.module attributes {ncnn.growth = {limit = 8 : i64, widened = 8 : i64, added = 0 : i64, storage = "keep"}}

// RUN: ncnn-opt --limit-growth=percent=20 --fuse-conv-mul --remarks=missed %s 2>&1 >/dev/null | filecheck %s --check-prefix=MISSED
// MISSED: missed: fuse-conv-mul: Convolution 'd', BinaryOp 'wide' (it would add 8 bytes to the weights, and the limit leaves 6)

// RUN: not ncnn-opt --limit-growth=percent=-1 %s 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: not ncnn-opt --limit-growth=storage=int8 %s 2>&1 | filecheck %s --check-prefix=STORAGE
// NEGATIVE: percent must be a number of at least 0, not -1
// STORAGE: storage must be fp16, fp32, bf16, keep or original, not 'int8'

// Two weights of 8 bytes and one of 16. By 0.5 the first one is exact, by 0.3 the second is not.
// CHECK-NOT: ncnn.growth
// CHECK-DAG: %w = ncnn.constant dense<{{.*}}2.000000e+00]]]]> : tensor<2x2x1x1xf16>
// LESS-DAG:  %v = ncnn.constant dense<{{.*}}4.000000e+00]]]]> : tensor<2x2x1x1xf16>
// MORE-DAG:  %v = ncnn.constant dense<{{.*}}> : tensor<2x2x1x1xf32>
// HALF-DAG:  %v = ncnn.constant dense<{{.*}}> : tensor<2x2x1x1xf16>
// LESS:      b = 0.3
// MORE-NOT:  b = 0.3
// HALF-NOT:  b = 0.3
func.func @main(%x: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4xf32>) {
  %w = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf16>
  %c = ncnn.convolution %x weight %w {name = "c", num_output = 2, kernel_w = 1} : (tensor<2x4x4xf32>, tensor<2x2x1x1xf16>) -> tensor<2x4x4xf32>
  %exact = ncnn.binaryop %c {name = "exact", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %v = ncnn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf16>
  %d = ncnn.convolution %x weight %v {name = "d", num_output = 2, kernel_w = 1} : (tensor<2x4x4xf32>, tensor<2x2x1x1xf16>) -> tensor<2x4x4xf32>
  %wide = ncnn.binaryop %d {name = "wide", op_type = mul, with_scalar = 1, b = 0.3} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %out = ncnn.constant {name = "out"} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  func.return %exact, %wide, %out : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4xf32>
}
