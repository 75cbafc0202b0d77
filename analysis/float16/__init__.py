"""Float16 storage and arithmetic of the ncnn runtime in NumPy, and the ranges of values.

The emulated device is a GPU (Vulkan), whose shaders use float16 in more places than the code for
arm: see `docs/float16.md`.
"""
