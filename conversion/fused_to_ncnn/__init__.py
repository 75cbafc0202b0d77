"""The conversion from the `fused` to the `ncnn` dialect."""
