"""Models in the ncnn runtime: running them, and comparing what comes out."""

ENGINES = ("numpy", "ncnn", "iree")
"""What can compute the blobs of a model."""
