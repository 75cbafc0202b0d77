"""ncnn's file formats, independent of the IR: conversions between bytes and plain records.

`param_text` and `param_binary` are a model's structure (`.param`, `.param.bin`), `graph` its
in-memory form, `numbers` ncnn's number syntax. `FormatError` is the only exception for a damaged
file, or for a model that a format cannot represent.
"""
