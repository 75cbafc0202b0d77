// `x * sigmoid(x)` is Swish, as a pattern that ncnn-opt reads when it runs:
//
//     ncnn-opt --apply-pdl=examples/swish.pdl.mlir model.param -o fast.param

// The gate first: BinaryOp with op_type 2 (mul) of sigmoid(x) and x.
pdl.pattern @swish : benefit(1) {
  %type = pdl.type
  %x = pdl.operand : %type
  %sigmoid = pdl.operation "ncnn.sigmoid" (%x : !pdl.value) -> (%type : !pdl.type)
  %gate = pdl.result 0 of %sigmoid
  %mul = pdl.attribute = 2 : i32
  %product = pdl.operation "ncnn.binaryop" (%gate, %x : !pdl.value, !pdl.value) {"op_type" = %mul} -> (%type : !pdl.type)
  pdl.rewrite %product {
    %swish = pdl.operation "ncnn.swish" (%x : !pdl.value) -> (%type : !pdl.type)
    pdl.replace %product with %swish
  }
}

// The gate second.
pdl.pattern @swish_reversed : benefit(1) {
  %type = pdl.type
  %x = pdl.operand : %type
  %sigmoid = pdl.operation "ncnn.sigmoid" (%x : !pdl.value) -> (%type : !pdl.type)
  %gate = pdl.result 0 of %sigmoid
  %mul = pdl.attribute = 2 : i32
  %product = pdl.operation "ncnn.binaryop" (%x, %gate : !pdl.value, !pdl.value) {"op_type" = %mul} -> (%type : !pdl.type)
  pdl.rewrite %product {
    %swish = pdl.operation "ncnn.swish" (%x : !pdl.value) -> (%type : !pdl.type)
    pdl.replace %product with %swish
  }
}
