// RUN: INVALID

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: Noop 'noop': 2 outputs, but only 1 inputs
%y, %z = ncnn.noop %x {name = "noop", blobs = ["y", "z"]} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: Split 'split': 0 outputs, but the layer has at least 1
ncnn.split %x {name = "split"} : (tensor<8xf32>) -> ()

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: Split 'split': 2 inputs, but the layer has 1
%y, %z = ncnn.split %x, %x {name = "split", blobs = ["y", "z"]} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: Split 'split': 1 blob names for 2 blobs
%y, %z = ncnn.split %x {name = "split", blobs = ["y"]} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: 3 : i32 should be of base attribute string
%y = ncnn.deepcopy %x {name = "copy", blobs = [3 : i32]} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_structure.mlir:[[# @LINE + 2]]:50
// CHECK: Expected integer literal
%y = ncnn.deepcopy %x {name = "copy", featmask = "fp16"} : (tensor<8xf32>) -> tensor<8xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_structure.mlir:[[# @LINE + 2]]:19
// CHECK: there is no operation 'ncnn.unknown'
%y = ncnn.unknown %x {name = "copy"} : (tensor<8xf32>) -> tensor<8xf32>
