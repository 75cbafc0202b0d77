// RUN: ncnn-opt --print-debuginfo %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --print-debuginfo %s | ncnn-opt --print-debuginfo | filecheck %s --match-full-lines
// RUN: ncnn-opt --weights none --print-debuginfo %S/Inputs/net.param | filecheck %s --check-prefix=IMPORT

// CHECK: %x = "test.op"() : () -> tensor<8xf32> loc(unknown)
// CHECK: %y = ncnn.relu %x {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32> loc("net.param":3:1)
// CHECK: %z = ncnn.custom "Mine"(%y) {name = "mine"} : (tensor<8xf32>) -> tensor<*xf32> loc("net.param":4:1)
%x = "test.op"() : () -> tensor<8xf32>
%y = ncnn.relu %x {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32> loc("net.param":3:1)
%z = ncnn.custom "Mine"(%y) {name = "mine"} : (tensor<8xf32>) -> tensor<*xf32> loc("net.param":4:1)

// Imported layers know the line that they came from.
// IMPORT: ncnn.convolution {{.*}} loc("{{.*}}net.param":4:1)
// IMPORT: ncnn.batchnorm {{.*}} loc("{{.*}}net.param":5:1)
// IMPORT: ncnn.relu {{.*}} loc("{{.*}}net.param":6:1)

// Weights and inputs, too; merged layers keep the line of the first, replacements have that of the layer they replace.
// RUN: ncnn-opt -O --weights random --print-debuginfo %S/Inputs/net.param --elide-weights 2>%t.err | filecheck %s --check-prefix=FUSED
// FUSED:      func.func @main(%data: {{.*}} loc("{{.*}}net.param":3:1))
// FUSED:      ncnn.constant {{.*}} loc("{{.*}}net.param":4:1)
// FUSED:      ncnn.convolution {{.*}} loc("{{.*}}net.param":4:1)
// FUSED-NEXT: ncnn.pooling {{.*}} loc("{{.*}}net.param":7:1)
// FUSED:      ncnn.softmax {{.*}} loc("{{.*}}net.param":10:1)
// RUN: ncnn-opt --replace-reduction-with-global-pooling --print-debuginfo %S/Inputs/located.mlir | filecheck %s --check-prefix=REPLACED
// REPLACED: ncnn.pooling {{.*}} loc("net.param":7:1)

// The verifier's errors name the line.
// RUN: not ncnn-opt %S/Inputs/located_wrong.mlir 2>&1 | filecheck %s --check-prefix=WRONG
// WRONG: error: {{.*}}located_wrong.mlir: UnaryOp 'op': op_type is 28, greater than 27, at loc("net.param":9:1)
