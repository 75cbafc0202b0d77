"""What `ncnn-run` is made of."""

TOLERANCE = 1e-3
"""The largest error relative to a blob's largest value that counts as none."""

ENGINES = ("numpy", "ncnn")
"""What can compute the blobs of a model."""
