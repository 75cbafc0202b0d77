"""The commands of `ncnn-quantize`, and the drop-in replacements of ncnn's tools."""
