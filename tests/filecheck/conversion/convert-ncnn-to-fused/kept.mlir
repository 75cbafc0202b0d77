// RUN: ncnn-opt --convert-ncnn-to-fused %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --convert-ncnn-to-fused %s > %t.once
// RUN: ncnn-opt --convert-ncnn-to-fused %t.once | diff %t.once -
// RUN: ncnn-opt --convert-ncnn-to-fused --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// What is left of the ncnn dialect, or not joined with the anchor before it, and why.
// REMARK: remark: convert-ncnn-to-fused: Softmax 'soft' (no fused form)
// REMARK-NEXT: remark: convert-ncnn-to-fused: BinaryOp 'add' (the ranks of the operands are unknown)
// REMARK-NEXT: remark: convert-ncnn-to-fused: Eltwise 'add' (the operands have different shapes)
// REMARK-NEXT: remark: convert-ncnn-to-fused: Softmax 'soft' (no fused form)
// REMARK-NEXT: remark: convert-ncnn-to-fused: BinaryOp 'add' (elements of i8)
// REMARK-NEXT: remark: convert-ncnn-to-fused: Permute 'permute' (no fused form)
// REMARK-NEXT: remark: convert-ncnn-to-fused: ReLU 'relu' (its input may be int8)
// REMARK-NEXT: remark: convert-ncnn-to-fused: Convolution 'conv' (the pads depend on dynamic extents)
// REMARK-NEXT: remark: convert-ncnn-to-fused: Pooling 'pool' (the pads depend on dynamic extents)
// REMARK-NEXT: remark: convert-ncnn-to-fused: ReLU 'masked' (it may not use all features of the runtime (featmask))
// REMARK-NEXT: remark: convert-ncnn-to-fused: ReLU 'extra' (it has parameters that ncnn does not document)
// REMARK-NEXT: remark: convert-ncnn-to-fused: BinaryOp 'fmod' (there is no scalar operation for fmod)
// REMARK-NEXT: remark: convert-ncnn-to-fused: Pooling 'gap' (the number of axes that the window slides along is unknown)
// REMARK-NEXT: remark: convert-ncnn-to-fused: Eltwise 'sum' (the rank of an operand or of the result is unknown)
// REMARK-NEXT: remark: fuse-elementwise: fused.conv 'second', fused.elementwise 'add'

// The value between has a second consumer.
// CHECK-LABEL: func.func @second_consumer(%x: tensor<4x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "relu"}, tensor<8x6x7xf32> {ncnn.blob = "soft"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK-NEXT:   %conv = fused.conv %x weight %w pads [1, 1, 1, 1] {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %relu = fused.elementwise %conv {name = "relu"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.maximumf %acc, %0 : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %soft = ncnn.softmax %conv {name = "soft"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   func.return %relu, %soft : tensor<8x6x7xf32>, tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @second_consumer(%x: tensor<4x6x7xf32>) -> (tensor<8x6x7xf32>, tensor<8x6x7xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  %soft = ncnn.softmax %conv {name = "soft"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  func.return %relu, %soft : tensor<8x6x7xf32>, tensor<8x6x7xf32>
}

// The value between is an output of the model.
// CHECK-LABEL: func.func @output_between(%x: tensor<4x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "relu"}, tensor<8x6x7xf32> {ncnn.blob = "conv"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK-NEXT:   %conv = fused.conv %x weight %w pads [1, 1, 1, 1] {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %relu = fused.elementwise %conv {name = "relu"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32) {
// CHECK-NEXT:     %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.maximumf %acc, %0 : f32
// CHECK-NEXT:     fused.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %relu, %conv : tensor<8x6x7xf32>, tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @output_between(%x: tensor<4x6x7xf32>) -> (tensor<8x6x7xf32>, tensor<8x6x7xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>
  %relu = ncnn.relu %conv {name = "relu"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  func.return %relu, %conv : tensor<8x6x7xf32>, tensor<8x6x7xf32>
}

