// A pattern about Splits: it sees them.
pdl.pattern @unread_split : benefit(1) {
  %type = pdl.type
  %x = pdl.operand : %type
  %split = pdl.operation "ncnn.split" (%x : !pdl.value) -> (%type, %type : !pdl.type, !pdl.type)
  pdl.rewrite %split {
    pdl.replace %split with (%x, %x : !pdl.value, !pdl.value)
  }
}
