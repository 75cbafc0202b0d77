// RUN: ncnn-opt --convert-fused-to-ncnn %s | filecheck %s --match-full-lines

// Anchors of all kinds, with the pads that the modes of ncnn come to.

// CHECK-LABEL: func.func @convolutions(%x1: tensor<4x9xf32>, %x2: tensor<4x9x8xf32>, %x3: tensor<4x5x9x8xf32>) -> (tensor<6x5xf32> {ncnn.blob = "conv1"}, tensor<6x5x4xf32> {ncnn.blob = "conv2"}, tensor<6x4x8x7xf32> {ncnn.blob = "conv3"}) {
// CHECK-NEXT:   %w1 = ncnn.constant #ncnn.elided : tensor<6x4x3xf32>
// CHECK-NEXT:   %w2 = ncnn.constant #ncnn.elided : tensor<6x2x3x2xf32>
// CHECK-NEXT:   %w3 = ncnn.constant #ncnn.elided : tensor<6x2x2x2x2xf32>
// CHECK-NEXT:   %conv1 = ncnn.convolution1d %x1 weight %w1 {name = "conv1", num_output = 6, kernel_w = 3, stride_w = 2, pad_left = 1} : (tensor<4x9xf32>, tensor<6x4x3xf32>) -> tensor<6x5xf32>
// CHECK-NEXT:   %conv2 = ncnn.convolutiondepthwise %x2 weight %w2 {name = "conv2", num_output = 6, kernel_w = 2, stride_w = 2, group = 2, kernel_h = 3, pad_top = 1, pad_value = 0.5} : (tensor<4x9x8xf32>, tensor<6x2x3x2xf32>) -> tensor<6x5x4xf32>
// CHECK-NEXT:   %conv3 = ncnn.convolutiondepthwise3d %x3 weight %w3 {name = "conv3", num_output = 6, kernel_w = 2, group = 2} : (tensor<4x5x9x8xf32>, tensor<6x2x2x2x2xf32>) -> tensor<6x4x8x7xf32>
// CHECK-NEXT:   func.return %conv1, %conv2, %conv3 : tensor<6x5xf32>, tensor<6x5x4xf32>, tensor<6x4x8x7xf32>
// CHECK-NEXT: }
func.func @convolutions(%x1: tensor<4x9xf32>, %x2: tensor<4x9x8xf32>, %x3: tensor<4x5x9x8xf32>) -> (tensor<6x5xf32> {ncnn.blob = "conv1"}, tensor<6x5x4xf32> {ncnn.blob = "conv2"}, tensor<6x4x8x7xf32> {ncnn.blob = "conv3"}) {
  %w1 = ncnn.constant #ncnn.elided : tensor<6x4x3xf32>
  %w2 = ncnn.constant #ncnn.elided : tensor<6x2x3x2xf32>
  %w3 = ncnn.constant #ncnn.elided : tensor<6x2x2x2x2xf32>
  %conv1 = fused.conv %x1 weight %w1 strides [2] pads [1, 1] {name = "conv1"} : (tensor<4x9xf32>, tensor<6x4x3xf32>) -> tensor<6x5xf32>
  %conv2 = fused.conv %x2 weight %w2 strides [2, 2] pads [1, 1, 0, 0] pad_value 5.000000e-01 groups 2 {name = "conv2"} : (tensor<4x9x8xf32>, tensor<6x2x3x2xf32>) -> tensor<6x5x4xf32>
  %conv3 = fused.conv %x3 weight %w3 groups 2 {name = "conv3"} : (tensor<4x5x9x8xf32>, tensor<6x2x2x2x2xf32>) -> tensor<6x4x8x7xf32>
  func.return %conv1, %conv2, %conv3 : tensor<6x5xf32>, tensor<6x5x4xf32>, tensor<6x4x8x7xf32>
}

