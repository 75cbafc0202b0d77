// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --convert-storage="storage=fp16" %s | diff %t.before -
// RUN: ncnn-opt --convert-storage="storage=fp16" --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// Nothing here may change.

// The runtime would read infinity.
// REMARK: remark: convert-storage: InnerProduct 'fc' (weight 'weight' stays f32: 2 values of up to 1e+05 would become infinite)
func.func @too_large(%x: tensor<3xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<[[65520.0, -100000.0, 1.0]]> : tensor<1x3xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 1} : (tensor<3xf32>, tensor<1x3xf32>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}

// bfloat16 has the range of float32.
// REMARK-NEXT: remark: convert-storage: InnerProduct 'fc' (weight 'weight' stays bf16: 1 value of up to 6.55e+04 would become infinite)
func.func @too_large_bfloat16(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<[[65536.0, 1.0]]> : tensor<1x2xbf16>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 1} : (tensor<2xf32>, tensor<1x2xbf16>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}

// All values are below 2^-14 = 6.1e-05, where float16 has fewer and fewer bits.
// REMARK-NEXT: remark: convert-storage: InnerProduct 'fc' (weight 'weight' stays f32: the largest value is 6.1e-05, too few bits would be left)
func.func @too_small(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<[[6.1e-05, -1.0e-06]]> : tensor<1x2xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 1} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}

// REMARK-NOT: remark

// They are float16 already.
func.func @done(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf16>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 1} : (tensor<2xf32>, tensor<1x2xf16>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}

// Weights without a tag are always float32.
func.func @no_tag(%x: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %w = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %scale = ncnn.scale %x scale %w {name = "scale"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %scale : tensor<2x1x1xf32>
}

// The runtime takes int8 to come, whatever the tag says.
func.func @int8(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = ncnn.constant dense<[[1, 2]]> : tensor<1x2xi8>
  %s = ncnn.constant dense<64.0> : tensor<1xf32>
  %fc = ncnn.innerproduct %x weight %w weight_int8_scales %s bottom_int8_scales %s {name = "fc", num_output = 1, int8_scale_term = 2} : (tensor<2xf32>, tensor<1x2xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %fc : tensor<1xf32>
}

// Here the runtime makes the int8 itself. Nor is a second weight of such a layer touched.
func.func @int8_layer(%x: tensor<1x2xf32>) -> tensor<1x1xf32> {
  %xc = ncnn.constant dense<1.0> : tensor<1x4x2xf32>
  %b = ncnn.constant dense<1.0> : tensor<1x4x1xf32>
  %hc = ncnn.constant dense<1.0> : tensor<1x4x1xf32>
  %s = ncnn.constant dense<1.0> : tensor<1x4xf32>
  %lstm = ncnn.lstm %x weight_xc %xc bias_c %b weight_hc %hc weight_xc_int8_scales %s weight_hc_int8_scales %s {name = "lstm", num_output = 1, int8_scale_term = 2} : (tensor<1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x1xf32>
  func.return %lstm : tensor<1x1xf32>
}

// The weight is a blob of the graph, and MemoryData of load_type 1 has no tag.
func.func @dynamic(%x: tensor<1x1x1xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant {name = "w"} dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 1} : (tensor<1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %conv : tensor<2x?x?xf32>
}

// It has a tag as a blob, but not as a bias.
func.func @no_tag_elsewhere(%x: tensor<2x1x1xf32>) -> (tensor<2x1x1xf32>, tensor<2xf32>) {
  %data = ncnn.constant {name = "data", load_type = 0} dense<[1.0, 2.0]> : tensor<2xf32>
  %bias = ncnn.bias %x bias %data {name = "bias"} : (tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<2x1x1xf32>
  func.return %bias, %data : tensor<2x1x1xf32>, tensor<2xf32>
}

// A layer that we do not know reads its weights without a tag.
func.func @custom(%x: tensor<2xf32>) -> tensor<*xf32> {
  %w = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = ncnn.custom "MyLayer"(%x) weights(%w) {name = "y"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// Whether values that were left out would fit is not known.
func.func @elided(%x: tensor<64xf32>) -> tensor<2xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<2x64xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2} : (tensor<64xf32>, tensor<2x64xf32>) -> tensor<2xf32>
  func.return %fc : tensor<2xf32>
}
