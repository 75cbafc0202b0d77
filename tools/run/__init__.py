"""What `ncnn-run` is made of."""

ENGINES = ("numpy", "ncnn")
"""What can compute the blobs of a model."""
