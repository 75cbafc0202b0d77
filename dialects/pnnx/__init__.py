"""The `pnnx` dialect: models in PNNX's own IR, as PyTorch has them, batch axes and all.

`pnnx.graph` is a file, `pnnx.op` a line of it, whatever the operator; `pnnx.cast` stands between
tensors and the blobs of an ncnn model. See docs/pnnx.md.
"""

from xdsl.ir import Dialect

from .attributes import AnyType, ArchiveAttr, NullType
from .cast import CastOp
from .operations import GraphOp, OperatorOp

__all__ = ["PNNX", "AnyType", "ArchiveAttr", "CastOp", "GraphOp", "NullType", "OperatorOp"]

PNNX = Dialect("pnnx", [GraphOp, OperatorOp, CastOp], [AnyType, NullType, ArchiveAttr])
"""The dialect, as xDSL registers it."""
