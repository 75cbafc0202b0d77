// RUN: ROUNDTRIP
// RUN: GENERIC

// Up to 16 elements print as a list, in MLIR's own form of floats; more as hex, which parses faster.
// CHECK:      %vector = ncnn.constant dense<[1.000000e+00, -5.000000e-01, -0.000000e+00]> : tensor<3xf32>
%vector = ncnn.constant dense<[1.000000e+00, -5.000000e-01, -0.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: %third = ncnn.constant dense<[0.333333343, 3.40282347e+38]> : tensor<2xf32>
%third = ncnn.constant dense<[0.333333343, 3.40282347e+38]> : tensor<2xf32>
// CHECK-NEXT: %matrix = ncnn.constant dense<[[1, -2], [3, 127]]> : tensor<2x2xi8>
%matrix = ncnn.constant dense<[[1, -2], [3, 127]]> : tensor<2x2xi8>
// CHECK-NEXT: %half = ncnn.constant dense<[6.550400e+04, -2.500000e-01]> : tensor<2xf16>
%half = ncnn.constant dense<[6.550400e+04, -2.500000e-01]> : tensor<2xf16>
// CHECK-NEXT: %splat = ncnn.constant dense<5.000000e-01> : tensor<4x4xf32>
%splat = ncnn.constant dense<5.000000e-01> : tensor<4x4xf32>
// CHECK-NEXT: %integers = ncnn.constant dense<[1, 2]> : tensor<2xi32>
%integers = ncnn.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT: %large_splat = ncnn.constant dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<17xf32>
%large_splat = ncnn.constant dense<1.0> : tensor<17xf32>
// CHECK-NEXT: %hex = ncnn.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041000080410000883F"> : tensor<18xf32>
%hex = ncnn.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041000080410000883F"> : tensor<18xf32>

// Values that are not in the text: an element type and a shape are all there is.
// CHECK-NEXT: %elided = ncnn.constant #ncnn.elided : tensor<64x3x7x7xf16>
%elided = ncnn.constant #ncnn.elided : tensor<64x3x7x7xf16>
// CHECK-NEXT: %random = ncnn.constant #ncnn.random<seed = 0, stream = 3> : tensor<64x3x7x7xf32>
%random = ncnn.constant #ncnn.random<seed = 0, stream = 3> : tensor<64x3x7x7xf32>
// CHECK-NEXT: %variance = ncnn.constant #ncnn.random<seed = 42, stream = 0, positive> : tensor<64xf32>
%variance = ncnn.constant #ncnn.random<seed = 42, stream = 0, positive> : tensor<64xf32>

// MemoryData layers have a name; their extents are those of the type.
// CHECK-NEXT: %memory = ncnn.constant {name = "pos_embed"} dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
%memory = ncnn.constant {name = "pos_embed"} dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// CHECK-NEXT: %renamed = ncnn.constant {name = "memory", blobs = ["table"], load_type = 0} #ncnn.elided : tensor<2x3x4x5xf16>
%renamed = ncnn.constant {name = "memory", blobs = ["table"], load_type = 0} #ncnn.elided : tensor<2x3x4x5xf16>
// CHECK-NEXT: %default = ncnn.constant {name = "load_type_default"} #ncnn.elided : tensor<8xf32>
%default = ncnn.constant {name = "load_type_default", load_type = 1} #ncnn.elided : tensor<8xf32>
