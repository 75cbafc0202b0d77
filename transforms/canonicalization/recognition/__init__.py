"""Recognition of operations that a graph spells out in several layers.

`algebra.py` defines formulas, `layer_formulas.py` gives the formula of each layer, and
`matching.py` finds a formula in the graph. With these, a recognizer (`recognizer.py`) consists of a
formula and the layer that computes it: `activations.py`, `normalizations.py`. Layers that only move
elements are compared by the parts of their axes: `shuffles.py`, `group_norm.py`. Attention has
several inputs and is matched layer by layer: `sdpa.py`; with the surrounding products, by the
positions of elements (`strided_views.py`): `multihead_attention.py`.
"""

from xdsl.ir import Operation

from ....dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp
from ....dialects.ncnn.layer import LayerOp

_ARITHMETIC = ("Power", "MatMul", "Permute", "InstanceNorm", "LayerNorm")


def may_be_recognized(op: Operation) -> bool:
    """Whether a layer belongs to a type that every recognizable operation contains: it multiplies,
    adds a number, permutes axes, or normalizes. Sums and maxima of blobs occur in many graphs that
    spell out nothing, so a search for the other types is cheaper."""
    if isinstance(op, BinaryOpOp):
        sums = BINARY_OPS[op.op_type] in ("add", "sub", "rsub", "max", "min")
        return not sums or bool(op.with_scalar) or op.constant_side() is not None
    if isinstance(op, EltwiseOp):
        return op.op_type == 0 or bool(op.coeffs)
    return isinstance(op, LayerOp) and op.LAYER_TYPE in _ARITHMETIC
