// RUN: not ncnn-opt %s 2>&1 | filecheck %s --match-full-lines
// RUN: ncnn-opt --disable-verify %s | filecheck %s --check-prefix=UNCHECKED

// What the verifier refuses names the layer, the line and the value.
%x = "test.op"() : () -> tensor<8xf32>
// CHECK: ncnn-opt: error: {{.*}}verify_error.mlir: UnaryOp 'op': op_type is 28, greater than 27, at line 8 (%y)
// UNCHECKED: %y = ncnn.unaryop %x {name = "op", op_type = 28} : (tensor<8xf32>) -> tensor<8xf32>
%y = ncnn.unaryop %x {name = "op", op_type = 28} : (tensor<8xf32>) -> tensor<8xf32>
