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
