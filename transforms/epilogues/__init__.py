"""Element-wise layers as scalar code, declared once for both directions between the dialects."""
