// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %y, %c, %any = "test.op"() : () -> (tensor<8x4x4xf32>, tensor<8x4x4xf32>, tensor<8xf32>, tensor<*xf32>)
%x, %y, %c, %any = "test.op"() : () -> (tensor<8x4x4xf32>, tensor<8x4x4xf32>, tensor<8xf32>, tensor<*xf32>)

// CHECK-NEXT: %power = ncnn.power %x {name = "square", power = 2.0, scale = 0.5, shift = -1.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%power = ncnn.power %x {name = "square", power = 2.0, scale = 0.5, shift = -1.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %dropout = ncnn.dropout %x {name = "drop"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%dropout = ncnn.dropout %x {name = "drop"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %dropout_scale = ncnn.dropout %x {name = "drop_scale", scale = 0.5} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%dropout_scale = ncnn.dropout %x {name = "drop_scale", scale = 0.5} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %sum = ncnn.binaryop %x, %y {name = "sum", op_type = add} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%sum = ncnn.binaryop %x, %y {name = "sum", op_type = add} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %gated = ncnn.binaryop %x, %c {name = "gated", op_type = mul} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
%gated = ncnn.binaryop %x, %c {name = "gated", op_type = mul} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %scalar = ncnn.binaryop %any {name = "scalar", op_type = rsub, with_scalar = 1, b = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
%scalar = ncnn.binaryop %any {name = "scalar", op_type = rsub, with_scalar = 1, b = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
// CHECK-NEXT: %remainder = ncnn.binaryop %x, %y {name = "remainder", op_type = rremainder} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%remainder = ncnn.binaryop %x, %y {name = "remainder", op_type = rremainder} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %product = ncnn.eltwise %x, %y {name = "product", op_type = prod} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%product = ncnn.eltwise %x, %y {name = "product", op_type = prod} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %weighted = ncnn.eltwise %x, %y, %x {name = "weighted", op_type = sum, coeffs = [1.0, -0.5, 0.25]} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%weighted = ncnn.eltwise %x, %y, %x {name = "weighted", op_type = sum, coeffs = [1.0, -0.5, 0.25]} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %largest = ncnn.eltwise %x, %y {name = "largest", op_type = max} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%largest = ncnn.eltwise %x, %y {name = "largest", op_type = max} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// Defaults disappear, an empty list of coefficients among them; but which operation it is stays.
// CHECK-NEXT: %power_default = ncnn.power %x {name = "power_default"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%power_default = ncnn.power %x {name = "power_default", power = 1.0, scale = 1.0, shift = 0.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %dropout_default = ncnn.dropout %x {name = "dropout_default"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%dropout_default = ncnn.dropout %x {name = "dropout_default", scale = 1.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %add_default = ncnn.binaryop %x {name = "add_default", op_type = add, with_scalar = 1} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%add_default = ncnn.binaryop %x {name = "add_default", op_type = add, with_scalar = 1, b = 0.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %prod_default = ncnn.eltwise %x, %y {name = "prod_default", op_type = prod} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%prod_default = ncnn.eltwise %x, %y {name = "prod_default", op_type = prod, coeffs = []} : (tensor<8x4x4xf32>, tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
