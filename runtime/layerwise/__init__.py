"""Layer-by-layer comparison of a model with the PyTorch model that it was converted from.

Converters rename blobs, merge operators and split them, so blobs are paired by their values: a blob
belongs to an operand if both have the same elements in row-major order, within the tolerance. Each
operator of PyTorch reads the model's own blobs where they are paired. So rounding errors do not
accumulate, and the first operator without a paired result is the place of a difference.

For example, PyTorch computes `x` by a convolution and `y` by a ReLU, and the converter merged both
into one layer. The layer's blob has the elements of `y`, and no blob has the elements of `x`: only
`y` is paired, and the model agrees. With wrong weights in the layer, `y` has no pair, either. The
layer is reported, because the rest of the model agrees if the layer's blob replaces an operator's
result.
"""
