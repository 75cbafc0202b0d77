"""Conversion of PNNX's own graph to the ncnn dialect, operator by operator."""
