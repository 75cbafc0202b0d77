// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %h = "test.op"() : () -> (tensor<10x4x4xf32>, tensor<10x4x4xf16>)
%x, %h = "test.op"() : () -> (tensor<10x4x4xf32>, tensor<10x4x4xf16>)

// CHECK-NEXT: %half = ncnn.cast %x {name = "half", type_from = float32, type_to = float16} : (tensor<10x4x4xf32>) -> tensor<10x4x4xf16>
%half = ncnn.cast %x {name = "half", type_from = float32, type_to = float16} : (tensor<10x4x4xf32>) -> tensor<10x4x4xf16>
// CHECK-NEXT: %brain = ncnn.cast %h {name = "brain", type_from = float16, type_to = bfloat16} : (tensor<10x4x4xf16>) -> tensor<10x4x4xbf16>
%brain = ncnn.cast %h {name = "brain", type_from = float16, type_to = bfloat16} : (tensor<10x4x4xf16>) -> tensor<10x4x4xbf16>
// CHECK-NEXT: %byte = ncnn.cast %x {name = "byte", type_to = int8} : (tensor<10x4x4xf32>) -> tensor<10x4x4xi8>
%byte = ncnn.cast %x {name = "byte", type_to = int8} : (tensor<10x4x4xf32>) -> tensor<10x4x4xi8>
// A type that has no word (yet).
// CHECK-NEXT: %later = ncnn.cast %x {name = "later", type_from = float32, type_to = 9} : (tensor<10x4x4xf32>) -> tensor<*xf32>
%later = ncnn.cast %x {name = "later", type_from = float32, type_to = 9} : (tensor<10x4x4xf32>) -> tensor<*xf32>
// CHECK-NEXT: %packed = ncnn.packing %x {name = "pack4", out_elempack = 4, use_padding = 1, cast_type_from = float32, cast_type_to = bfloat16} : (tensor<10x4x4xf32>) -> tensor<12x4x4xf32>
%packed = ncnn.packing %x {name = "pack4", out_elempack = 4, use_padding = 1, cast_type_from = float32, cast_type_to = bfloat16} : (tensor<10x4x4xf32>) -> tensor<12x4x4xf32>
// CHECK-NEXT: %unpacked = ncnn.packing %x {name = "pack1"} : (tensor<10x4x4xf32>) -> tensor<10x4x4xf32>
%unpacked = ncnn.packing %x {name = "pack1"} : (tensor<10x4x4xf32>) -> tensor<10x4x4xf32>

// CHECK-NEXT: %auto = ncnn.cast %x {name = "auto"} : (tensor<10x4x4xf32>) -> tensor<10x4x4xf32>
%auto = ncnn.cast %x {name = "auto", type_from = auto, type_to = auto} : (tensor<10x4x4xf32>) -> tensor<10x4x4xf32>
// CHECK-NEXT: %pack_default = ncnn.packing %x {name = "pack_default"} : (tensor<10x4x4xf32>) -> tensor<10x4x4xf32>
%pack_default = ncnn.packing %x {name = "pack_default", out_elempack = 1, use_padding = 0} : (tensor<10x4x4xf32>) -> tensor<10x4x4xf32>
