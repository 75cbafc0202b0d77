"""The commands of `ncnn-quantize`, and the drop-in replacement of ncnn2table."""
