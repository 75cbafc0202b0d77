"""Formulas of element-wise layers as code of epilogues, for both directions between the
dialects."""
