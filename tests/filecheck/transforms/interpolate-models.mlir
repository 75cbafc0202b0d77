// RUN: ncnn-opt -p 'interpolate-models{fractions=0.25}' %s | filecheck %s --match-full-lines
// RUN: ncnn-opt -p 'interpolate-models{fractions=0.25}' --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: interpolate-models: 2 weights (2 models)

// The weights keep their types, and names those of the first model. Equal values stay.
// CHECK: builtin.module {
// CHECK-NEXT:   func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:     %w = ncnn.constant dense<[[1.500000e+00, 2.000000e+00], [4.000000e+00, 4.000000e+00]]> : tensor<2x2xf16>
// CHECK-NEXT:     %b = ncnn.constant dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:     %y = ncnn.innerproduct %x weight %w bias %b {name = "y", num_output = 2} : (tensor<2xf32>, tensor<2x2xf16>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:     %m = ncnn.constant {name = "m"} dense<[5.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:     %z = ncnn.binaryop %y, %m {name = "z", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:     func.return %z : tensor<2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  %b = ncnn.constant dense<[0.0, 0.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %x weight %w bias %b {name = "y", num_output = 2} : (tensor<2xf32>, tensor<2x2xf16>, tensor<2xf32>) -> tensor<2xf32>
  %m = ncnn.constant {name = "m"} dense<[5.000000e+00, 1.0]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %m {name = "z", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}
func.func @other(%in: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[3.0, 2.0], [7.0, 4.0]]> : tensor<2x2xf32>
  %b = ncnn.constant dense<[4.0, 0.0]> : tensor<2xf32>
  %y = ncnn.innerproduct %in weight %w bias %b {name = "fc", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %m = ncnn.constant {name = "mask"} dense<[5.000000e+00, 1.0]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %m {name = "sum", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}