// The result is larger than what the convolution makes: it would be computed again and again.
// CHECK-LABEL: func.func @broadcast_anchor(%x: tensor<4x1x1xf32>, %r: tensor<8x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "mul"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x1x1xf32>
// CHECK-NEXT:   %conv = fused.conv %x weight %w {name = "conv"} : (tensor<4x1x1xf32>, tensor<8x4x1x1xf32>) -> tensor<8x1x1xf32>
// CHECK-NEXT:   %mul = fused.elementwise %r residuals(%conv) {name = "mul"} : (tensor<8x6x7xf32>, tensor<8x1x1xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r_1: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %r_1 : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %mul : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @broadcast_anchor(%x: tensor<4x1x1xf32>, %r: tensor<8x6x7xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x1x1xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 1} : (tensor<4x1x1xf32>, tensor<8x4x1x1xf32>) -> tensor<8x1x1xf32>
  %mul = ncnn.binaryop %r, %conv {name = "mul", op_type = mul} : (tensor<8x6x7xf32>, tensor<8x1x1xf32>) -> tensor<8x6x7xf32>
  func.return %mul : tensor<8x6x7xf32>
}

// The convolution may give one element along an axis, which the add repeats.
// CHECK-LABEL: func.func @unknown_shapes(%x: tensor<4x?x?xf32>, %r: tensor<8x?x?xf32>) -> (tensor<8x?x?xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK-NEXT:   %conv = fused.conv %x weight %w {name = "conv"} : (tensor<4x?x?xf32>, tensor<8x4x3x3xf32>) -> tensor<8x?x?xf32>
// CHECK-NEXT:   %add = fused.elementwise residuals(%conv, %r) {name = "add"} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32> epilogue(%r_1: f32, %r_2: f32) {
// CHECK-NEXT:     %0 = arith.addf %r_1, %r_2 : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x?x?xf32>
// CHECK-NEXT: }
func.func @unknown_shapes(%x: tensor<4x?x?xf32>, %r: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3} : (tensor<4x?x?xf32>, tensor<8x4x3x3xf32>) -> tensor<8x?x?xf32>
  %add = ncnn.binaryop %conv, %r {name = "add", op_type = add} : (tensor<8x?x?xf32>, tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  func.return %add : tensor<8x?x?xf32>
}

// How operands of unknown rank broadcast is not known at all.
// CHECK-LABEL: func.func @unknown_ranks(%x: tensor<*xf32>, %r: tensor<*xf32>) -> (tensor<*xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %add = ncnn.binaryop %x, %r {name = "add", op_type = add} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
// CHECK-NEXT:   func.return %add : tensor<*xf32>
// CHECK-NEXT: }
func.func @unknown_ranks(%x: tensor<*xf32>, %r: tensor<*xf32>) -> tensor<*xf32> {
  %add = ncnn.binaryop %x, %r {name = "add", op_type = add} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  func.return %add : tensor<*xf32>
}

// The operands of an Eltwise have different shapes, which the runtime does not look at.
// CHECK-LABEL: func.func @mismatched_shapes(%x: tensor<4x6x7xf32>, %r: tensor<8x6x6xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK-NEXT:   %conv = fused.conv %x weight %w pads [1, 1, 1, 1] {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %add = ncnn.eltwise %conv, %r {name = "add", op_type = sum} : (tensor<8x6x7xf32>, tensor<8x6x6xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   func.return %add : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @mismatched_shapes(%x: tensor<4x6x7xf32>, %r: tensor<8x6x6xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>
  %add = ncnn.eltwise %conv, %r {name = "add", op_type = sum} : (tensor<8x6x7xf32>, tensor<8x6x6xf32>) -> tensor<8x6x7xf32>
  func.return %add : tensor<8x6x7xf32>
}

