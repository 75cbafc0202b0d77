"""Running models in the ncnn runtime, and comparing their outputs."""

ENGINES = ("numpy", "ncnn", "iree")
"""The engines that can compute the blobs of a model."""
