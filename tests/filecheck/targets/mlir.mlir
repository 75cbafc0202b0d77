// RUN: rm -rf %t && mkdir %t
// RUN: ncnn-opt %s -o %t/model.mlir
// RUN: filecheck %s --input-file=%t/model.mlir --match-full-lines
// RUN: ncnn-opt %t/model.mlir --inline-weights | filecheck %s --check-prefix=INLINE --match-full-lines
// RUN: ncnn-opt %t/model.mlir --elide-weights | filecheck %s --check-prefix=ELIDE --match-full-lines

// With more than 16 elements a weight goes to the .bin beside, each behind the one before, and the two files
// need no other: references are relative to the .mlir.

// CHECK:      %small = ncnn.constant dense<5.000000e-01> : tensor<16xf32>
// CHECK-NEXT: %large = ncnn.constant #ncnn.weight<"model.bin", 0> : tensor<17xf32>
// CHECK-NEXT: %bytes = ncnn.constant #ncnn.weight<"model.bin", 68> : tensor<17xi8>
// CHECK-NEXT: %half = ncnn.constant #ncnn.weight<"model.bin", 88> : tensor<17xf16>

// INLINE:      %small = ncnn.constant dense<5.000000e-01> : tensor<16xf32>
// INLINE-NEXT: %large = ncnn.constant dense<"0x0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F0000003F"> : tensor<17xf32>
// INLINE-NEXT: %bytes = ncnn.constant dense<"0x0707070707070707070707070707070707"> : tensor<17xi8>
// INLINE-NEXT: %half = ncnn.constant dense<"0x00380038003800380038003800380038003800380038003800380038003800380038"> : tensor<17xf16>

// ELIDE:      %small = ncnn.constant dense<5.000000e-01> : tensor<16xf32>
// ELIDE-NEXT: %large = ncnn.constant #ncnn.elided : tensor<17xf32>
// ELIDE-NEXT: %bytes = ncnn.constant #ncnn.elided : tensor<17xi8>
// ELIDE-NEXT: %half = ncnn.constant #ncnn.elided : tensor<17xf16>
%small = ncnn.constant dense<0.5> : tensor<16xf32>
%large = ncnn.constant dense<0.5> : tensor<17xf32>
%bytes = ncnn.constant dense<7> : tensor<17xi8>
%half = ncnn.constant dense<0.5> : tensor<17xf16>
