// RUN: ncnn-opt --convert-storage="storage=fp32" %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --convert-storage="storage=fp32" %s > %t.once
// RUN: ncnn-opt --convert-storage="storage=fp32" %t.once | diff %t.once -
// RUN: ncnn-opt --convert-storage="storage=fp32" --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: ncnn-opt --storage=fp32 %s | diff %t.once -

// All values of float16 and bfloat16 are values of float32.
// REMARK: remark: convert-storage: InnerProduct 'half' (weight 'weight' f32 now, was f16)
// REMARK-NEXT: remark: convert-storage: InnerProduct 'bfloat' (weight 'weight' f32 now, was bf16)
// CHECK-LABEL: func.func @floats(%x: tensor<2xf32>) -> tensor<1xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<[[5.96046448e-08, -6.550400e+04]]> : tensor<1x2xf32>
// CHECK-NEXT:   %half = ncnn.innerproduct %x weight %w {name = "half", num_output = 1} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
// CHECK-NEXT:   %v = ncnn.constant dense<[[1.1015625]]> : tensor<1x1xf32>
// CHECK-NEXT:   %bfloat = ncnn.innerproduct %half weight %v {name = "bfloat", num_output = 1} : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<1xf32>
// CHECK-NEXT:   func.return %bfloat : tensor<1xf32>
// CHECK-NEXT: }
func.func @floats(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<[[5.960464477539063e-08, -65504.0]]> : tensor<1x2xf16>
  %half = ncnn.innerproduct %x weight %w {name = "half", num_output = 1} : (tensor<2xf32>, tensor<1x2xf16>) -> tensor<1xf32>
  %v = ncnn.constant dense<1.1015625> : tensor<1x1xbf16>
  %bfloat = ncnn.innerproduct %half weight %v {name = "bfloat", num_output = 1} : (tensor<1xf32>, tensor<1x1xbf16>) -> tensor<1xf32>
  func.return %bfloat : tensor<1xf32>
}

// MemoryData of another load_type would get a tag on export, since it is no float32: also this one.
// REMARK-NEXT: remark: convert-storage: MemoryData 'tagged' (f32 now, was f16)
// REMARK-NEXT: remark: convert-storage: MemoryData 'plain' (f32 now, was f16)
// CHECK-LABEL: func.func @memorydata() -> (tensor<2xf32>, tensor<2xf32>) {
// CHECK-NEXT:   %tagged = ncnn.constant {name = "tagged", load_type = 0} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %plain = ncnn.constant {name = "plain"} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %y = ncnn.binaryop %tagged, %plain {name = "y", op_type = add} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %y, %tagged : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: }
func.func @memorydata() -> (tensor<2xf32>, tensor<2xf16>) {
  %tagged = ncnn.constant {name = "tagged", load_type = 0} dense<[1.0, 2.0]> : tensor<2xf16>
  %plain = ncnn.constant {name = "plain"} dense<[1.0, 2.0]> : tensor<2xf16>
  %y = ncnn.binaryop %tagged, %plain {name = "y", op_type = add} : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf32>
  func.return %y, %tagged : tensor<2xf32>, tensor<2xf16>
}

// REMARK-NOT: remark

// They are float32 already.
// CHECK-LABEL: func.func @done(%x: tensor<2xf32>) -> tensor<1xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// CHECK-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 1} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
// CHECK-NEXT:   func.return %fc : tensor<1xf32>
// CHECK-NEXT: }
func.func @done(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 1} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}

// An int8 layer stays what it is.
// CHECK-LABEL: func.func @int8(%x: tensor<2xf32>) -> tensor<1xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<[[1, 2]]> : tensor<1x2xi8>
// CHECK-NEXT:   %s = ncnn.constant dense<[6.400000e+01]> : tensor<1xf32>
// CHECK-NEXT:   %fc = ncnn.innerproduct %x weight %w weight_int8_scales %s bottom_int8_scales %s {name = "fc", num_output = 1, int8_scale_term = 2} : (tensor<2xf32>, tensor<1x2xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// CHECK-NEXT:   func.return %fc : tensor<1xf32>
// CHECK-NEXT: }
func.func @int8(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<[[1, 2]]> : tensor<1x2xi8>
  %s = ncnn.constant dense<64.0> : tensor<1xf32>
  %fc = ncnn.innerproduct %x weight %w weight_int8_scales %s bottom_int8_scales %s {name = "fc", num_output = 1, int8_scale_term = 2} : (tensor<2xf32>, tensor<1x2xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}

// Values that were left out cannot be written, but their type could be said: it is not, either.
// CHECK-LABEL: func.func @elided(%x: tensor<64xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x64xf16>
// CHECK-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<64xf32>, tensor<2x64xf16>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @elided(%x: tensor<64xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x64xf16>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<64xf32>, tensor<2x64xf16>) -> tensor<2xf32>
  func.return %fc : tensor<2xf32>
}
