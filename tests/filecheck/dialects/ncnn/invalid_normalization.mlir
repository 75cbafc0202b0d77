// RUN: INVALID

%x = "test.op"() : () -> tensor<8x4x4xf32>
%c = ncnn.constant #ncnn.elided : tensor<8xf32>
%d = ncnn.constant #ncnn.elided : tensor<7xf32>
// CHECK: BatchNorm 'bn': weight 'var' has shape 7, but the parameters need 8
%y = ncnn.batchnorm %x slope %c mean %c var %d bias %c {name = "bn"} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<7xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
%c = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK: invalid_normalization.mlir:[[# @LINE + 2]]:64
// CHECK: ncnn.batchnorm needs the weight 'bias'
%y = ncnn.batchnorm %x slope %c mean %c var %c {name = "bn"} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
%c = ncnn.constant #ncnn.elided : tensor<8xf32>
%d = ncnn.constant #ncnn.elided : tensor<7xf32>
// CHECK: Scale 'scale': weight 'bias' has shape 7, but the parameters need 8
%y = ncnn.scale %x scale %c bias %d {name = "scale"} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<7xf32>) -> tensor<8x4x4xf32>

// -----

// With a blob for the scale there is no bias.
%x, %s = "test.op"() : () -> (tensor<8x4x4xf32>, tensor<8xf32>)
%c = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK: Scale 'excite': {{.*}}bias
%y = ncnn.scale %x scale %s bias %c {name = "excite"} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<5x8xf32>
%c = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK: LayerNorm 'ln': weight 'gamma' has shape 8, but the parameters need 4
%y = ncnn.layernorm %x gamma %c beta %c {name = "ln", affine_size = 4} : (tensor<5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<5x8xf32>

// -----

// gamma and beta come together or not at all.
%x = "test.op"() : () -> tensor<5x8xf32>
%c = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK: LayerNorm 'ln': weight 'beta' is missing
%y = ncnn.layernorm %x gamma %c {name = "ln", affine_size = 8} : (tensor<5x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: GroupNorm 'gn': 3 groups do not divide 8 channels
%y = ncnn.groupnorm %x {name = "gn", group = 3, channels = 8} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
%c = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK: InstanceNorm 'in': weight 'gamma' has shape 8, but the parameters need 0
%y = ncnn.instancenorm %x gamma %c beta %c {name = "in"} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: invalid_normalization.mlir:[[# @LINE + 2]]:40
// CHECK: ncnn.normalize needs the weight 'scale'
%y = ncnn.normalize %x {name = "l2"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: invalid_normalization.mlir:[[# @LINE + 2]]:47
// CHECK: Expected integer literal or one of across_channels, within_channel
%y = ncnn.lrn %x {name = "lrn", region_type = everywhere} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// -----

%x = "test.op"() : () -> tensor<8x4x4xf32>
// CHECK: LRN 'lrn': region_type is 2, greater than 1
%y = ncnn.lrn %x {name = "lrn", region_type = 2} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
