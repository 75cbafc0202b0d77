// RUN: ROUNDTRIP
// RUN: GENERIC

// A parameter whose values are in a file; one of which nobody says where it is; values; none.
// CHECK:      util.global private @w {file = "{{.*}}Inputs/floats.bin", offset = 4 : i64} = #flow.parameter.named<"model"::"w"> : tensor<5x4xf32>
util.global private @w {file = "Inputs/floats.bin", offset = 4 : i64} = #flow.parameter.named<"model"::"w"> : tensor<5x4xf32>
// CHECK-NEXT: util.global private @"conv1/w" = #flow.parameter.named<"conv1/w"> : tensor<5x4xi8>
util.global private @"conv1/w" = #flow.parameter.named<"conv1/w"> : tensor<5x4xi8>
// CHECK-NEXT: util.global public mutable @v {note = "x"} = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
util.global public mutable @v {note = "x"} = dense<[1.0, 2.0]> : tensor<2xf32>
// CHECK-NEXT: util.global @u : tensor<2xf32>
util.global @u : tensor<2xf32>

// CHECK:        %w = util.global.load @w : tensor<5x4xf32>
// CHECK-NEXT:   %c = util.global.load immutable @"conv1/w" : tensor<5x4xi8>
func.func @main() -> (tensor<5x4xf32>, tensor<5x4xi8>) {
  %w = util.global.load @w : tensor<5x4xf32>
  %c = util.global.load immutable @"conv1/w" : tensor<5x4xi8>
  // CHECK-NEXT: %b = iree_tensor_ext.compute_barrier.start %c : tensor<5x4xi8> -> tensor<5x4xi8>
  %b = iree_tensor_ext.compute_barrier.start %c : tensor<5x4xi8> -> tensor<5x4xi8>
  func.return %w, %b : tensor<5x4xf32>, tensor<5x4xi8>
}
