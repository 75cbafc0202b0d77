// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %x, %rows, %any, %gain = "test.op"() : () -> (tensor<8x4x4xf32>, tensor<5x8xf32>, tensor<*xf32>, tensor<8xf32>)
%x, %rows, %any, %gain = "test.op"() : () -> (tensor<8x4x4xf32>, tensor<5x8xf32>, tensor<*xf32>, tensor<8xf32>)
// CHECK-NEXT: %c = ncnn.constant #ncnn.elided : tensor<8xf32>
%c = ncnn.constant #ncnn.elided : tensor<8xf32>
// CHECK-NEXT: %area = ncnn.constant #ncnn.elided : tensor<16xf32>
%area = ncnn.constant #ncnn.elided : tensor<16xf32>
// CHECK-NEXT: %one = ncnn.constant dense<[2.000000e+01]> : tensor<1xf32>
%one = ncnn.constant dense<20.0> : tensor<1xf32>

// CHECK-NEXT: %batchnorm = ncnn.batchnorm %x slope %c mean %c var %c bias %c {name = "bn", eps = 1.0e-05} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
%batchnorm = ncnn.batchnorm %x slope %c mean %c var %c bias %c {name = "bn", eps = 1.0e-05} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %scale = ncnn.scale %x scale %c {name = "scale"} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
%scale = ncnn.scale %x scale %c {name = "scale"} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %biased = ncnn.scale %any scale %c bias %c {name = "scale_bias"} : (tensor<*xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<*xf32>
%biased = ncnn.scale %any scale %c bias %c {name = "scale_bias"} : (tensor<*xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<*xf32>
// CHECK-NEXT: %by_blob = ncnn.scale %x scale %gain {name = "excite"} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
%by_blob = ncnn.scale %x scale %gain {name = "excite"} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %bias = ncnn.bias %x bias %c {name = "bias"} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
%bias = ncnn.bias %x bias %c {name = "bias"} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %layernorm = ncnn.layernorm %rows gamma %c beta %c {name = "ln", affine_size = 8, eps = 1.0e-06} : (tensor<5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
%layernorm = ncnn.layernorm %rows gamma %c beta %c {name = "ln", affine_size = 8, eps = 1.0e-06} : (tensor<5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
// CHECK-NEXT: %plain = ncnn.layernorm %rows {name = "ln_plain", affine_size = 8} : (tensor<5x8xf32>) -> tensor<5x8xf32>
%plain = ncnn.layernorm %rows {name = "ln_plain", affine_size = 8} : (tensor<5x8xf32>) -> tensor<5x8xf32>
// CHECK-NEXT: %over_area = ncnn.layernorm %x gamma %area beta %area {name = "ln_area", affine_size = 16} : (tensor<8x4x4xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<8x4x4xf32>
%over_area = ncnn.layernorm %x gamma %area beta %area {name = "ln_area", affine_size = 16} : (tensor<8x4x4xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %rmsnorm = ncnn.rmsnorm %rows gamma %c {name = "rms", affine_size = 8, eps = 1.0e-06} : (tensor<5x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
%rmsnorm = ncnn.rmsnorm %rows gamma %c {name = "rms", affine_size = 8, eps = 1.0e-06} : (tensor<5x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
// CHECK-NEXT: %groupnorm = ncnn.groupnorm %x gamma %c beta %c {name = "gn", group = 4, channels = 8, eps = 1.0e-05} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
%groupnorm = ncnn.groupnorm %x gamma %c beta %c {name = "gn", group = 4, channels = 8, eps = 1.0e-05} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %instancenorm = ncnn.instancenorm %x gamma %c beta %c {name = "in", channels = 8, eps = 1.0e-05} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
%instancenorm = ncnn.instancenorm %x gamma %c beta %c {name = "in", channels = 8, eps = 1.0e-05} : (tensor<8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %mvn = ncnn.mvn %x {name = "mvn", normalize_variance = 1, across_channels = 1, eps = 1.0e-09} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%mvn = ncnn.mvn %x {name = "mvn", normalize_variance = 1, across_channels = 1, eps = 1.0e-09} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %normalize = ncnn.normalize %x scale %one {name = "l2", channel_shared = 1, eps = 1.0e-10, eps_mode = 1} : (tensor<8x4x4xf32>, tensor<1xf32>) -> tensor<8x4x4xf32>
%normalize = ncnn.normalize %x scale %one {name = "l2", channel_shared = 1, eps = 1.0e-10, eps_mode = 1} : (tensor<8x4x4xf32>, tensor<1xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %by_position = ncnn.normalize %x scale %c {name = "l2_all", across_spatial = 1, across_channel = 0} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
%by_position = ncnn.normalize %x scale %c {name = "l2_all", across_spatial = 1, across_channel = 0} : (tensor<8x4x4xf32>, tensor<8xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %lrn = ncnn.lrn %x {name = "lrn", region_type = within_channel, local_size = 3, alpha = 5.0e-05, beta = 0.5, bias = 2.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%lrn = ncnn.lrn %x {name = "lrn", region_type = within_channel, local_size = 3, alpha = 5.0e-05, beta = 0.5, bias = 2.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>

// CHECK-NEXT: %eps_default = ncnn.groupnorm %x {name = "eps_default", channels = 8} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%eps_default = ncnn.groupnorm %x {name = "eps_default", group = 1, channels = 8, eps = 0.001} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT: %lrn_default = ncnn.lrn %x {name = "lrn_default"} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
%lrn_default = ncnn.lrn %x {name = "lrn_default", region_type = across_channels, local_size = 5, alpha = 1.0, beta = 0.75, bias = 1.0} : (tensor<8x4x4xf32>) -> tensor<8x4x4xf32>
