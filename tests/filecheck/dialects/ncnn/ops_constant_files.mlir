// RUN: ROUNDTRIP
// RUN: GENERIC
// RUN: ncnn-opt --inline-weights %s | filecheck %s --match-full-lines --check-prefix=INLINE

// Slices of a file, from a byte on. floats.bin holds the floats 0, 1, 2, … 23; table.bin a tag, a table of the
// floats 0 … 255, and the bytes 0 … 19, which are indices into it. References stay what they are.

// CHECK:       %large = ncnn.constant #ncnn.weight<"{{.*}}Inputs/floats.bin", 0> : tensor<4x5xf32>
// INLINE:      %large = ncnn.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E040000000410000104100002041000030410000404100005041000060410000704100008041000088410000904100009841"> : tensor<4x5xf32>
%large = ncnn.constant #ncnn.weight<"Inputs/floats.bin", 0> : tensor<4x5xf32>

// CHECK-NEXT:  %scaled = ncnn.constant #ncnn.weight<"{{.*}}Inputs/floats.bin", 16, scaled> : tensor<20xf32>
// INLINE-NEXT: %scaled = ncnn.constant dense<"0x000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000A0410000A8410000B0410000B841"> : tensor<20xf32>
%scaled = ncnn.constant #ncnn.weight<"Inputs/floats.bin", 16, scaled> : tensor<20xf32>

// CHECK-NEXT:  %table = ncnn.constant #ncnn.weight<"{{.*}}Inputs/table.bin", 0, table> : tensor<20xf32>
// INLINE-NEXT: %table = ncnn.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E040000000410000104100002041000030410000404100005041000060410000704100008041000088410000904100009841"> : tensor<20xf32>
%table = ncnn.constant #ncnn.weight<"Inputs/table.bin", 0, table> : tensor<20xf32>

// CHECK-NEXT:  %bytes = ncnn.constant #ncnn.weight<"{{.*}}Inputs/table.bin", 1028> : tensor<20xi8>
// INLINE-NEXT: %bytes = ncnn.constant dense<"0x000102030405060708090A0B0C0D0E0F10111213"> : tensor<20xi8>
%bytes = ncnn.constant #ncnn.weight<"Inputs/table.bin", 1028> : tensor<20xi8>

// Up to 16 elements are a list, wherever they are.
// CHECK-NEXT:  %small = ncnn.constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>
// INLINE-NEXT: %small = ncnn.constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>
%small = ncnn.constant #ncnn.weight<"Inputs/floats.bin", 8> : tensor<3xf32>
