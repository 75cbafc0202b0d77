// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %a, %b = "test.op"() : () -> (tensor<8x4x6xf32>, tensor<3x4xf32>, tensor<4x5xf32>)
%x, %a, %b = "test.op"() : () -> (tensor<8x4x6xf32>, tensor<3x4xf32>, tensor<4x5xf32>)

// CHECK-NEXT: %all = ncnn.reduction %x {name = "all", operation = mean} : (tensor<8x4x6xf32>) -> tensor<1xf32>
%all = ncnn.reduction %x {name = "all", operation = mean} : (tensor<8x4x6xf32>) -> tensor<1xf32>
// CHECK-NEXT: %axes = ncnn.reduction %x {name = "axes", operation = logsumexp, reduce_all = 0, coeff = 0.5, axes = [-1, 1], keepdims = 1, fixbug0 = 1} : (tensor<8x4x6xf32>) -> tensor<8x1x1xf32>
%axes = ncnn.reduction %x {name = "axes", operation = logsumexp, reduce_all = 0, coeff = 0.5, axes = [-1, 1], keepdims = 1, fixbug0 = 1} : (tensor<8x4x6xf32>) -> tensor<8x1x1xf32>
// CHECK-NEXT: %argmax = ncnn.argmax %x {name = "argmax", out_max_val = 1, topk = 5} : (tensor<8x4x6xf32>) -> tensor<2x5xf32>
%argmax = ncnn.argmax %x {name = "argmax", out_max_val = 1, topk = 5} : (tensor<8x4x6xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: %softmax = ncnn.softmax %x {name = "softmax"} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
%softmax = ncnn.softmax %x {name = "softmax"} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
// CHECK-NEXT: %inner = ncnn.softmax %x {name = "inner", axis = -1, fixbug0 = 1} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
%inner = ncnn.softmax %x {name = "inner", axis = -1, fixbug0 = 1} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
// CHECK-NEXT: %cumulative = ncnn.cumulativesum %x {name = "cumulative", axis = 2} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
%cumulative = ncnn.cumulativesum %x {name = "cumulative", axis = 2} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
// CHECK-NEXT: %glu = ncnn.glu %x {name = "glu", axis = -1} : (tensor<8x4x6xf32>) -> tensor<8x4x3xf32>
%glu = ncnn.glu %x {name = "glu", axis = -1} : (tensor<8x4x6xf32>) -> tensor<8x4x3xf32>

// ij,jk->ik is not one of the runtime's; "ik,kj->ij" is, as characters. And "ii", the trace.
// CHECK-NEXT: %einsum = ncnn.einsum %a, %b {name = "einsum", equation = [105, 107, 44, 107, 106, 45, 62, 105, 106]} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
%einsum = ncnn.einsum %a, %b {name = "einsum", equation = [105, 107, 44, 107, 106, 45, 62, 105, 106]} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: %trace = ncnn.einsum %a {name = "trace", equation = [105, 105]} : (tensor<3x4xf32>) -> tensor<1xf32>
%trace = ncnn.einsum %a {name = "trace", equation = [105, 105]} : (tensor<3x4xf32>) -> tensor<1xf32>

// CHECK-NEXT: %sum_default = ncnn.reduction %x {name = "sum_default"} : (tensor<8x4x6xf32>) -> tensor<1xf32>
%sum_default = ncnn.reduction %x {name = "sum_default", operation = sum, reduce_all = 1, coeff = 1.0, axes = [], keepdims = 0, fixbug0 = 0} : (tensor<8x4x6xf32>) -> tensor<1xf32>
// CHECK-NEXT: %argmax_default = ncnn.argmax %x {name = "argmax_default"} : (tensor<8x4x6xf32>) -> tensor<1x1xf32>
%argmax_default = ncnn.argmax %x {name = "argmax_default", out_max_val = 0, topk = 1} : (tensor<8x4x6xf32>) -> tensor<1x1xf32>
