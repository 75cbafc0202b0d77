// RotaryEmbed reads the second halves of its tables since 20261020. Older releases read the first halves twice.
// RUN: ncnn-opt --for-ncnn latest --fuse-rotaryembed %s | filecheck %s --check-prefixes=CHECK,NEW
// RUN: ncnn-opt --for-ncnn 20260526 --fuse-rotaryembed %s | filecheck %s --check-prefixes=CHECK,OLD
// RUN: ncnn-opt --for-ncnn 20260113 --fuse-rotaryembed %s | filecheck %s --check-prefixes=CHECK,OLD
// RUN: ncnn-opt --for-ncnn 20250916 --fuse-rotaryembed %s | filecheck %s --check-prefix=NONE

// NONE-NOT: ncnn.rotaryembed

// Both halves of both tables are equal.
// CHECK-LABEL: func.func @equal(
// CHECK:   ncnn.rotaryembed
func.func @equal(%in: tensor<16xf32>) -> tensor<2x2x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// One element of the cosines differs.
// CHECK-LABEL: func.func @cos_differs(
// NEW:   ncnn.rotaryembed
// OLD-NOT:   ncnn.rotaryembed
func.func @cos_differs(%in: tensor<16xf32>) -> tensor<2x2x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 5.0]]]> : tensor<1x2x4xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// One element of the sines differs.
// CHECK-LABEL: func.func @sin_differs(
// NEW:   ncnn.rotaryembed
// OLD-NOT:   ncnn.rotaryembed
func.func @sin_differs(%in: tensor<16xf32>) -> tensor<2x2x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %cos = ncnn.constant {name = "cos"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]]> : tensor<1x2x4xf32>
  %sin = ncnn.constant {name = "sin"} dense<[[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 5.0]]]> : tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// Nothing is known of the tables.
