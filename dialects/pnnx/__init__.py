"""The `pnnx` dialect: models in PNNX's own IR, with PyTorch's operators and batch axes.

`pnnx.graph` is a file, `pnnx.op` one operator of any type, `pnnx.cast` converts between tensors and
the blobs of an ncnn model. See docs/pnnx.md.
"""

from xdsl.ir import Dialect

from .attributes import AnyType, ArchiveAttr, NullType
from .cast import CastOp
from .operations import GraphOp, OperatorOp

__all__ = ["PNNX", "AnyType", "ArchiveAttr", "CastOp", "GraphOp", "NullType", "OperatorOp"]

PNNX = Dialect("pnnx", [GraphOp, OperatorOp, CastOp], [AnyType, NullType, ArchiveAttr])
"""The dialect, for xDSL's registry."""
