"""Running models in the ncnn runtime, and comparing their outputs."""

ENGINES = ("numpy", "ncnn", "iree")
"""The engines that can compute the blobs of a model."""

PRECISIONS = ("float32", "float16-storage", "float16", "bfloat16")
"""The element types of blobs and weights in the ncnn runtime. With `float16-storage`, the
arithmetic is float32; with `float16`, it is float16 where the device and the layer have it."""

DEVICES = ("cpu", "vulkan")
"""The devices of the ncnn runtime."""
