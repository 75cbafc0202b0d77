// RUN: ncnn-opt --convert-storage="storage=fp16" %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --convert-storage="storage=fp16" %s > %t.once
// RUN: ncnn-opt --convert-storage="storage=fp16" %t.once | diff %t.once -
// RUN: ncnn-opt --convert-storage="storage=fp16" --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: ncnn-opt --storage fp16 %s | diff %t.once -
// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --storage keep %s | diff %t.before -

// A weight has a tag in the file, a bias has not.
// REMARK: remark: convert-storage: Convolution 'conv' (weight 'weight' f16 now, was f32)
// CHECK-LABEL: func.func @convolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<[[[[1.099610e+00]]], [[[2.000000e+00]]]]> : tensor<2x1x1x1xf16>
// CHECK-NEXT:   %b = ncnn.constant dense<[1.100000e+00, 2.000000e+01]> : tensor<2xf32>
// CHECK-NEXT:   %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf16>, tensor<2xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT:   func.return %conv : tensor<2x1x1xf32>
// CHECK-NEXT: }
func.func @convolution(%x: tensor<1x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[[[[1.1]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ncnn.constant dense<[1.1, 20.0]> : tensor<2xf32>
  %conv = ncnn.convolution %x weight %w bias %b {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %conv : tensor<2x1x1xf32>
}

// bfloat16 has fewer bits: the values stay the same.
// REMARK-NEXT: remark: convert-storage: InnerProduct 'fc' (weight 'weight' f16 now, was bf16)
// CHECK-LABEL: func.func @bfloat16(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<[[1.101560e+00, -2.000000e+00], [0.000000e+00, 5.000000e-01]]> : tensor<2x2xf16>
// CHECK-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<2xf32>, tensor<2x2xf16>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @bfloat16(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.1015625, -2.0], [0.0, 0.5]]> : tensor<2x2xbf16>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<2xf32>, tensor<2x2xbf16>) -> tensor<2xf32>
  func.return %fc : tensor<2xf32>
}

// [2049, 65519, 2^-24, 2^-25, inf, nan] to nearest: 2049 lies between 2048 and 2050 and goes to the
// even one, 65519 to 65504, the largest of all; 2^-24 is the smallest, and half of it becomes 0.
// REMARK-NEXT: remark: convert-storage: InnerProduct 'fc' (weight 'weight' f16 now, was f32; 1 value of 6 became 0)
// CHECK-LABEL: func.func @rounding(%x: tensor<6xf32>) -> tensor<1xf32> {
// CHECK-NEXT:   %w = ncnn.constant dense<"0x0068FF7B01000000007C007E"> : tensor<1x6xf16>
// CHECK-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 1} : (tensor<6xf32>, tensor<1x6xf16>) -> tensor<1xf32>
// CHECK-NEXT:   func.return %fc : tensor<1xf32>
// CHECK-NEXT: }
func.func @rounding(%x: tensor<6xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<"0x0010004500EF7F4700008033000000330000807F0000C07F"> : tensor<1x6xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 1} : (tensor<6xf32>, tensor<1x6xf32>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}

// Every weight with a tag, not only the first.
// REMARK-NEXT: remark: convert-storage: Gemm 'gemm' (weight 'B' f16 now, was f32)
// REMARK-NEXT: remark: convert-storage: Gemm 'gemm' (weight 'C' f16 now, was f32)
// CHECK-LABEL: func.func @all_tagged(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT:   %b = ncnn.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf16>
// CHECK-NEXT:   %c = ncnn.constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf16>
// CHECK-NEXT:   %gemm = ncnn.gemm %x B %b C %c {name = "gemm", constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<3x2xf32>, tensor<2x2xf16>, tensor<1x2xf16>) -> tensor<3x2xf32>
// CHECK-NEXT:   func.return %gemm : tensor<3x2xf32>
// CHECK-NEXT: }
func.func @all_tagged(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %b = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = ncnn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %gemm = ncnn.gemm %x B %b C %c {name = "gemm", constantB = 1, constantC = 1, constantN = 2, constantK = 2, constant_broadcast_type_C = 4} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  func.return %gemm : tensor<3x2xf32>
}

// MemoryData with a tag. What is made of it has float32 in any case: the runtime widens it on loading.
// REMARK-NEXT: remark: convert-storage: MemoryData 'data' (f16 now, was f32)
// CHECK-LABEL: func.func @memorydata() -> (tensor<2xf16>, tensor<2xf32>) {
// CHECK-NEXT:   %data = ncnn.constant {name = "data", load_type = 0} dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>
// CHECK-NEXT:   %relu = ncnn.relu %data {name = "relu"} : (tensor<2xf16>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %data, %relu : tensor<2xf16>, tensor<2xf32>
// CHECK-NEXT: }
func.func @memorydata() -> (tensor<2xf32>, tensor<2xf32>) {
  %data = ncnn.constant {name = "data", load_type = 0} dense<[1.0, 2.0]> : tensor<2xf32>
  %relu = ncnn.relu %data {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %data, %relu : tensor<2xf32>, tensor<2xf32>
}

// One constant in two places, of which one has no tag: only the other gets a float16 of its own.
// REMARK-NEXT: remark: convert-storage: Gemm 'gemm' (weight 'C' f16 now, was f32)
// CHECK-LABEL: func.func @shared(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
// CHECK-NEXT:   %c = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %c_1 = ncnn.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>
// CHECK-NEXT:   %gemm = ncnn.gemm %x, %y C %c_1 {name = "gemm", constantC = 1, constantM = 2, constant_broadcast_type_C = 1} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf16>) -> tensor<2x2xf32>
// CHECK-NEXT:   %bias = ncnn.bias %gemm bias %c {name = "bias"} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:   func.return %gemm, %bias : tensor<2x2xf32>, tensor<2x2xf32>
// CHECK-NEXT: }
func.func @shared(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %c = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %gemm = ncnn.gemm %x, %y C %c {name = "gemm", constantC = 1, constantM = 2, constant_broadcast_type_C = 1} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %bias = ncnn.bias %gemm bias %c {name = "bias"} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %gemm, %bias : tensor<2x2xf32>, tensor<2x2xf32>
}

// Random values are not made up yet: those that will be are rounded.
// REMARK-NEXT: remark: convert-storage: InnerProduct 'fc' (weight 'weight' f16 now, was f32)
// CHECK-LABEL: func.func @random(%x: tensor<64xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.random<seed = 0, stream = 3> : tensor<2x64xf16>
// CHECK-NEXT:   %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<64xf32>, tensor<2x64xf16>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %fc : tensor<2xf32>
// CHECK-NEXT: }
func.func @random(%x: tensor<64xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.random<seed = 0, stream = 3> : tensor<2x64xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<64xf32>, tensor<2x64xf32>) -> tensor<2xf32>
  func.return %fc : tensor<2xf32>
}
