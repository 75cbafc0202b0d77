"""The `fused` dialect: one operation per kernel call of a typical kernel library.

An operation is an anchor (a convolution, a linear layer, pooling, or nothing) with an element-wise
epilogue. See docs/fused.md.
"""

from xdsl.ir import Dialect

from .convolution import ConvOp, ConvTransposeOp
from .elementwise import ElementwiseOp
from .epilogue import FusedOp, YieldOp
from .linear import LinearOp
from .pooling import PoolKind, PoolKindAttr, PoolOp

__all__ = [
    "FUSED",
    "ConvOp",
    "ConvTransposeOp",
    "ElementwiseOp",
    "FusedOp",
    "LinearOp",
    "PoolKind",
    "PoolKindAttr",
    "PoolOp",
    "YieldOp",
]

FUSED = Dialect(
    "fused", [ConvOp, ConvTransposeOp, LinearOp, ElementwiseOp, PoolOp, YieldOp], [PoolKindAttr]
)
"""The dialect, for xDSL's registry."""
