"""The conversion from the `ncnn` to the `fused` dialect."""
