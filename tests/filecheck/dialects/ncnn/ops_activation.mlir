// RUN: ROUNDTRIP
// RUN: GENERIC

// Activations keep the type of their blob, whatever its rank.
// CHECK:      %v, %m, %x, %q, %any = "test.op"() : () -> (tensor<8xf32>, tensor<8x16xf32>, tensor<8x4x4xf32>, tensor<8x2x4x4xf32>, tensor<*xf32>)
%v, %m, %x, %q, %any = "test.op"() : () -> (tensor<8xf32>, tensor<8x16xf32>, tensor<8x4x4xf32>, tensor<8x2x4x4xf32>, tensor<*xf32>)
// CHECK-NEXT: %slopes = ncnn.constant dense<[2.500000e-01, -5.000000e-01, 1.000000e+00, 0.000000e+00, 1.000000e-01, 2.000000e+00, -0.000000e+00, 1.000000e-03]> : tensor<8xf32>
%slopes = ncnn.constant dense<[0.25, -0.5, 1.0, 0.0, 0.1, 2.0, -0.0, 1.0e-3]> : tensor<8xf32>
// CHECK-NEXT: %slope = ncnn.constant dense<[2.500000e-01]> : tensor<1xf32>
%slope = ncnn.constant dense<0.25> : tensor<1xf32>

