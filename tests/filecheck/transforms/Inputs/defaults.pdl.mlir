// A parameter that is its default is one that a pattern can ask for, and set.
pdl.pattern @doubled : benefit(1) {
  %type = pdl.type
  %x = pdl.operand : %type
  %add = pdl.attribute = 0 : i32
  %sum = pdl.operation "ncnn.binaryop" (%x, %x : !pdl.value, !pdl.value) {"op_type" = %add} -> (%type : !pdl.type)
  pdl.rewrite %sum {
    %mul = pdl.attribute = 2 : i32
    %one = pdl.attribute = 1 : i32
    %two = pdl.attribute = 2.0 : f32
    %no_mask = pdl.attribute = 0 : i32
    %product = pdl.operation "ncnn.binaryop" (%x : !pdl.value) {"op_type" = %mul, "with_scalar" = %one, "b" = %two, "featmask" = %no_mask} -> (%type : !pdl.type)
    pdl.replace %sum with %product
  }
}

// The more specific pattern comes later in the file, and first in use.
pdl.pattern @doubled_relu : benefit(2) {
  %type = pdl.type
  %x = pdl.operand : %type
  %relu = pdl.operation "ncnn.relu" (%x : !pdl.value) -> (%type : !pdl.type)
  %y = pdl.result 0 of %relu
  %add = pdl.attribute = 0 : i32
  %sum = pdl.operation "ncnn.binaryop" (%y, %y : !pdl.value, !pdl.value) {"op_type" = %add} -> (%type : !pdl.type)
  pdl.rewrite %sum {
    pdl.replace %sum with (%y : !pdl.value)
  }
}
