// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --eliminate-reshape-before-binaryop %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --eliminate-reshape-before-binaryop %s > %t.once
// RUN: ncnn-opt --eliminate-reshape-before-binaryop %t.once | diff %t.once -
// RUN: ncnn-opt --eliminate-reshape-before-binaryop --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: eliminate-reshape-before-binaryop: BinaryOp 'mul', Reshape 'reshape'
// REMARK-NEXT: remark: eliminate-reshape-before-binaryop: BinaryOp 'sub', Reshape 'reshape'
// REMARK-NEXT: remark: eliminate-reshape-before-binaryop: BinaryOp 'add', ExpandDims 'expand'
// REMARK-NEXT: remark: eliminate-reshape-before-binaryop: BinaryOp 'add', Reshape 'row'
// REMARK-NEXT: remark: eliminate-reshape-before-binaryop: BinaryOp 'add', ExpandDims 'expand'

// The channels of a 1-D blob are the outermost axis of the other.
// CHECK-LABEL: func.func @channels(%x: tensor<*xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<2x1x3x3xf32>
// BEFORE-NEXT:   %v = ncnn.constant dense<1.000000e+00> : tensor<2x2xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 3} : (tensor<*xf32>, tensor<2x1x3x3xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %fc = ncnn.innerproduct %pool weight %v {name = "fc", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %reshape = ncnn.reshape %fc {name = "reshape", w = 1, h = 1, c = -1} : (tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %mul = ncnn.binaryop %conv, %reshape {name = "mul", op_type = mul} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %mul : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<2x1x3x3xf32>
// AFTER-NEXT:    %v = ncnn.constant dense<1.000000e+00> : tensor<2x2xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 3} : (tensor<*xf32>, tensor<2x1x3x3xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %fc = ncnn.innerproduct %pool weight %v {name = "fc", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %mul = ncnn.binaryop %conv, %fc {name = "mul", op_type = mul} : (tensor<2x?x?xf32>, tensor<2xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %mul : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @channels(%x: tensor<*xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x1x3x3xf32>
  %v = ncnn.constant dense<1.0> : tensor<2x2xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 3} : (tensor<*xf32>, tensor<2x1x3x3xf32>) -> tensor<2x?x?xf32>
  %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
  %fc = ncnn.innerproduct %pool weight %v {name = "fc", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %reshape = ncnn.reshape %fc {name = "reshape", w = 1, h = 1, c = -1} : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %mul = ncnn.binaryop %conv, %reshape {name = "mul", op_type = mul} : (tensor<2x?x?xf32>, tensor<2x1x1xf32>) -> tensor<2x?x?xf32>
  func.return %mul : tensor<2x?x?xf32>
}

