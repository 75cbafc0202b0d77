"""The conversion from the `ncnn` and `fused` dialects to `linalg`, `tensor`, `arith` and `math`."""
