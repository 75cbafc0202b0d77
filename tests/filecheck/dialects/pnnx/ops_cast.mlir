// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %any = "test.op"() : () -> (tensor<49x128xf32>, tensor<*xf32>)
%x, %any = "test.op"() : () -> (tensor<49x128xf32>, tensor<*xf32>)
// CHECK-NEXT: %flat = pnnx.cast %x : tensor<49x128xf32> to tensor<6272xf32>
%flat = pnnx.cast %x : tensor<49x128xf32> to tensor<6272xf32>
// CHECK-NEXT: %batch = pnnx.cast %x {from_batch = 1 : i32} : tensor<49x128xf32> to tensor<49x16x128xf32>
%batch = pnnx.cast %x {from_batch = 1 : i32} : tensor<49x128xf32> to tensor<49x16x128xf32>

// Of what is not known nothing is asked.
// CHECK-NEXT: %a = pnnx.cast %x {from_batch = 1 : i32} : tensor<49x128xf32> to tensor<*xf32>
%a = pnnx.cast %x {from_batch = 1 : i32} : tensor<49x128xf32> to tensor<*xf32>
// CHECK-NEXT: %b = pnnx.cast %any {to_batch = 0 : i32} : tensor<*xf32> to tensor<49x128xf32>
%b = pnnx.cast %any {to_batch = 0 : i32} : tensor<*xf32> to tensor<49x128xf32>
// CHECK-NEXT: %c = pnnx.cast %any {from_batch = 2 : i32} : tensor<*xf32> to tensor<3x4x5xf32>
%c = pnnx.cast %any {from_batch = 2 : i32} : tensor<*xf32> to tensor<3x4x5xf32>
