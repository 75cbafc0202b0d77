// RUN: ncnn-opt --split-input-file --ncnn-infer-shapes='hints=false' %s | filecheck %s --match-full-lines --check-prefixes=CHECK,OWN
// RUN: ncnn-opt --split-input-file --ncnn-infer-shapes='input_shape="x:3x?x9" hints=false' %s | filecheck %s --match-full-lines --check-prefixes=CHECK,FINER
// RUN: ncnn-opt --split-input-file --ncnn-infer-shapes='input_shape="x:6x9" hints=false' %s | filecheck %s --match-full-lines --check-prefixes=CHECK,OTHER
// RUN: ncnn-opt --split-input-file --input-shape x=3,?,9 --no-shape-hints %s > %t.option
// RUN: ncnn-opt --split-input-file --ncnn-infer-shapes='input_shape="x:3x?x9" hints=false' %s | diff %t.option -
// RUN: ncnn-opt --split-input-file --ncnn-infer-shapes='hints=false' %t.option | diff %t.option -

// Types follow from those of the inputs, in order, and the function's from theirs.
// OWN:         func.func @main(%x: tensor<?x?x9xf32>, %y: tensor<5xf32>) -> (tensor<?x?x4xf32>, tensor<?xf32>, tensor<5xf32>) {
// FINER:       func.func @main(%x: tensor<3x?x9xf32>, %y: tensor<5xf32>) -> (tensor<3x?x4xf32>, tensor<?xf32>, tensor<5xf32>) {
// OTHER:       func.func @main(%x: tensor<6x9xf32>, %y: tensor<5xf32>) -> (tensor<*xf32>, tensor<?xf32>, tensor<5xf32>) {
// OWN-NEXT:    %pool = ncnn.pooling %x {name = "pool", kernel_w = 3, stride_w = 2} : (tensor<?x?x9xf32>) -> tensor<?x?x4xf32>
// FINER-NEXT:  %pool = ncnn.pooling %x {name = "pool", kernel_w = 3, stride_w = 2} : (tensor<3x?x9xf32>) -> tensor<3x?x4xf32>
// OTHER-NEXT:  %pool = ncnn.pooling %x {name = "pool", kernel_w = 3, stride_w = 2} : (tensor<6x9xf32>) -> tensor<*xf32>
// OWN-NEXT:    %relu = ncnn.relu %pool {name = "relu"} : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
// FINER-NEXT:  %relu = ncnn.relu %pool {name = "relu"} : (tensor<3x?x4xf32>) -> tensor<3x?x4xf32>
// OTHER-NEXT:  %relu = ncnn.relu %pool {name = "relu"} : (tensor<*xf32>) -> tensor<*xf32>
// OWN-NEXT:    %flat = ncnn.flatten %relu {name = "flat"} : (tensor<?x?x4xf32>) -> tensor<?xf32>
// FINER-NEXT:  %flat = ncnn.flatten %relu {name = "flat"} : (tensor<3x?x4xf32>) -> tensor<?xf32>
// OTHER-NEXT:  %flat = ncnn.flatten %relu {name = "flat"} : (tensor<*xf32>) -> tensor<?xf32>
// CHECK-NEXT:  %tanh = ncnn.tanh %y {name = "tanh"} : (tensor<5xf32>) -> tensor<5xf32>
// OWN-NEXT:    func.return %relu, %flat, %tanh : tensor<?x?x4xf32>, tensor<?xf32>, tensor<5xf32>
// FINER-NEXT:  func.return %relu, %flat, %tanh : tensor<3x?x4xf32>, tensor<?xf32>, tensor<5xf32>
// OTHER-NEXT:  func.return %relu, %flat, %tanh : tensor<*xf32>, tensor<?xf32>, tensor<5xf32>
func.func @main(%x: tensor<?x?x9xf32>, %y: tensor<5xf32>) -> (tensor<*xf32>, tensor<?xf32>, tensor<*xf32>) {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 3, stride_w = 2} : (tensor<?x?x9xf32>) -> tensor<*xf32>
  %relu = ncnn.relu %pool {name = "relu"} : (tensor<*xf32>) -> tensor<*xf32>
  %flat = ncnn.flatten %relu {name = "flat"} : (tensor<*xf32>) -> tensor<?xf32>
  %tanh = ncnn.tanh %y {name = "tanh"} : (tensor<5xf32>) -> tensor<*xf32>
  func.return %relu, %flat, %tanh : tensor<*xf32>, tensor<?xf32>, tensor<*xf32>
}

