"""An upper estimate of a layer's work before it runs: files may contain any padding."""

from math import prod

from ...dialects.ncnn.attention import Attention, MultiHeadAttentionOp
from ...dialects.ncnn.audio import Fourier
from ...dialects.ncnn.blob import shape_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import LRNOp
from ...dialects.ncnn.params import Param, ParamKind
from ...dialects.ncnn.pooling import Pool1D, RegionPooling
from ...dialects.ncnn.reduction import EinsumOp
from ...dialects.ncnn.spatial import Window1D


def reach(op: LayerOp) -> int:
    """Return an upper estimate of the elements that a layer visits or stores beyond its operands
    and results; 0 if there are none. Its inputs have static shapes."""
    shapes = [shape_of(value) or () for value in op.data_operands()]
    if isinstance(op, Window1D | Pool1D | RegionPooling | Fourier | LRNOp):
        # Borders, kernels, strides (padding of the last window) and the like, along any axis.
        more = sum(abs(value) for value in _ints(op))
        channels = shapes[0][0] if len(shapes[0]) > 2 else 1
        spatial = shapes[0][1:] if len(shapes[0]) > 2 else (1, *shapes[0])[-2:]
        return channels * prod(n + more for n in spatial)
    if isinstance(op, Attention):  # one score per pair of rows
        heads = op.num_heads if isinstance(op, MultiHeadAttentionOp) else 1
        return max(heads, 1) * prod(shapes[0][:-1]) * max(prod(s[:-1]) for s in shapes)
    if isinstance(op, EinsumOp):
        tokens, _ = op.tokens()
        extents: dict[str, int] = {}
        for token, shape in zip(tokens, shapes, strict=False):
            extents |= dict(zip(token, shape, strict=False))
        return prod(extents.values())
    return 0


def _ints(op: LayerOp) -> list[int]:
    return [
        getattr(op, name)
        for name, param in op.PARAMS.items()
        if isinstance(param, Param) and param.kind is ParamKind.INT
    ]
