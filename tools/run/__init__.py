"""What `ncnn-run` is made of."""

TOLERANCE = 1e-3
"""The largest error relative to a blob's largest value that counts as none."""