// A weight that is a blob.
// CHECK-LABEL: func.func @dynamic_weight(%x: tensor<4x9x8xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<6xf32>) -> (tensor<6x7x6xf32> {ncnn.blob = "y"}) {
// CHECK-NEXT:   %y = ncnn.convolution %x weight %w bias %b {name = "y", num_output = 6, kernel_w = 3} : (tensor<4x9x8xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<6x7x6xf32>
// CHECK-NEXT:   func.return %y : tensor<6x7x6xf32>
// CHECK-NEXT: }
func.func @dynamic_weight(%x: tensor<4x9x8xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<6xf32>) -> (tensor<6x7x6xf32> {ncnn.blob = "y"}) {
  %y = fused.conv %x weight %w bias %b {name = "y"} : (tensor<4x9x8xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<6x7x6xf32>
  func.return %y : tensor<6x7x6xf32>
}

// What is cut off a deconvolution: pads; or what is more than the wanted extents.
// CHECK-LABEL: func.func @deconvolutions(%x: tensor<4x5x6xf32>) -> (tensor<2x10x12xf32> {ncnn.blob = "pads"}, tensor<2x9x12xf32> {ncnn.blob = "wanted"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<2x4x3x3xf32>
// CHECK-NEXT:   %pads = ncnn.deconvolution %x weight %w {name = "pads", num_output = 2, kernel_w = 3, stride_w = 2, pad_left = 1, output_pad_right = 1} : (tensor<4x5x6xf32>, tensor<2x4x3x3xf32>) -> tensor<2x10x12xf32>
// CHECK-NEXT:   %wanted = ncnn.deconvolution %x weight %w {name = "wanted", num_output = 2, kernel_w = 3, stride_w = 2, pad_top = 1, pad_right = 1} : (tensor<4x5x6xf32>, tensor<2x4x3x3xf32>) -> tensor<2x9x12xf32>
// CHECK-NEXT:   func.return %pads, %wanted : tensor<2x10x12xf32>, tensor<2x9x12xf32>
// CHECK-NEXT: }
func.func @deconvolutions(%x: tensor<4x5x6xf32>) -> (tensor<2x10x12xf32> {ncnn.blob = "pads"}, tensor<2x9x12xf32> {ncnn.blob = "wanted"}) {
  %w = ncnn.constant #ncnn.elided : tensor<2x4x3x3xf32>
  %pads = fused.conv_transpose %x weight %w strides [2, 2] pads [1, 1, 1, 1] output_padding [1, 1] {name = "pads"} : (tensor<4x5x6xf32>, tensor<2x4x3x3xf32>) -> tensor<2x10x12xf32>
  %wanted = fused.conv_transpose %x weight %w strides [2, 2] pads [1, 1, 0, 1] {name = "wanted"} : (tensor<4x5x6xf32>, tensor<2x4x3x3xf32>) -> tensor<2x9x12xf32>
  func.return %pads, %wanted : tensor<2x10x12xf32>, tensor<2x9x12xf32>
}

// Rows, a flattened blob, and a 1x1 convolution of a vector.
// CHECK-LABEL: func.func @linear(%rows: tensor<3x4xf32>, %blob: tensor<2x3x4xf32>, %v: tensor<4xf32>) -> (tensor<3x5xf32> {ncnn.blob = "a"}, tensor<5xf32> {ncnn.blob = "b"}, tensor<5xf32> {ncnn.blob = "c"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<5x4xf32>
// CHECK-NEXT:   %w24 = ncnn.constant #ncnn.elided : tensor<5x24xf32>
// CHECK-NEXT:   %w11 = ncnn.constant #ncnn.elided : tensor<5x4x1x1xf32>
// CHECK-NEXT:   %a = ncnn.gemm %rows B %w {name = "a", transB = 1, constantB = 1, constantC = 1, constantN = 5, constantK = 4, constant_broadcast_type_C = -1} : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
// CHECK-NEXT:   %b = ncnn.innerproduct %blob weight %w24 {name = "b", num_output = 5, activation_type = sigmoid} : (tensor<2x3x4xf32>, tensor<5x24xf32>) -> tensor<5xf32>
// CHECK-NEXT:   %c = ncnn.convolution %v weight %w11 {name = "c", num_output = 5, kernel_w = 1} : (tensor<4xf32>, tensor<5x4x1x1xf32>) -> tensor<5xf32>
// CHECK-NEXT:   func.return %a, %b, %c : tensor<3x5xf32>, tensor<5xf32>, tensor<5xf32>
// CHECK-NEXT: }
func.func @linear(%rows: tensor<3x4xf32>, %blob: tensor<2x3x4xf32>, %v: tensor<4xf32>) -> (tensor<3x5xf32> {ncnn.blob = "a"}, tensor<5xf32> {ncnn.blob = "b"}, tensor<5xf32> {ncnn.blob = "c"}) {
  %w = ncnn.constant #ncnn.elided : tensor<5x4xf32>
  %w24 = ncnn.constant #ncnn.elided : tensor<5x24xf32>
  %w11 = ncnn.constant #ncnn.elided : tensor<5x4x1x1xf32>
  %a = fused.linear %rows weight %w {name = "a"} : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %b = fused.linear %blob weight %w24 {name = "b"} : (tensor<2x3x4xf32>, tensor<5x24xf32>) -> tensor<5xf32> epilogue(%acc: f32) {
    %0 = arith.constant 1.000000e+00 : f32
    %1 = arith.negf %acc : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %0 : f32
    %4 = arith.divf %0, %3 : f32
    fused.yield %4 : f32
  }
  %c = fused.linear %v weight %w11 {name = "c"} : (tensor<4xf32>, tensor<5x4x1x1xf32>) -> tensor<5xf32>
  func.return %a, %b, %c : tensor<3x5xf32>, tensor<5xf32>, tensor<5xf32>
}

// Gemm with a constant B: as it is or transposed, with a C of one row, with factors.
// CHECK-LABEL: func.func @gemm(%x: tensor<?x4xf32>) -> (tensor<?x5xf32> {ncnn.blob = "one"}, tensor<?x5xf32> {ncnn.blob = "two"}) {
// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : tensor<5x4xf32>
// CHECK-NEXT:   %bt = ncnn.constant #ncnn.elided : tensor<4x5xf32>
// CHECK-NEXT:   %c = ncnn.constant #ncnn.elided : tensor<1x5xf32>
// CHECK-NEXT:   %c_1 = ncnn.constant #ncnn.elided : tensor<1x5xf32>
// CHECK-NEXT:   %one = ncnn.gemm %x B %b C %c_1 {name = "one", transB = 1, constantB = 1, constantC = 1, constantN = 5, constantK = 4, constant_broadcast_type_C = 4} : (tensor<?x4xf32>, tensor<5x4xf32>, tensor<1x5xf32>) -> tensor<?x5xf32>
// CHECK-NEXT:   %0 = ncnn.gemm %x B %bt {name = "two", blobs = ["two_0"], constantB = 1, constantC = 1, constantN = 5, constantK = 4, constant_broadcast_type_C = -1} : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
// CHECK-NEXT:   %1 = ncnn.binaryop %c {name = "two_1", op_type = mul, with_scalar = 1, b = 0.5} : (tensor<1x5xf32>) -> tensor<1x5xf32>
// CHECK-NEXT:   %2 = ncnn.binaryop %0, %1 {name = "two_2", op_type = add} : (tensor<?x5xf32>, tensor<1x5xf32>) -> tensor<?x5xf32>
// CHECK-NEXT:   %two = ncnn.binaryop %2 {name = "two_3", blobs = ["two"], op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x5xf32>) -> tensor<?x5xf32>
// CHECK-NEXT:   func.return %one, %two : tensor<?x5xf32>, tensor<?x5xf32>
// CHECK-NEXT: }
func.func @gemm(%x: tensor<?x4xf32>) -> (tensor<?x5xf32> {ncnn.blob = "one"}, tensor<?x5xf32> {ncnn.blob = "two"}) {
  %b = ncnn.constant #ncnn.elided : tensor<5x4xf32>
  %bt = ncnn.constant #ncnn.elided : tensor<4x5xf32>
  %c = ncnn.constant #ncnn.elided : tensor<1x5xf32>
  %c_1 = ncnn.constant #ncnn.elided : tensor<5xf32>
  %one = fused.linear %x weight %b bias %c_1 {name = "one"} : (tensor<?x4xf32>, tensor<5x4xf32>, tensor<5xf32>) -> tensor<?x5xf32>
  %two = fused.linear %x weight %bt residuals(%c) transposed {name = "two"} : (tensor<?x4xf32>, tensor<4x5xf32>, tensor<1x5xf32>) -> tensor<?x5xf32> epilogue(%acc: f32, %c_2: f32) {
    %0 = arith.constant 5.000000e-01 : f32
    %1 = arith.mulf %c_2, %0 : f32
    %2 = arith.addf %acc, %1 : f32
    %3 = arith.constant 2.000000e+00 : f32
    %4 = arith.mulf %2, %3 : f32
    fused.yield %4 : f32
  }
  func.return %one, %two : tensor<?x5xf32>, tensor<?x5xf32>
}

// Pooling: what the last window lacks, SAME, means that count the padding, all of a channel, as many
// windows as are wanted.
// CHECK-LABEL: func.func @pooling(%x: tensor<4x7x8xf32>) -> (tensor<4x4x4xf32> {ncnn.blob = "full"}, tensor<4x4x4xf32> {ncnn.blob = "same"}, tensor<4x7x8xf32> {ncnn.blob = "counted"}, tensor<4xf32> {ncnn.blob = "global"}, tensor<4x2x3xf32> {ncnn.blob = "adaptive"}, tensor<4x7x8xf32> {ncnn.blob = "plain"}) {
// CHECK-NEXT:   %full = ncnn.pooling %x {name = "full", kernel_w = 2, stride_w = 2, pad_mode = valid, pad_bottom = 1} : (tensor<4x7x8xf32>) -> tensor<4x4x4xf32>
// CHECK-NEXT:   %same = ncnn.pooling %x {name = "same", pooling_type = avg, kernel_w = 3, stride_w = 2, pad_left = 1, pad_mode = valid, avgpool_count_include_pad = 1, pad_right = 0} : (tensor<4x7x8xf32>) -> tensor<4x4x4xf32>
// CHECK-NEXT:   %counted = ncnn.pooling %x {name = "counted", pooling_type = avg, kernel_w = 3, pad_left = 1, pad_mode = valid, avgpool_count_include_pad = 1} : (tensor<4x7x8xf32>) -> tensor<4x7x8xf32>
// CHECK-NEXT:   %global = ncnn.pooling %x {name = "global", pooling_type = avg, global_pooling = 1} : (tensor<4x7x8xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %adaptive = ncnn.pooling %x {name = "adaptive", adaptive_pooling = 1, out_w = 3, out_h = 2} : (tensor<4x7x8xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT:   %plain = ncnn.pooling %x {name = "plain", pooling_type = avg, kernel_w = 3, pad_left = 1, pad_mode = valid} : (tensor<4x7x8xf32>) -> tensor<4x7x8xf32>
// CHECK-NEXT:   func.return %full, %same, %counted, %global, %adaptive, %plain : tensor<4x4x4xf32>, tensor<4x4x4xf32>, tensor<4x7x8xf32>, tensor<4xf32>, tensor<4x2x3xf32>, tensor<4x7x8xf32>
// CHECK-NEXT: }
func.func @pooling(%x: tensor<4x7x8xf32>) -> (tensor<4x4x4xf32> {ncnn.blob = "full"}, tensor<4x4x4xf32> {ncnn.blob = "same"}, tensor<4x7x8xf32> {ncnn.blob = "counted"}, tensor<4xf32> {ncnn.blob = "global"}, tensor<4x2x3xf32> {ncnn.blob = "adaptive"}, tensor<4x7x8xf32> {ncnn.blob = "plain"}) {
  %full = fused.pool max %x kernel [2, 2] strides [2, 2] pads [0, 1, 0, 0] {name = "full"} : (tensor<4x7x8xf32>) -> tensor<4x4x4xf32>
  %same = fused.pool avg %x kernel [3, 3] strides [2, 2] pads [1, 1, 1, 0] count_include_pad {name = "same"} : (tensor<4x7x8xf32>) -> tensor<4x4x4xf32>
  %counted = fused.pool avg %x kernel [3, 3] pads [1, 1, 1, 1] count_include_pad {name = "counted"} : (tensor<4x7x8xf32>) -> tensor<4x7x8xf32>
  %global = fused.pool avg %x global {name = "global"} : (tensor<4x7x8xf32>) -> tensor<4xf32>
  %adaptive = fused.pool max %x adaptive {name = "adaptive"} : (tensor<4x7x8xf32>) -> tensor<4x2x3xf32>
  %plain = fused.pool avg %x kernel [3, 3] pads [1, 1, 1, 1] {name = "plain"} : (tensor<4x7x8xf32>) -> tensor<4x7x8xf32>
  func.return %full, %same, %counted, %global, %adaptive, %plain : tensor<4x4x4xf32>, tensor<4x4x4xf32>, tensor<4x7x8xf32>, tensor<4xf32>, tensor<4x2x3xf32>, tensor<4x7x8xf32>
}
