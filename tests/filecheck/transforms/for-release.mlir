// Each function is one in which a rewrite makes a layer that old releases lack.
// RUN: ncnn-opt --for-ncnn latest --ncnn-recognize --canonicalize %s | filecheck %s --check-prefixes=CHECK,NEW
// RUN: ncnn-opt --for-ncnn 20240102 --ncnn-recognize --canonicalize %s | filecheck %s --check-prefixes=CHECK,OLD
// RUN: ncnn-opt --ncnn-for-release=20240102 %s | ncnn-opt --ncnn-recognize --canonicalize | filecheck %s --check-prefixes=CHECK,OLD
// RUN: xdsl-opt -p 'ncnn-for-release{release="20240102"},ncnn-recognize,canonicalize' %s | filecheck %s --check-prefixes=CHECK,OLD
// RUN: xdsl-opt -p 'ncnn-for-release{release=own},ncnn-recognize,canonicalize,ncnn-for-release{release=any}' %s | filecheck %s --check-prefixes=CHECK,OLD,ANY
// RUN: ncnn-opt --ncnn-recognize --canonicalize %s | filecheck %s --check-prefixes=CHECK,NEW,ANY
// RUN: not ncnn-opt --for-ncnn 20260525 --ncnn-recognize --canonicalize %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: ncnn-opt --for-ncnn 1.0.20260114 --ncnn-recognize --canonicalize %s | filecheck %s --check-prefix=WHEEL

// UNKNOWN: ncnn-opt: error: unknown ncnn release '20260525'; known are 20240102, {{.*}}, 20261020 and latest
// WHEEL: attributes {ncnn.release = "20260113"}
// ANY-NOT: ncnn.release

// CHECK-LABEL: func.func @rmsnorm(
// NEW:   ncnn.rmsnorm
// OLD:   op_type = rsqrt
func.func @rmsnorm(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = ncnn.unaryop %x {name = "q", op_type = square} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = ncnn.reduction %q {name = "v", operation = mean, reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %e = ncnn.binaryop %v {name = "e", op_type = add, with_scalar = 1, b = 1.0e-06} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %s = ncnn.unaryop %e {name = "s", op_type = rsqrt} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = ncnn.binaryop %x, %s {name = "y", op_type = mul} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @rotary(
// NEW:   ncnn.rotaryembed
// OLD:   op_type = neg
func.func @rotary(%in: tensor<16xf32>) -> tensor<2x2x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[5.0, 6.0, 5.0, 6.0], [7.0, 8.0, 7.0, 8.0]]]> : tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// Four dims: HardSwish, Scale, Power, InnerProduct.
// CHECK-LABEL: func.func @hardswish(
// NEW:   ncnn.hardswish
// OLD:   ncnn.clip
func.func @hardswish(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %c = ncnn.clip %a {name = "c", min = 0.0, max = 6.0} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %d = ncnn.binaryop %c {name = "d", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %y = ncnn.binaryop %x, %d {name = "y", op_type = mul} : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  func.return %y : tensor<2x3x4x5xf32>
}

// In three dims all releases have it.
// CHECK-LABEL: func.func @hardswish_in_three(
// CHECK:   ncnn.hardswish
func.func @hardswish_in_three(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %c = ncnn.clip %a {name = "c", min = 0.0, max = 6.0} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %d = ncnn.binaryop %c {name = "d", op_type = div, with_scalar = 1, b = 6.0} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = ncnn.binaryop %x, %d {name = "y", op_type = mul} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// A blob of unknown rank may have four.
// CHECK-LABEL: func.func @hardswish_of_any_rank(
// NEW:   ncnn.hardswish
// OLD:   ncnn.clip
func.func @hardswish_of_any_rank(%x: tensor<*xf32>) -> tensor<*xf32> {
  %a = ncnn.binaryop %x {name = "a", op_type = add, with_scalar = 1, b = 3.0} : (tensor<*xf32>) -> tensor<*xf32>
  %c = ncnn.clip %a {name = "c", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  %d = ncnn.binaryop %c {name = "d", op_type = div, with_scalar = 1, b = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.binaryop %x, %d {name = "y", op_type = mul} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// CHECK-LABEL: func.func @scale(
// NEW:   ncnn.scale
// OLD:   ncnn.binaryop
// OLD:   ncnn.binaryop
func.func @scale(%in: tensor<120xf32>) -> tensor<2x3x4x5xf32> {
  %x = ncnn.reshape %in {name = "x", w = 5, h = 4, c = 2, d = 3} : (tensor<120xf32>) -> tensor<2x3x4x5xf32>
  %c = ncnn.constant {name = "c"} dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>
  %a = ncnn.binaryop %x, %c {name = "a", op_type = mul} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1xf32>) -> tensor<2x3x4x5xf32>
  %e = ncnn.constant {name = "e"} dense<[[[[4.0]]], [[[5.0]]]]> : tensor<2x1x1x1xf32>
  %y = ncnn.binaryop %a, %e {name = "y", op_type = add} : (tensor<2x3x4x5xf32>, tensor<2x1x1x1xf32>) -> tensor<2x3x4x5xf32>
  func.return %y : tensor<2x3x4x5xf32>
}

// CHECK-LABEL: func.func @flat(
// NEW-NOT:   ncnn.flatten
// OLD:       ncnn.flatten
// CHECK:     ncnn.innerproduct
func.func @flat(%x: tensor<1x2x1x2xf32>) -> tensor<1xf32> {
  %f = ncnn.flatten %x {name = "f"} : (tensor<1x2x1x2xf32>) -> tensor<4xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %y = ncnn.innerproduct %f weight %w {name = "y", num_output = 1} : (tensor<4xf32>, tensor<1x4xf32>) -> tensor<1xf32>
  func.return %y : tensor<1xf32>
}

// CHECK-LABEL: func.func @flat_image(
// CHECK-NOT: ncnn.flatten
// CHECK:     ncnn.innerproduct
func.func @flat_image(%x: tensor<2x1x2xf32>) -> tensor<1xf32> {
  %f = ncnn.flatten %x {name = "f"} : (tensor<2x1x2xf32>) -> tensor<4xf32>
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %y = ncnn.innerproduct %f weight %w {name = "y", num_output = 1} : (tensor<4xf32>, tensor<1x4xf32>) -> tensor<1xf32>
  func.return %y : tensor<1xf32>
}

// Layers between two Reshapes that become one.
// CHECK-LABEL: func.func @between(
// CHECK:      ncnn.permute
// NEW-NEXT:   ncnn.power %x
// OLD-NEXT:   ncnn.reshape %x
// OLD-NEXT:   ncnn.power
func.func @between(%in: tensor<24xf32>) -> tensor<24xf32> {
  %r = ncnn.reshape %in {name = "r", w = 4, h = 3, c = 2, d = 1} : (tensor<24xf32>) -> tensor<2x1x3x4xf32>
  %x = ncnn.permute %r {name = "x", order_type = 1} : (tensor<2x1x3x4xf32>) -> tensor<2x1x4x3xf32>
  %f = ncnn.reshape %x {name = "f", w = 12, h = 2} : (tensor<2x1x4x3xf32>) -> tensor<2x12xf32>
  %p = ncnn.power %f {name = "p", power = 3.0} : (tensor<2x12xf32>) -> tensor<2x12xf32>
  %y = ncnn.reshape %p {name = "y", w = 24} : (tensor<2x12xf32>) -> tensor<24xf32>
  func.return %y : tensor<24xf32>
}
