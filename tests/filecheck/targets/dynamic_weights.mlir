// RUN: ncnn-opt %s -o %t.param
// RUN: filecheck %s --input-file=%t.param --match-full-lines

// Weights that are no constants of the layer are further inputs: the parameters say so (19=1, 28=1,
// 0=-233).

// CHECK:      7767517
// CHECK-NEXT: 8 8
// CHECK-NEXT: Input                    data                     0 1 data 0=9 1=9 2=4
// CHECK-NEXT: Input                    weight                   0 1 weight 0=3 1=3 2=8 11=4
// CHECK-NEXT: Input                    bias                     0 1 bias 0=8
// CHECK-NEXT: Input                    gain                     0 1 gain 0=8
// CHECK-NEXT: Convolution              conv                     3 1 data weight bias conv 0=8 1=3 5=1 6=288 19=1
// CHECK-NEXT: MemoryData               kernel                   0 1 kernel 0=1 1=1 2=8 11=1
// CHECK-NEXT: Deconvolution            deconv                   2 1 conv kernel deconv 0=1 1=1 6=8 28=1
// CHECK-NEXT: Scale                    scale                    2 1 deconv gain scale 0=-233
func.func @main(%data: tensor<4x9x9xf32> {ncnn.blob = "data"}, %weight: tensor<8x4x3x3xf32> {ncnn.blob = "weight"}, %bias: tensor<8xf32> {ncnn.blob = "bias"}, %gain: tensor<8xf32> {ncnn.blob = "gain"}) -> (tensor<?x?x?xf32> {ncnn.blob = "scale"}) {
  %conv = ncnn.convolution %data weight %weight bias %bias {name = "conv", num_output = 8, kernel_w = 3} : (tensor<4x9x9xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<?x?x?xf32>
  %kernel = ncnn.constant {name = "kernel"} dense<0.5> : tensor<8x1x1x1xf32>
  %deconv = ncnn.deconvolution %conv weight %kernel {name = "deconv", num_output = 1, kernel_w = 1} : (tensor<?x?x?xf32>, tensor<8x1x1x1xf32>) -> tensor<?x?x?xf32>
  %scale = ncnn.scale %deconv scale %gain {name = "scale"} : (tensor<?x?x?xf32>, tensor<8xf32>) -> tensor<?x?x?xf32>
  func.return %scale : tensor<?x?x?xf32>
}