// -----

// What nothing tells stays unknown. What was known stays known, unless the input has become another
// one: then only what follows from it is left. Where its other shape makes no difference, facts from
// there on are not touched.
// OWN:         func.func @main(%x: tensor<?x?x9xf32>) -> (tensor<7xf32>, tensor<?x4xf32>, tensor<*xf32>, tensor<2x8xf32>) {
// FINER:       func.func @main(%x: tensor<3x?x9xf32>) -> (tensor<7xf32>, tensor<3x4xf32>, tensor<*xf32>, tensor<2x8xf32>) {
// OTHER:       func.func @main(%x: tensor<6x9xf32>) -> (tensor<*xf32>, tensor<6x4xf32>, tensor<*xf32>, tensor<2x8xf32>) {
// OWN-NEXT:    %mine = ncnn.custom "Mine"(%x) {name = "mine"} : (tensor<?x?x9xf32>) -> tensor<7xf32>
// FINER-NEXT:  %mine = ncnn.custom "Mine"(%x) {name = "mine"} : (tensor<3x?x9xf32>) -> tensor<7xf32>
// OTHER-NEXT:  %mine = ncnn.custom "Mine"(%x) {name = "mine"} : (tensor<6x9xf32>) -> tensor<*xf32>
// OWN-NEXT:    %exp = ncnn.exp %mine {name = "exp"} : (tensor<7xf32>) -> tensor<7xf32>
// FINER-NEXT:  %exp = ncnn.exp %mine {name = "exp"} : (tensor<7xf32>) -> tensor<7xf32>
// OTHER-NEXT:  %exp = ncnn.exp %mine {name = "exp"} : (tensor<*xf32>) -> tensor<*xf32>
// CHECK-NEXT:  %w = ncnn.constant #ncnn.elided : tensor<4x9xf32>
// OWN-NEXT:    %rows = ncnn.gemm %x B %w {name = "rows", transB = 1, constantB = 1, constantC = 1, constantN = 4, constantK = 9, constant_broadcast_type_C = -1} : (tensor<?x?x9xf32>, tensor<4x9xf32>) -> tensor<?x4xf32>
// FINER-NEXT:  %rows = ncnn.gemm %x B %w {name = "rows", transB = 1, constantB = 1, constantC = 1, constantN = 4, constantK = 9, constant_broadcast_type_C = -1} : (tensor<3x?x9xf32>, tensor<4x9xf32>) -> tensor<3x4xf32>
// OTHER-NEXT:  %rows = ncnn.gemm %x B %w {name = "rows", transB = 1, constantB = 1, constantC = 1, constantN = 4, constantK = 9, constant_broadcast_type_C = -1} : (tensor<6x9xf32>, tensor<4x9xf32>) -> tensor<6x4xf32>
// OWN-NEXT:    %yours = ncnn.custom "Yours"(%x) {name = "yours"} : (tensor<?x?x9xf32>) -> tensor<*xf32>
// FINER-NEXT:  %yours = ncnn.custom "Yours"(%x) {name = "yours"} : (tensor<3x?x9xf32>) -> tensor<*xf32>
// OTHER-NEXT:  %yours = ncnn.custom "Yours"(%x) {name = "yours"} : (tensor<6x9xf32>) -> tensor<*xf32>
// OWN-NEXT:    %spp = ncnn.spp %x {name = "spp", pyramid_height = 2} : (tensor<?x?x9xf32>) -> tensor<2x1x5xf32>
// FINER-NEXT:  %spp = ncnn.spp %x {name = "spp", pyramid_height = 2} : (tensor<3x?x9xf32>) -> tensor<2x1x5xf32>
// OTHER-NEXT:  %spp = ncnn.spp %x {name = "spp", pyramid_height = 2} : (tensor<6x9xf32>) -> tensor<2x1x5xf32>
// CHECK-NEXT:  %theirs = ncnn.custom "Theirs"(%spp) {name = "theirs"} : (tensor<2x1x5xf32>) -> tensor<2x8xf32>
// OWN-NEXT:    func.return %exp, %rows, %yours, %theirs : tensor<7xf32>, tensor<?x4xf32>, tensor<*xf32>, tensor<2x8xf32>
// FINER-NEXT:  func.return %exp, %rows, %yours, %theirs : tensor<7xf32>, tensor<3x4xf32>, tensor<*xf32>, tensor<2x8xf32>
// OTHER-NEXT:  func.return %exp, %rows, %yours, %theirs : tensor<*xf32>, tensor<6x4xf32>, tensor<*xf32>, tensor<2x8xf32>
func.func @main(%x: tensor<?x?x9xf32>) -> (tensor<7xf32>, tensor<?x4xf32>, tensor<*xf32>, tensor<2x8xf32>) {
  %mine = ncnn.custom "Mine"(%x) {name = "mine"} : (tensor<?x?x9xf32>) -> tensor<7xf32>
  %exp = ncnn.exp %mine {name = "exp"} : (tensor<7xf32>) -> tensor<7xf32>
  %w = ncnn.constant #ncnn.elided : tensor<4x9xf32>
  %rows = ncnn.gemm %x B %w {name = "rows", transB = 1, constantB = 1, constantC = 1, constantN = 4, constantK = 9, constant_broadcast_type_C = -1} : (tensor<?x?x9xf32>, tensor<4x9xf32>) -> tensor<?x4xf32>
  %yours = ncnn.custom "Yours"(%x) {name = "yours"} : (tensor<?x?x9xf32>) -> tensor<*xf32>
  %spp = ncnn.spp %x {name = "spp", pyramid_height = 2} : (tensor<?x?x9xf32>) -> tensor<2x1x5xf32>
  %theirs = ncnn.custom "Theirs"(%spp) {name = "theirs"} : (tensor<2x1x5xf32>) -> tensor<2x8xf32>
  func.return %exp, %rows, %yours, %theirs : tensor<7xf32>, tensor<?x4xf32>, tensor<*xf32>, tensor<2x8xf32>
}

