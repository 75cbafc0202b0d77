"""Shapes of tensors, whatever dialect their operations are of: extents as terms over those of a
model's inputs (`terms.py`), and the analysis that finds them (`analysis.py`)."""