// CHECK-LABEL: func.func @inputs(
// NEW:   ncnn.rotaryembed
// OLD-NOT:   ncnn.rotaryembed
func.func @inputs(%in: tensor<16xf32>, %cosi: tensor<8xf32>, %sini: tensor<8xf32>) -> tensor<2x2x4xf32> {
  %cos = ncnn.reshape %cosi {name = "cos", w = 4, h = 2, c = 1} : (tensor<8xf32>) -> tensor<1x2x4xf32>
  %sin = ncnn.reshape %sini {name = "sin", w = 4, h = 2, c = 1} : (tensor<8xf32>) -> tensor<1x2x4xf32>
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// The angles are concatenated with themselves, as exporters write it.
// CHECK-LABEL: func.func @twice(
// CHECK:   ncnn.rotaryembed
func.func @twice(%in: tensor<16xf32>, %fi: tensor<4xf32>, %gi: tensor<4xf32>) -> tensor<2x2x4xf32> {
  %f = ncnn.reshape %fi {name = "f", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
  %g = ncnn.reshape %gi {name = "g", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %e = ncnn.concat %f, %f {name = "e", axis = 2} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  %c = ncnn.unaryop %e {name = "c", op_type = cos} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %cos = ncnn.binaryop %c {name = "cos", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %sin = ncnn.unaryop %e {name = "sin", op_type = sin} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// A Split copies the angles.
// CHECK-LABEL: func.func @split(
// CHECK:   ncnn.rotaryembed
func.func @split(%in: tensor<16xf32>, %fi: tensor<4xf32>, %gi: tensor<4xf32>) -> tensor<2x2x4xf32> {
  %f = ncnn.reshape %fi {name = "f", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
  %g = ncnn.reshape %gi {name = "g", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %f1, %f2 = ncnn.split %f {name = "f"} : (tensor<1x2x2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>)
  %e = ncnn.concat %f1, %f2 {name = "e", axis = 2} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  %e1, %e2 = ncnn.split %e {name = "e2"} : (tensor<1x2x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  %cos = ncnn.unaryop %e1 {name = "cos", op_type = cos} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %sin = ncnn.unaryop %e2 {name = "sin", op_type = sin} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// Other angles are concatenated.
// CHECK-LABEL: func.func @two_angles(
// NEW:   ncnn.rotaryembed
// OLD-NOT:   ncnn.rotaryembed
func.func @two_angles(%in: tensor<16xf32>, %fi: tensor<4xf32>, %gi: tensor<4xf32>) -> tensor<2x2x4xf32> {
  %f = ncnn.reshape %fi {name = "f", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
  %g = ncnn.reshape %gi {name = "g", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %e = ncnn.concat %f, %g {name = "e", axis = 2} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  %cos = ncnn.unaryop %e {name = "cos", op_type = cos} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %sin = ncnn.unaryop %e {name = "sin", op_type = sin} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// Only the cosines have equal halves.
// CHECK-LABEL: func.func @one_table(
// NEW:   ncnn.rotaryembed
// OLD-NOT:   ncnn.rotaryembed
func.func @one_table(%in: tensor<16xf32>, %fi: tensor<4xf32>, %gi: tensor<4xf32>) -> tensor<2x2x4xf32> {
  %f = ncnn.reshape %fi {name = "f", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
  %g = ncnn.reshape %gi {name = "g", w = 2, h = 2, c = 1} : (tensor<4xf32>) -> tensor<1x2x2xf32>
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %e = ncnn.concat %f, %f {name = "e", axis = 2} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  %d = ncnn.concat %f, %g {name = "d", axis = 2} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  %cos = ncnn.unaryop %e {name = "cos", op_type = cos} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %sin = ncnn.unaryop %d {name = "sin", op_type = sin} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// The angles are concatenated along the steps.
// CHECK-LABEL: func.func @rows(
// NEW:   ncnn.rotaryembed
// OLD-NOT:   ncnn.rotaryembed
func.func @rows(%in: tensor<16xf32>, %fi: tensor<4xf32>) -> tensor<2x2x4xf32> {
  %f = ncnn.reshape %fi {name = "f", w = 4, h = 1, c = 1} : (tensor<4xf32>) -> tensor<1x1x4xf32>
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %e = ncnn.concat %f, %f {name = "e", axis = 1} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  %cos = ncnn.unaryop %e {name = "cos", op_type = cos} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %sin = ncnn.unaryop %e {name = "sin", op_type = sin} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// A Reshape keeps the rows.
// CHECK-LABEL: func.func @reshaped(
// CHECK:   ncnn.rotaryembed
func.func @reshaped(%in: tensor<16xf32>, %fi: tensor<4xf32>) -> tensor<2x2x4xf32> {
  %f = ncnn.reshape %fi {name = "f", w = 2, h = 2} : (tensor<4xf32>) -> tensor<2x2xf32>
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %e = ncnn.concat %f, %f {name = "e", axis = 1} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %c = ncnn.unaryop %e {name = "c", op_type = cos} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %d = ncnn.unaryop %e {name = "d", op_type = sin} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %cos = ncnn.reshape %c {name = "cos", w = 4, h = 2, c = 1} : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
  %sin = ncnn.reshape %d {name = "sin", w = 4, h = 2, c = 1} : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// A Reshape makes other rows of them.
// CHECK-LABEL: func.func @other_rows(
// NEW:   ncnn.rotaryembed
// OLD-NOT:   ncnn.rotaryembed
func.func @other_rows(%in: tensor<16xf32>, %fi: tensor<4xf32>) -> tensor<2x2x4xf32> {
  %f = ncnn.reshape %fi {name = "f", w = 4, h = 1} : (tensor<4xf32>) -> tensor<1x4xf32>
  %x = ncnn.reshape %in {name = "x", w = 4, h = 2, c = 2} : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %a, %b = ncnn.slice %x {name = "s", slices = [-233, -233], axis = 2} : (tensor<2x2x4xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %n = ncnn.unaryop %b {name = "n", op_type = neg} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %j = ncnn.concat %n, %a {name = "j", axis = 2} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x4xf32>
  %e = ncnn.concat %f, %f {name = "e", axis = 1} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x8xf32>
  %c = ncnn.unaryop %e {name = "c", op_type = cos} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %d = ncnn.unaryop %e {name = "d", op_type = sin} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %cos = ncnn.reshape %c {name = "cos", w = 4, h = 2, c = 1} : (tensor<1x8xf32>) -> tensor<1x2x4xf32>
  %sin = ncnn.reshape %d {name = "sin", w = 4, h = 2, c = 1} : (tensor<1x8xf32>) -> tensor<1x2x4xf32>
  %p = ncnn.binaryop %x, %cos {name = "p", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %q = ncnn.binaryop %j, %sin {name = "q", op_type = mul} : (tensor<2x2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = ncnn.binaryop %p, %q {name = "y"} : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}
