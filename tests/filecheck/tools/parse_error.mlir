// RUN: not ncnn-opt %s 2>&1 | filecheck %s --match-full-lines
// RUN: not ncnn-opt < %s 2>&1 | filecheck %s --check-prefix=STDIN --match-full-lines

// Where, and what: one line.
%x = "test.op"() : () -> tensor<8xf32>
%y = ncnn.relu %x {name = "relu", slope = steep} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: ncnn-opt: error: {{.*}}parse_error.mlir:[[# @LINE - 1]]:43: integer or float literal expected
// STDIN: ncnn-opt: error: stdin:[[# @LINE - 2]]:43: integer or float literal expected
