"""Emulation of float16 storage and float16 arithmetic in the ncnn runtime, and the ranges of values.

The emulated device is a GPU (Vulkan), whose shaders use float16 in more places than the code for
arm: see `docs/float16.md`.
"""