// Element-wise layers between do not see the shape; the first operand may be the one.
// CHECK-LABEL: func.func @through(%x: tensor<*xf32>) -> tensor<2x?x?xf32> {
// BEFORE-NEXT:   %w = ncnn.constant dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<2x1x3x3xf32>
// BEFORE-NEXT:   %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 3} : (tensor<*xf32>, tensor<2x1x3x3xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// BEFORE-NEXT:   %reshape = ncnn.reshape %pool {name = "reshape", w = 1, h = 1, c = 2} : (tensor<2xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %times = ncnn.binaryop %reshape {name = "times", op_type = mul, with_scalar = 1, b = 1.2} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %gate = ncnn.hardsigmoid %times {name = "gate", shape_hints = [3, 1, 1, 2]} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
// BEFORE-NEXT:   %sub = ncnn.binaryop %gate, %conv {name = "sub", op_type = sub} : (tensor<2x1x1xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   func.return %sub : tensor<2x?x?xf32>
// AFTER-NEXT:    %w = ncnn.constant dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<2x1x3x3xf32>
// AFTER-NEXT:    %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 3} : (tensor<*xf32>, tensor<2x1x3x3xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %times = ncnn.binaryop %pool {name = "times", op_type = mul, with_scalar = 1, b = 1.2} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %gate = ncnn.hardsigmoid %times {name = "gate"} : (tensor<2xf32>) -> tensor<2xf32>
// AFTER-NEXT:    %sub = ncnn.binaryop %gate, %conv {name = "sub", op_type = sub} : (tensor<2xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    func.return %sub : tensor<2x?x?xf32>
// CHECK-NEXT: }
func.func @through(%x: tensor<*xf32>) -> tensor<2x?x?xf32> {
  %w = ncnn.constant dense<1.0> : tensor<2x1x3x3xf32>
  %conv = ncnn.convolution %x weight %w {name = "conv", num_output = 2, kernel_w = 3} : (tensor<*xf32>, tensor<2x1x3x3xf32>) -> tensor<2x?x?xf32>
  %pool = ncnn.pooling %conv {name = "pool", pooling_type = avg, global_pooling = 1} : (tensor<2x?x?xf32>) -> tensor<2xf32>
  %reshape = ncnn.reshape %pool {name = "reshape", w = 1, h = 1, c = 2} : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %times = ncnn.binaryop %reshape {name = "times", op_type = mul, with_scalar = 1, b = 1.2} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %gate = ncnn.hardsigmoid %times {name = "gate", shape_hints = [3, 1, 1, 2]} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %sub = ncnn.binaryop %gate, %conv {name = "sub", op_type = sub} : (tensor<2x1x1xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  func.return %sub : tensor<2x?x?xf32>
}

// An ExpandDims that adds the inner axis that broadcasting adds, whatever the extents are.
// CHECK-LABEL: func.func @inner_axes(%x: tensor<?x?x?x?xf32>, %y: tensor<?x?x1xf32>) -> tensor<?x?x?x?xf32> {
// BEFORE-NEXT:   %expand = ncnn.expanddims %y {name = "expand", axes = [3]} : (tensor<?x?x1xf32>) -> tensor<?x?x1x1xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %x, %expand {name = "add", op_type = add} : (tensor<?x?x?x?xf32>, tensor<?x?x1x1xf32>) -> tensor<?x?x?x?xf32>
// BEFORE-NEXT:   func.return %add : tensor<?x?x?x?xf32>
// AFTER-NEXT:    %add = ncnn.binaryop %x, %y {name = "add", op_type = add} : (tensor<?x?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?x?xf32>
// AFTER-NEXT:    func.return %add : tensor<?x?x?x?xf32>
// CHECK-NEXT: }
func.func @inner_axes(%x: tensor<?x?x?x?xf32>, %y: tensor<?x?x1xf32>) -> tensor<?x?x?x?xf32> {
  %expand = ncnn.expanddims %y {name = "expand", axes = [3]} : (tensor<?x?x1xf32>) -> tensor<?x?x1x1xf32>
  %add = ncnn.binaryop %x, %expand {name = "add", op_type = add} : (tensor<?x?x?x?xf32>, tensor<?x?x1x1xf32>) -> tensor<?x?x?x?xf32>
  func.return %add : tensor<?x?x?x?xf32>
}

// The innermost axis: its extent is known not to be that of the outermost.
// CHECK-LABEL: func.func @innermost(%x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<2x4xf32> {
// BEFORE-NEXT:   %rows = ncnn.reshape %x {name = "rows", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
// BEFORE-NEXT:   %columns = ncnn.reshape %y {name = "columns", w = 4, h = 1, c = 1} : (tensor<*xf32>) -> tensor<1x1x4xf32>
// BEFORE-NEXT:   %flat = ncnn.flatten %columns {name = "flat"} : (tensor<1x1x4xf32>) -> tensor<4xf32>
// BEFORE-NEXT:   %both = ncnn.reshape %rows {name = "both", w = 4, h = 2} : (tensor<2x2x2xf32>) -> tensor<2x4xf32>
// BEFORE-NEXT:   %row = ncnn.reshape %flat {name = "row", w = 4, h = 1} : (tensor<4xf32>) -> tensor<1x4xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %both, %row {name = "add", op_type = add} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// BEFORE-NEXT:   func.return %add : tensor<2x4xf32>
// AFTER-NEXT:    %rows = ncnn.reshape %x {name = "rows", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
// AFTER-NEXT:    %columns = ncnn.reshape %y {name = "columns", w = 4, h = 1, c = 1} : (tensor<*xf32>) -> tensor<1x1x4xf32>
// AFTER-NEXT:    %flat = ncnn.flatten %columns {name = "flat"} : (tensor<1x1x4xf32>) -> tensor<4xf32>
// AFTER-NEXT:    %both = ncnn.reshape %rows {name = "both", w = 4, h = 2} : (tensor<2x2x2xf32>) -> tensor<2x4xf32>
// AFTER-NEXT:    %add = ncnn.binaryop %both, %flat {name = "add", op_type = add} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// AFTER-NEXT:    func.return %add : tensor<2x4xf32>
// CHECK-NEXT: }
func.func @innermost(%x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<2x4xf32> {
  %rows = ncnn.reshape %x {name = "rows", w = 2, h = 2, c = 2} : (tensor<*xf32>) -> tensor<2x2x2xf32>
  %columns = ncnn.reshape %y {name = "columns", w = 4, h = 1, c = 1} : (tensor<*xf32>) -> tensor<1x1x4xf32>
  %flat = ncnn.flatten %columns {name = "flat"} : (tensor<1x1x4xf32>) -> tensor<4xf32>
  %both = ncnn.reshape %rows {name = "both", w = 4, h = 2} : (tensor<2x2x2xf32>) -> tensor<2x4xf32>
  %row = ncnn.reshape %flat {name = "row", w = 4, h = 1} : (tensor<4xf32>) -> tensor<1x4xf32>
  %add = ncnn.binaryop %both, %row {name = "add", op_type = add} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  func.return %add : tensor<2x4xf32>
}

// The reshaped blob has another reader: the layer stays for it.
// CHECK-LABEL: func.func @second_reader(%x: tensor<2x?x?xf32>, %y: tensor<2x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x1xf32>) {
// BEFORE-NEXT:   %expand = ncnn.expanddims %y {name = "expand", axes = [-1]} : (tensor<2x?xf32>) -> tensor<2x?x1xf32>
// BEFORE-NEXT:   %add = ncnn.binaryop %x, %expand {name = "add", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
// BEFORE-NEXT:   %relu = ncnn.relu %expand {name = "relu"} : (tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
// BEFORE-NEXT:   func.return %add, %relu : tensor<2x?x?xf32>, tensor<2x?x1xf32>
// AFTER-NEXT:    %expand = ncnn.expanddims %y {name = "expand", axes = [-1]} : (tensor<2x?xf32>) -> tensor<2x?x1xf32>
// AFTER-NEXT:    %add = ncnn.binaryop %x, %y {name = "add", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?xf32>) -> tensor<2x?x?xf32>
// AFTER-NEXT:    %relu = ncnn.relu %expand {name = "relu"} : (tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
// AFTER-NEXT:    func.return %add, %relu : tensor<2x?x?xf32>, tensor<2x?x1xf32>
// CHECK-NEXT: }
func.func @second_reader(%x: tensor<2x?x?xf32>, %y: tensor<2x?xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x1xf32>) {
  %expand = ncnn.expanddims %y {name = "expand", axes = [-1]} : (tensor<2x?xf32>) -> tensor<2x?x1xf32>
  %add = ncnn.binaryop %x, %expand {name = "add", op_type = add} : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  %relu = ncnn.relu %expand {name = "relu"} : (tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  func.return %add, %relu : tensor<2x?x?xf32>, tensor<2x?x1xf32>
}
