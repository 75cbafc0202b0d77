// RUN: INVALID

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_custom.mlir:[[# @LINE + 2]]:18
// CHECK: string literal expected for the layer's type
%y = ncnn.custom MyLayer(%x) {name = "mine"} : (tensor<8xf32>) -> tensor<*xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_custom.mlir:[[# @LINE + 2]]:28
// CHECK: '(' expected
%y = ncnn.custom "MyLayer" %x {name = "mine"} : (tensor<8xf32>) -> tensor<*xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: invalid_custom.mlir:[[# @LINE + 2]]:62
// CHECK: expected 1 operand types but had 2
%y = ncnn.custom "MyLayer"(%x) weights(%x) {name = "mine"} : (tensor<8xf32>) -> tensor<*xf32>

// -----

// A weight is a flat list of floats in the file.
%x = "test.op"() : () -> tensor<8xf32>
%w = ncnn.constant #ncnn.elided : tensor<2x4xf32>
// CHECK: MyLayer 'mine': weight 'weight0' has shape 2x4, but the parameters need 8
%y = ncnn.custom "MyLayer"(%x) weights(%w) {name = "mine"} : (tensor<8xf32>, tensor<2x4xf32>) -> tensor<*xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: MyLayer 'mine': 0 blob names for 1 blobs
%y = ncnn.custom "MyLayer"(%x) {name = "mine", blobs = []} : (tensor<8xf32>) -> tensor<*xf32>

// -----

// What is in `extra` is a parameter under its id.
%x = "test.op"() : () -> tensor<8xf32>
// CHECK: MyLayer 'mine': {{.*}}'kernel' is not a parameter id
%y = ncnn.custom "MyLayer"(%x) {name = "mine", extra = {"kernel" = 3 : i32}} : (tensor<8xf32>) -> tensor<*xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: MyLayer 'mine': {{.*}}3 : i64
%y = ncnn.custom "MyLayer"(%x) {name = "mine", extra = {"0" = 3 : i64}} : (tensor<8xf32>) -> tensor<*xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: MyLayer 'mine': {{.*}}32{{.*}} is not a parameter id
%y = ncnn.custom "MyLayer"(%x) {name = "mine", extra = {"32" = 3 : i32}} : (tensor<8xf32>) -> tensor<*xf32>

// -----

%x = "test.op"() : () -> tensor<8xf32>
// CHECK: 3 : i32 should be of base attribute dictionary
%y = ncnn.custom "MyLayer"(%x) {name = "mine", extra = 3 : i32} : (tensor<8xf32>) -> tensor<*xf32>

// -----

// A declared parameter has its name, not its id.
%x = "test.op"() : () -> tensor<8xf32>
// CHECK: ReLU 'relu': {{.*}}slope
%y = ncnn.relu %x {name = "relu", extra = {"0" = 1.000000e-01 : f32}} : (tensor<8xf32>) -> tensor<8xf32>
