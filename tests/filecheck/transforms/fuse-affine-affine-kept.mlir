// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-affine-affine %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// A Power would raise each element to the power of 1, which takes longer than both.
func.func @mul_add(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = add, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// The runtime takes an input of one channel, which the first constant makes two.
func.func @constants_may_broadcast(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.binaryop %x, %s_c {name = "s", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_c = ncnn.constant dense<[5.0, 7.0]> : tensor<2xf32>
  %z = ncnn.binaryop %s, %z_c {name = "z", op_type = add} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// The same with the second.
func.func @second_may_broadcast(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %z_c = ncnn.constant dense<[5.0, 7.0]> : tensor<2xf32>
  %z = ncnn.binaryop %s, %z_c {name = "z", op_type = add} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// A Scale is for the outermost axis.
func.func @columns(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %s_c = ncnn.constant dense<[[3.0, 0.5]]> : tensor<1x2xf32>
  %s = ncnn.binaryop %x, %s_c {name = "s", op_type = mul} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %z_c = ncnn.constant dense<[[5.0, 7.0]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %s, %z_c {name = "z", op_type = add} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

func.func @relu_between(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %t = ncnn.relu %s {name = "t"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %z = ncnn.scale %t scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

func.func @square(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z = ncnn.power %s {name = "z", power = 2.0} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

func.func @other_channels(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[2.0, 4.0, 1.0]> : tensor<3xf32>
  %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<3xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// The factors are a blob.
func.func @scale_by_blob(%x: tensor<2x?x?xf32>, %f: tensor<2xf32>) -> tensor<2x?x?xf32> {
  %s = ncnn.scale %x scale %f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// Somebody else needs the value between.
func.func @second_consumer(%x: tensor<2x?x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x?xf32>) {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %other = ncnn.absval %s {name = "other"} : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %z, %other : tensor<2x?x?xf32>, tensor<2x?x?xf32>
}

// The model gives it out.
func.func @returned(%x: tensor<2x?x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x?xf32>) {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z, %s : tensor<2x?x?xf32>, tensor<2x?x?xf32>
}

// The model gives it out.
func.func @scalars_returned(%x: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = div, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z, %s : tensor<*xf32>, tensor<*xf32>
}

// The two may not be treated alike.
func.func @other_features(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s", featmask = 1} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// A parameter of which nothing is known.
func.func @unknown_parameter(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = mul, with_scalar = 1, b = 2.0, extra = {"27" = 5 : i32}} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// 1e60 is infinite in float32.
func.func @infinite(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 1.0e30} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = mul, with_scalar = 1, b = 1.0e30} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

func.func @not_affine(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = pow, with_scalar = 1, b = 2.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// There are no values.
func.func @elided(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant #ncnn.elided : tensor<2xf32>
  %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// 1e-6 is below the normal numbers of float16, 1e-3 is not …
func.func @too_small_for_float16(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 0.001} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = mul, with_scalar = 1, b = 0.001} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// … and 1e6 is infinite.
func.func @too_large_for_float16(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 1000.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = mul, with_scalar = 1, b = 1000.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// The runtime takes 1e-40 for 0.
func.func @too_small_for_float32(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.binaryop %x {name = "s", op_type = mul, with_scalar = 1, b = 1.0e-20} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = mul, with_scalar = 1, b = 1.0e-20} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// All of a Scale's factors are too small for float16.
func.func @scales_too_small(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[0.001, 0.0005]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[0.001, 0.0005]> : tensor<2xf32>
  %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}

// The summand 100 * 1000 is larger than 65504 …
func.func @summand_overflows_float16(%x: tensor<*xf32>) -> tensor<*xf32> {
  %t = ncnn.binaryop %x {name = "t", op_type = add, with_scalar = 1, b = 100.0} : (tensor<*xf32>) -> tensor<*xf32>
  %s = ncnn.binaryop %t {name = "s", op_type = mul, with_scalar = 1, b = 100.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s {name = "z", op_type = mul, with_scalar = 1, b = 10.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// … and so is a Scale's.
func.func @bias_overflows_float16(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %s_f = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s_b = ncnn.constant dense<[100.0, 3.0]> : tensor<2xf32>
  %s = ncnn.scale %x scale %s_f bias %s_b {name = "s"} : (tensor<2x?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  %z_f = ncnn.constant dense<[1000.0, 2.0]> : tensor<2xf32>
  %z = ncnn.scale %s scale %z_f {name = "z"} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
  func.return %z : tensor<2x?x?xf32>
}
