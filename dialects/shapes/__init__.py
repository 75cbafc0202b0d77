"""Shapes of tensors of all dialects.

`terms.py` has extents as terms over a model's input extents; `analysis.py` infers them.
"""
