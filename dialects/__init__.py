"""The dialects of ncnn-opt: ncnn, fused, pnnx and the parts of IREE's that it writes."""