// CHECK-NEXT: %absval = ncnn.absval %v {name = "absval"} : (tensor<8xf32>) -> tensor<8xf32>
%absval = ncnn.absval %v {name = "absval"} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %bnll = ncnn.bnll %m {name = "bnll"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
%bnll = ncnn.bnll %m {name = "bnll"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT: %celu = ncnn.celu %x {name = "celu", alpha = 0.5} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%celu = ncnn.celu %x {name = "celu", alpha = 0.5} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %relu6 = ncnn.clip %x {name = "relu6", min = 0.0, max = 6.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%relu6 = ncnn.clip %x {name = "relu6", min = 0.0, max = 6.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %elu = ncnn.elu %x {name = "elu", alpha = 1.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%elu = ncnn.elu %x {name = "elu", alpha = 1.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %erf = ncnn.erf %q {name = "erf"} : (tensor<8x2x4x4xf32>) -> tensor<8x2x4x4xf32>
%erf = ncnn.erf %q {name = "erf"} : (tensor<8x2x4x4xf32>) -> tensor<8x2x4x4xf32>
// CHECK-NEXT: %exp = ncnn.exp %v {name = "exp2", base = 2.0, scale = -1.0, shift = 0.5} : (tensor<8xf32>) -> tensor<8xf32>
%exp = ncnn.exp %v {name = "exp2", base = 2.0, scale = -1.0, shift = 0.5} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %gelu = ncnn.gelu %m {name = "gelu", fast_gelu = 1} : (tensor<8x16xf32>) -> tensor<8x16xf32>
%gelu = ncnn.gelu %m {name = "gelu", fast_gelu = 1} : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT: %hardsigmoid = ncnn.hardsigmoid %x {name = "hsig", alpha = 0.16666667} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%hardsigmoid = ncnn.hardsigmoid %x {name = "hsig", alpha = 0.16666667} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %hardswish = ncnn.hardswish %x {name = "hswish", alpha = 0.16666667, beta = 0.6} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%hardswish = ncnn.hardswish %x {name = "hswish", alpha = 0.16666667, beta = 0.6} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %log = ncnn.log %any {name = "log2", base = 2.0, scale = 2.0, shift = 1.0e-06} : (tensor<*xf32>) -> tensor<*xf32>
%log = ncnn.log %any {name = "log2", base = 2.0, scale = 2.0, shift = 1.0e-06} : (tensor<*xf32>) -> tensor<*xf32>
// CHECK-NEXT: %mish = ncnn.mish %x {name = "mish"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%mish = ncnn.mish %x {name = "mish"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %prelu = ncnn.prelu %x slope %slopes {name = "prelu"} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
%prelu = ncnn.prelu %x slope %slopes {name = "prelu"} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %prelu_shared = ncnn.prelu %any slope %slope {name = "prelu_shared"} : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
%prelu_shared = ncnn.prelu %any slope %slope {name = "prelu_shared"} : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
// CHECK-NEXT: %relu = ncnn.relu %x {name = "relu"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%relu = ncnn.relu %x {name = "relu"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %leaky = ncnn.relu %x {name = "leaky", slope = 0.1} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%leaky = ncnn.relu %x {name = "leaky", slope = 0.1} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %selu = ncnn.selu %m {name = "selu", alpha = 1.5, lambd = 2.0} : (tensor<8x16xf32>) -> tensor<8x16xf32>
%selu = ncnn.selu %m {name = "selu", alpha = 1.5, lambd = 2.0} : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT: %shrink = ncnn.shrink %m {name = "shrink", bias = 0.5, lambd = 0.25} : (tensor<8x16xf32>) -> tensor<8x16xf32>
%shrink = ncnn.shrink %m {name = "shrink", bias = 0.5, lambd = 0.25} : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT: %sigmoid = ncnn.sigmoid %v {name = "prob"} : (tensor<8xf32>) -> tensor<8xf32>
%sigmoid = ncnn.sigmoid %v {name = "prob"} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %softplus = ncnn.softplus %v {name = "softplus"} : (tensor<8xf32>) -> tensor<8xf32>
%softplus = ncnn.softplus %v {name = "softplus"} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %swish = ncnn.swish %x {name = "swish"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%swish = ncnn.swish %x {name = "swish"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %tanh = ncnn.tanh %m {name = "tanh"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
%tanh = ncnn.tanh %m {name = "tanh"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT: %threshold = ncnn.threshold %m {name = "threshold", threshold = 0.5} : (tensor<8x16xf32>) -> tensor<8x16xf32>
%threshold = ncnn.threshold %m {name = "threshold", threshold = 0.5} : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT: %abs = ncnn.unaryop %v {name = "abs", op_type = abs} : (tensor<8xf32>) -> tensor<8xf32>
%abs = ncnn.unaryop %v {name = "abs", op_type = abs} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %sqrt = ncnn.unaryop %v {name = "sqrt", op_type = sqrt} : (tensor<8xf32>) -> tensor<8xf32>
%sqrt = ncnn.unaryop %v {name = "sqrt", op_type = sqrt} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %log1p = ncnn.unaryop %v {name = "log1p", op_type = log1p} : (tensor<8xf32>) -> tensor<8xf32>
%log1p = ncnn.unaryop %v {name = "log1p", op_type = log1p} : (tensor<8xf32>) -> tensor<8xf32>

// Defaults are not printed, in whatever way they are written: one model has one text.
// CHECK-NEXT: %sqrt_number = ncnn.unaryop %v {name = "sqrt_number", op_type = sqrt} : (tensor<8xf32>) -> tensor<8xf32>
%sqrt_number = ncnn.unaryop %v {name = "sqrt_number", op_type = 5} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %relu_default = ncnn.relu %v {name = "relu_default"} : (tensor<8xf32>) -> tensor<8xf32>
%relu_default = ncnn.relu %v {name = "relu_default", slope = 0.0} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %clip_default = ncnn.clip %v {name = "clip_default", max = 6.0} : (tensor<8xf32>) -> tensor<8xf32>
%clip_default = ncnn.clip %v {name = "clip_default", min = -3.4028234663852886e+38, max = 6.0} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %hardsigmoid_default = ncnn.hardsigmoid %v {name = "hardsigmoid_default"} : (tensor<8xf32>) -> tensor<8xf32>
%hardsigmoid_default = ncnn.hardsigmoid %v {name = "hardsigmoid_default", alpha = 0.2, beta = 0.5} : (tensor<8xf32>) -> tensor<8xf32>

// Floats print as the shortest decimal of their float32. -0.0 is not the default 0.0.
// CHECK-NEXT: %negative_zero = ncnn.relu %v {name = "negative_zero", slope = -0.0} : (tensor<8xf32>) -> tensor<8xf32>
%negative_zero = ncnn.relu %v {name = "negative_zero", slope = -0.0} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %tiny = ncnn.relu %v {name = "tiny", slope = 1.0e-45} : (tensor<8xf32>) -> tensor<8xf32>
%tiny = ncnn.relu %v {name = "tiny", slope = 1.0e-45} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %third = ncnn.relu %v {name = "third", slope = 0.33333334} : (tensor<8xf32>) -> tensor<8xf32>
%third = ncnn.relu %v {name = "third", slope = 0.3333333333333333} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %integer = ncnn.relu %v {name = "integer", slope = 2.0} : (tensor<8xf32>) -> tensor<8xf32>
%integer = ncnn.relu %v {name = "integer", slope = 2} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %infinite = ncnn.clip %v {name = "infinite", min = -inf, max = inf} : (tensor<8xf32>) -> tensor<8xf32>
%infinite = ncnn.clip %v {name = "infinite", min = -inf, max = inf} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %large = ncnn.clip %v {name = "large", max = 1.0e+30} : (tensor<8xf32>) -> tensor<8xf32>
%large = ncnn.clip %v {name = "large", max = 1.0e+30} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %not_a_number = ncnn.relu %v {name = "not_a_number", slope = nan} : (tensor<8xf32>) -> tensor<8xf32>
%not_a_number = ncnn.relu %v {name = "not_a_number", slope = nan} : (tensor<8xf32>) -> tensor<8xf32>
