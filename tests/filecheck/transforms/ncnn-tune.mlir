// RUN: ncnn-opt --canonicalize %s | filecheck %s --check-prefixes=CHECK,BOTH
// RUN: ncnn-opt --tune x86 --canonicalize %s | filecheck %s --check-prefixes=CHECK,X86
// RUN: ncnn-opt --tune arm --canonicalize %s | filecheck %s --check-prefixes=CHECK,ARM
// RUN: ncnn-opt --tune none --canonicalize %s | filecheck %s --check-prefixes=CHECK,NONE

// The module carries it from one process to the next, and to plain xdsl-opt.
// RUN: ncnn-opt --ncnn-tune=arm %s | ncnn-opt --canonicalize | filecheck %s --check-prefixes=CHECK,ARM
// RUN: xdsl-opt -p "ncnn-tune{processor=arm},canonicalize" %s | filecheck %s --check-prefixes=CHECK,ARM

// What is done for one family stays in what is done for all of them.
// RUN: ncnn-opt -O --tune arm --print-pipeline | filecheck %s --check-prefix=PIPELINE --match-full-lines
// RUN: not ncnn-opt --ncnn-tune=vax %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// PIPELINE: ncnn-tune{processor=arm},limit-growth,ncnn-for-release,eliminate-split,eliminate-batches,ncnn-recognize,canonicalize,pad-channels,ncnn-for-release{release=any},convert-storage{storage=keep}
// UNKNOWN: ncnn-opt: error: in the pipeline 'ncnn-tune{processor="vax"}': processor must be one of x86, arm, vulkan, none, not 'vax'

// A remark says what the model pays for it elsewhere.
// RUN: ncnn-opt --tune arm --canonicalize --remarks %s 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK --match-full-lines
// REMARK:      remark: fuse-conv-activation: Convolution1D 'host', Mish 'act' (slow on x86: layer/x86/convolution1d_packed.h: each vector waits for its own)
// REMARK-NEXT: remark: fuse-innerproduct-activation: InnerProduct 'host', Sigmoid 'act' (slow on x86: layer/x86/innerproduct_gemm_fp.h: each vector waits for its own)
// REMARK-NEXT: remark: fuse-innerproduct-activation: InnerProduct 'host', HardSwish 'act'
// REMARK-NEXT: remark: fuse-conv-activation: ConvolutionDepthWise1D 'host', ReLU 'act'
// REMARK-NOT:  {{.}}

// BOTH: builtin.module {
// X86:  builtin.module attributes {ncnn.tune = "x86"} {
// ARM:  builtin.module attributes {ncnn.tune = "arm"} {
// NONE: builtin.module attributes {ncnn.tune = "none"} {

// On x86 each vector waits for its Mish; on arm it was not measured.
// CHECK-LABEL: func.func @mish(
// BOTH:         ncnn.mish
// X86:          ncnn.mish
// ARM:          activation_type = mish
// NONE:         activation_type = mish
func.func @mish(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1xf32>
  %host = ncnn.convolution1d %x weight %w {name = "host", num_output = 8, kernel_w = 1} : (tensor<8x9xf32>, tensor<8x8x1xf32>) -> tensor<8x9xf32>
  %act = ncnn.mish %host {name = "act"} : (tensor<8x9xf32>) -> tensor<8x9xf32>
  func.return %act : tensor<8x9xf32>
}

// On arm there is no code of its own for it.
// CHECK-LABEL: func.func @deformable(
// BOTH:         ncnn.sigmoid
// X86:          activation_type = sigmoid
// ARM:          ncnn.sigmoid
// NONE:         activation_type = sigmoid
func.func @deformable(%x: tensor<8x9x9xf32>, %offset: tensor<2x9x9xf32>) -> tensor<8x9x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1x1xf32>
  %host = ncnn.deformableconv2d %x, %offset weight %w {name = "host", num_output = 8, kernel_w = 1} : (tensor<8x9x9xf32>, tensor<2x9x9xf32>, tensor<8x8x1x1xf32>) -> tensor<8x9x9xf32>
  %act = ncnn.sigmoid %host {name = "act"} : (tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
  func.return %act : tensor<8x9x9xf32>
}

// No processor has code for it.
// CHECK-LABEL: func.func @depthwise(
// BOTH:         ncnn.hardswish
// X86:          ncnn.hardswish
// ARM:          ncnn.hardswish
// NONE:         activation_type = hardswish
func.func @depthwise(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x1x1xf32>
  %host = ncnn.convolutiondepthwise1d %x weight %w {name = "host", num_output = 8, kernel_w = 1, group = 8} : (tensor<8x9xf32>, tensor<8x1x1xf32>) -> tensor<8x9xf32>
  %act = ncnn.hardswish %host {name = "act"} : (tensor<8x9xf32>) -> tensor<8x9xf32>
  func.return %act : tensor<8x9xf32>
}

// Rows of outputs that 4 divides: arm keeps them together.
// CHECK-LABEL: func.func @rows(
// BOTH:         ncnn.sigmoid
// X86:          ncnn.sigmoid
// ARM:          activation_type = sigmoid
// NONE:         activation_type = sigmoid
func.func @rows(%x: tensor<3x2xf32>) -> tensor<3x8xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x2xf32>
  %host = ncnn.innerproduct %x weight %w {name = "host", num_output = 8} : (tensor<3x2xf32>, tensor<8x2xf32>) -> tensor<3x8xf32>
  %act = ncnn.sigmoid %host {name = "act"} : (tensor<3x8xf32>) -> tensor<3x8xf32>
  func.return %act : tensor<3x8xf32>
}

// A HardSwish is short enough for all of them.
// CHECK-LABEL: func.func @short(
// CHECK:        activation_type = hardswish
func.func @short(%x: tensor<3x2xf32>) -> tensor<3x8xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x2xf32>
  %host = ncnn.innerproduct %x weight %w {name = "host", num_output = 8} : (tensor<3x2xf32>, tensor<8x2xf32>) -> tensor<3x8xf32>
  %act = ncnn.hardswish %host {name = "act"} : (tensor<3x8xf32>) -> tensor<3x8xf32>
  func.return %act : tensor<3x8xf32>
}

// A ReLU is fast everywhere.
// CHECK-LABEL: func.func @straight(
// CHECK:        activation_type = relu
func.func @straight(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x1x1xf32>
  %host = ncnn.convolutiondepthwise1d %x weight %w {name = "host", num_output = 8, kernel_w = 1, group = 8} : (tensor<8x9xf32>, tensor<8x1x1xf32>) -> tensor<8x9xf32>
  %act = ncnn.relu %host {name = "act"} : (tensor<8x9xf32>) -> tensor<8x9xf32>
  func.return %act : tensor<8x9xf32>
}
