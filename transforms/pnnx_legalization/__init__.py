"""Patterns that replace PNNX's operators by layers, and the repair of the converter's own model.

`conversion.pnnx_to_ncnn` converts a whole graph with the same patterns for shapes and expressions.
The repair (`restore_operators`, `operator_matching`, and the patterns for one converter's layer)
stays for models that the conversion cannot take: their `.pnnx.bin` is missing, so that only the
`.ncnn.bin` has weights, or the converter has layers for an operator that the conversion refuses.
"""