// -----

// Element types are not its business.
// OWN:         func.func @main(%x: tensor<?x?x9xi8>) -> tensor<?x?x6xi8> {
// FINER:       func.func @main(%x: tensor<3x?x9xi8>) -> tensor<3x?x6xi8> {
// OTHER:       func.func @main(%x: tensor<6x9xi8>) -> tensor<6x6xi8> {
// OWN-NEXT:    %crop = ncnn.crop %x {name = "crop", starts = [2], ends = [-1], axes = [-1]} : (tensor<?x?x9xi8>) -> tensor<?x?x6xi8>
// FINER-NEXT:  %crop = ncnn.crop %x {name = "crop", starts = [2], ends = [-1], axes = [-1]} : (tensor<3x?x9xi8>) -> tensor<3x?x6xi8>
// OTHER-NEXT:  %crop = ncnn.crop %x {name = "crop", starts = [2], ends = [-1], axes = [-1]} : (tensor<6x9xi8>) -> tensor<6x6xi8>
// OWN-NEXT:    func.return %crop : tensor<?x?x6xi8>
// FINER-NEXT:  func.return %crop : tensor<3x?x6xi8>
// OTHER-NEXT:  func.return %crop : tensor<6x6xi8>
func.func @main(%x: tensor<?x?x9xi8>) -> tensor<*xi8> {
  %crop = ncnn.crop %x {name = "crop", starts = [2], ends = [-1], axes = [-1]} : (tensor<?x?x9xi8>) -> tensor<*xi8>
  func.return %crop : tensor<*xi8>
}
