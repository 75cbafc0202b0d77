"""Layer-by-layer comparison of a model with the PyTorch model that it was converted from.

Converters rename blobs, merge operators and split them, so blobs are paired by their values: a blob
belongs to an operand if both have the same elements in row-major order, within the tolerance. Each
operator of PyTorch reads the model's own blobs where they are paired. So rounding errors do not
accumulate, and the first operator without a paired result is the place of a difference.
"""
