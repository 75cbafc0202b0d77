// RUN: ROUNDTRIP

// Names beyond ASCII, and what else somebody has written down.
// CHECK:      %x = "test.op"() : () -> tensor<4x6x7xf32>
%x = "test.op"() : () -> tensor<4x6x7xf32>
// CHECK-NEXT: %y = fused.pool max %x global {note = "\C3\A4", name = "pool\C3\A9", blob = "\C3\BC"} : (tensor<4x6x7xf32>) -> tensor<4xf32>
%y = fused.pool max %x global {name = "poolé", blob = "ü", note = "ä"} : (tensor<4x6x7xf32>) -> tensor<4xf32>