// The residual depends on what the convolution makes, so that one has two consumers.
// CHECK-LABEL: func.func @residual_depends_on_the_result(%x: tensor<4x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK-NEXT:   %conv = fused.conv %x weight %w pads [1, 1, 1, 1] {name = "conv"} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %soft = ncnn.softmax %conv {name = "soft"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %add = fused.elementwise %conv residuals(%soft) {name = "add"} : (tensor<8x6x7xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %acc, %r : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @residual_depends_on_the_result(%x: tensor<4x6x7xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<4x6x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x6x7xf32>
  %soft = ncnn.softmax %conv {name = "soft"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  %add = ncnn.binaryop %conv, %soft {name = "add", op_type = add} : (tensor<8x6x7xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  func.return %add : tensor<8x6x7xf32>
}

// The same through another convolution: it is the one that takes the add.
// CHECK-LABEL: func.func @second_anchor_depends_on_the_first(%x: tensor<8x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
// CHECK-NEXT:   %first = fused.conv %x weight %w pads [1, 1, 1, 1] {name = "first"} : (tensor<8x6x7xf32>, tensor<8x8x3x3xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %add = fused.conv %first weight %w residuals(%first) pads [1, 1, 1, 1] {name = "second", blob = "add"} : (tensor<8x6x7xf32>, tensor<8x8x3x3xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32> epilogue(%acc: f32, %r: f32) {
// CHECK-NEXT:     %0 = arith.addf %r, %acc : f32
// CHECK-NEXT:     fused.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %add : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @second_anchor_depends_on_the_first(%x: tensor<8x6x7xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x3x3xf32>
  %first = ncnn.convolution %x weight %w {name = "first", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<8x6x7xf32>, tensor<8x8x3x3xf32>) -> tensor<8x6x7xf32>
  %second = ncnn.convolution %first weight %w {name = "second", num_output = 8, kernel_w = 3, pad_left = 1} : (tensor<8x6x7xf32>, tensor<8x8x3x3xf32>) -> tensor<8x6x7xf32>
  %add = ncnn.binaryop %first, %second {name = "add", op_type = add} : (tensor<8x6x7xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  func.return %add : tensor<8x6x7xf32>
}

// The convolution makes int8; a BinaryOp would take its bytes for floats.
// CHECK-LABEL: func.func @int8_with_float_residual(%x: tensor<4x6x7xf32>, %r: tensor<8x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "add"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xi8>
// CHECK-NEXT:   %one = ncnn.constant #ncnn.elided : tensor<1xf32>
// CHECK-NEXT:   %x_int8 = fused.elementwise %x residuals(%one) {name = "conv_int8"} : (tensor<4x6x7xf32>, tensor<1xf32>) -> tensor<4x6x7xi8> epilogue(%acc: f32, %scale: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = math.round %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:     %3 = arith.minimumf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:     %5 = arith.maximumf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.fptosi %5 : f32 to i8
// CHECK-NEXT:     fused.yield %6 : i8
// CHECK-NEXT:   }
// CHECK-NEXT:   %descale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %conv = fused.conv %x_int8 weight %w residuals(%descale, %one) pads [1, 1, 1, 1] {name = "conv"} : (tensor<4x6x7xi8>, tensor<8x4x3x3xi8>, tensor<8xf32>, tensor<1xf32>) -> tensor<8x6x7xi8> epilogue(%acc: i32, %scale: f32, %scale_1: f32) {
// CHECK-NEXT:     %0 = arith.sitofp %acc : i32 to f32
// CHECK-NEXT:     %1 = arith.mulf %0, %scale : f32
// CHECK-NEXT:     %2 = arith.mulf %1, %scale_1 : f32
// CHECK-NEXT:     %3 = math.round %2 : f32
// CHECK-NEXT:     %4 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:     %5 = arith.minimumf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:     %7 = arith.maximumf %5, %6 : f32
// CHECK-NEXT:     %8 = arith.fptosi %7 : f32 to i8
// CHECK-NEXT:     fused.yield %8 : i8
// CHECK-NEXT:   }
// CHECK-NEXT:   %add = ncnn.binaryop %conv, %r {name = "add", op_type = add} : (tensor<8x6x7xi8>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   func.return %add : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @int8_with_float_residual(%x: tensor<4x6x7xf32>, %r: tensor<8x6x7xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xi8>
  %s = ncnn.constant #ncnn.elided : tensor<8xf32>
  %one = ncnn.constant #ncnn.elided : tensor<1xf32>
  %conv = ncnn.convolution %x weight %w weight_int8_scales %s bottom_int8_scales %one top_int8_scales %one {name = "conv", num_output = 8, kernel_w = 3, pad_left = 1, int8_scale_term = 101} : (tensor<4x6x7xf32>, tensor<8x4x3x3xi8>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x6x7xf32>
  %add = ncnn.binaryop %conv, %r {name = "add", op_type = add} : (tensor<8x6x7xf32>, tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  func.return %add : tensor<8x6x7xf32>
}

// A Softmax would hand int8 on, whatever its type says.
// CHECK-LABEL: func.func @int8_in_disguise(%x: tensor<4x6x7xf32>) -> (tensor<8x6x7xf32> {ncnn.blob = "relu"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xi8>
// CHECK-NEXT:   %one = ncnn.constant #ncnn.elided : tensor<1xf32>
// CHECK-NEXT:   %x_int8 = fused.elementwise %x residuals(%one) {name = "conv_int8"} : (tensor<4x6x7xf32>, tensor<1xf32>) -> tensor<4x6x7xi8> epilogue(%acc: f32, %scale: f32) {
// CHECK-NEXT:     %0 = arith.mulf %acc, %scale : f32
// CHECK-NEXT:     %1 = math.round %0 : f32
// CHECK-NEXT:     %2 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:     %3 = arith.minimumf %1, %2 : f32
// CHECK-NEXT:     %4 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:     %5 = arith.maximumf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.fptosi %5 : f32 to i8
// CHECK-NEXT:     fused.yield %6 : i8
// CHECK-NEXT:   }
// CHECK-NEXT:   %descale = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT:   %conv = fused.conv %x_int8 weight %w residuals(%descale, %one) pads [1, 1, 1, 1] {name = "conv"} : (tensor<4x6x7xi8>, tensor<8x4x3x3xi8>, tensor<8xf32>, tensor<1xf32>) -> tensor<8x6x7xi8> epilogue(%acc: i32, %scale: f32, %scale_1: f32) {
// CHECK-NEXT:     %0 = arith.sitofp %acc : i32 to f32
// CHECK-NEXT:     %1 = arith.mulf %0, %scale : f32
// CHECK-NEXT:     %2 = arith.mulf %1, %scale_1 : f32
// CHECK-NEXT:     %3 = math.round %2 : f32
// CHECK-NEXT:     %4 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:     %5 = arith.minimumf %3, %4 : f32
// CHECK-NEXT:     %6 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:     %7 = arith.maximumf %5, %6 : f32
// CHECK-NEXT:     %8 = arith.fptosi %7 : f32 to i8
// CHECK-NEXT:     fused.yield %8 : i8
// CHECK-NEXT:   }
// CHECK-NEXT:   %flat = ncnn.permute %conv {name = "permute"} : (tensor<8x6x7xi8>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   %relu = ncnn.relu %flat {name = "relu"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
// CHECK-NEXT:   func.return %relu : tensor<8x6x7xf32>
// CHECK-NEXT: }
func.func @int8_in_disguise(%x: tensor<4x6x7xf32>) -> tensor<8x6x7xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xi8>
  %s = ncnn.constant #ncnn.elided : tensor<8xf32>
  %one = ncnn.constant #ncnn.elided : tensor<1xf32>
  %conv = ncnn.convolution %x weight %w weight_int8_scales %s bottom_int8_scales %one top_int8_scales %one {name = "conv", num_output = 8, kernel_w = 3, pad_left = 1, int8_scale_term = 101} : (tensor<4x6x7xf32>, tensor<8x4x3x3xi8>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x6x7xf32>
  %flat = ncnn.permute %conv {name = "permute"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  %relu = ncnn.relu %flat {name = "relu"} : (tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  func.return %relu : tensor<8x6x7xf32>
}

// SAME pads of an unknown extent, with a stride.
// CHECK-LABEL: func.func @same_pads_of_an_unknown_extent(%x: tensor<4x?x7xf32>) -> (tensor<8x?x?xf32> {ncnn.blob = "pool"}) {
// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
// CHECK-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, stride_w = 2, pad_left = -233, activation_type = relu} : (tensor<4x?x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x?x?xf32>
// CHECK-NEXT:   %pool = ncnn.pooling %conv {name = "pool", kernel_w = 2, stride_w = 2} : (tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
// CHECK-NEXT:   func.return %pool : tensor<8x?x?xf32>
// CHECK-NEXT: }
func.func @same_pads_of_an_unknown_extent(%x: tensor<4x?x7xf32>) -> tensor<8x?x?xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x4x3x3xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 8, kernel_w = 3, stride_w = 2, pad_left = -233, activation_type = relu} : (tensor<4x?x7xf32>, tensor<8x4x3x3xf32>) -> tensor<8x?x?xf32>
  %pool = ncnn.pooling %conv {name = "pool", kernel_w = 2, stride_w = 2} : (tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  func.return %pool : tensor<8x?x?xf32>
}

// A feature mask and an unknown parameter are not carried by fused operations.
// CHECK-LABEL: func.func @features(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "extra"}) {
// CHECK-NEXT:   %masked = ncnn.relu %x {name = "masked", featmask = 2} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   %extra = ncnn.relu %masked {name = "extra", extra = {"9" = 1 : i32}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %extra : tensor<4xf32>
// CHECK-NEXT: }
func.func @features(%x: tensor<4xf32>) -> tensor<4xf32> {
  %masked = ncnn.relu %x {name = "masked", featmask = 2} : (tensor<4xf32>) -> tensor<4xf32>
  %extra = ncnn.relu %masked {name = "extra", extra = {"9" = 1 : i32}} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %extra : tensor<4xf32>
}

// There is no exact remainder among the scalar operations.
// CHECK-LABEL: func.func @no_scalar_operation(%x: tensor<4xf32>) -> (tensor<4xf32> {ncnn.blob = "fmod"}) {
// CHECK-NEXT:   %y = ncnn.binaryop %x {name = "fmod", op_type = fmod, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
func.func @no_scalar_operation(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = ncnn.binaryop %x {name = "fmod", op_type = fmod, with_scalar = 1, b = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// The layers could not be recovered from fused operations of unknown rank.
// CHECK-LABEL: func.func @unknown(%x: tensor<*xf32>, %z: tensor<4x6xf32>) -> (tensor<*xf32> {ncnn.blob = "gap"}, tensor<*xf32> {ncnn.blob = "sum"}) {
// CHECK-NEXT:   %gap = ncnn.pooling %x {name = "gap", pooling_type = avg, global_pooling = 1} : (tensor<*xf32>) -> tensor<*xf32>
// CHECK-NEXT:   %sum = ncnn.eltwise %x, %z {name = "sum", op_type = sum, coeffs = [0.5, 1.0]} : (tensor<*xf32>, tensor<4x6xf32>) -> tensor<*xf32>
// CHECK-NEXT:   func.return %gap, %sum : tensor<*xf32>, tensor<*xf32>
// CHECK-NEXT: }
func.func @unknown(%x: tensor<*xf32>, %z: tensor<4x6xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %gap = ncnn.pooling %x {name = "gap", pooling_type = avg, global_pooling = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %sum = ncnn.eltwise %x, %z {name = "sum", op_type = sum, coeffs = [0.5, 1.0]} : (tensor<*xf32>, tensor<4x6xf32>) -> tensor<*xf32>
  func.return %gap, %sum : tensor<*xf32>, tensor<*xf32>
}
