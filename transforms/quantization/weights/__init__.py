"""Weights as integers in layers that need no scale of their input: the input stays float, or the
runtime quantizes it at run time."""
