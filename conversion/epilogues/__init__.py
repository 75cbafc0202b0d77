"""Formulas of element-wise layers as operations of epilogues, in both directions between the
dialects."""
