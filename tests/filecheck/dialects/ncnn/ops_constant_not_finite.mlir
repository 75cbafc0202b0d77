// RUN: ROUNDTRIP

// A list could not tell one NaN from another, and has no words for infinities: they are hex. (Not so
// in the generic form, which xDSL prints by itself and does not read back.)

// CHECK:      %nan = ncnn.constant dense<"0x000000000100C07F"> : tensor<2xf32>
%nan = ncnn.constant dense<"0x000000000100C07F"> : tensor<2xf32>
// CHECK-NEXT: %infinite = ncnn.constant dense<"0x0000807F000080FF"> : tensor<2xf32>
%infinite = ncnn.constant dense<"0x0000807F000080FF"> : tensor<2xf32>
// CHECK-NEXT: %mask = ncnn.constant {name = "mask"} dense<"0x000080FF000080FF00000000"> : tensor<3xf32>
%mask = ncnn.constant {name = "mask"} dense<"0x000080FF000080FF00000000"> : tensor<3xf32>
