// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-gemm-affine %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// A BatchNorm has a factor for each row.
func.func @batchnorm_of_columns(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %slope = ncnn.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %mean = ncnn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = ncnn.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %shift = ncnn.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %z = ncnn.batchnorm %y slope %slope mean %mean var %var bias %shift {name = "z", eps = 1.0} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// A vector of 2 is for the rows if there are 2, and nobody knows.
func.func @vector(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// The file says 7, but the runtime takes any.
func.func @vector_of_declared(%x: tensor<7x3xf32>) -> tensor<7x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<7x3xf32>, tensor<3x2xf32>) -> tensor<7x2xf32>
  %c = ncnn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<7x2xf32>, tensor<2xf32>) -> tensor<7x2xf32>
  func.return %z : tensor<7x2xf32>
}

// Rows, where B has columns.
func.func @rows_of_b(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %c = ncnn.constant dense<[[3.0], [0.5]]> : tensor<2x1xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// C has a value for each row.
func.func @c_of_rows(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %C = ncnn.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %y = ncnn.gemm %x B %B C %C {name = "y", constantB = 1, constantC = 1, constantN = 2, constantK = 3, constantM = 2, constant_broadcast_type_C = 1} : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %c = ncnn.constant dense<[[3.0, 0.5]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// C has a value for each element.
func.func @c_of_all(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %C = ncnn.constant dense<[[10.0, 20.0], [30.0, 40.0]]> : tensor<2x2xf32>
  %y = ncnn.gemm %x B %B C %C {name = "y", constantB = 1, constantC = 1, constantN = 2, constantK = 3, constantM = 2, constant_broadcast_type_C = 3} : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = ncnn.constant dense<[[3.0, 0.5]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// C is a blob.
func.func @c_is_a_blob(%x: tensor<?x3xf32>, %C: tensor<1x2xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x, %C B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[3.0, 0.5]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// All are blobs: a summand has no place.
func.func @blobs(%x: tensor<?x3xf32>, %B: tensor<3x2xf32>) -> tensor<?x2xf32> {
  %y = ncnn.gemm %x, %B {name = "y"} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = add, with_scalar = 1, b = 2.0} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// Integers have a scale for all.
func.func @int8(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %s = ncnn.constant dense<64.0> : tensor<1xf32>
  %y = ncnn.gemm %x B %B B_int8_scale %s {name = "y", constantB = 1, constantN = 2, constantK = 3, quantize_term = 2} : (tensor<?x3xf32>, tensor<3x2xi8>, tensor<1xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[3.0, 0.5]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// Nothing that is added inside counts.
func.func @alpha_of_0(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3, alpha = 0.0} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[5.0, 7.0]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = add} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// 1e60 is infinite in float32.
func.func @infinite(%x: tensor<?x3xf32>, %B: tensor<3x2xf32>) -> tensor<?x2xf32> {
  %y = ncnn.gemm %x, %B {name = "y", alpha = 1.0e30} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 1.0e30} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// There are no values.
func.func @elided(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant #ncnn.elided : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %c = ncnn.constant dense<[[3.0, 0.5]]> : tensor<1x2xf32>
  %z = ncnn.binaryop %y, %c {name = "z", op_type = mul} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// Somebody else needs the value between as it is.
func.func @second_consumer(%x: tensor<?x3xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %other = ncnn.absval %y {name = "other"} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z, %other : tensor<?x2xf32>, tensor<?x2xf32>
}

// The model gives the value between out.
func.func @returned(%x: tensor<?x3xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z, %y : tensor<?x2xf32>, tensor<?x2xf32>
}

// The two may not be treated alike.
func.func @other_features(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3, featmask = 1} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// A parameter of which nothing is known.
func.func @unknown_parameter(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3, extra = {"27" = 5 : i32}} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// A Gemm has no place for an activation.
func.func @relu(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %B = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %y = ncnn.gemm %x B %B {name = "y", constantB = 1, constantN = 2, constantK = 3} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.relu %y {name = "z"} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}

// Alpha would be too small for float16, and is not now.
func.func @alpha_too_small(%a: tensor<?x3xf32>, %b: tensor<3x2xf32>) -> tensor<?x2xf32> {
  %y = ncnn.gemm %a, %b {name = "y", alpha = 0.001} : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %z = ncnn.binaryop %y {name = "z", op_type = mul, with_scalar = 1, b = 0.001} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}
