"""The dialects of ncnn-opt: `ncnn`, one operation a layer type of the ncnn runtime."""
