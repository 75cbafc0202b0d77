"""The `pnnx` dialect: models in PNNX's own IR, as PyTorch has them, batch axes and all.

Two operations, whatever the operators: `pnnx.graph` is a file, `pnnx.op` a line of it. See
docs/pnnx.md.
"""

from xdsl.ir import Dialect

from .attributes import AnyType, ArchiveAttr, NullType
from .operations import GraphOp, OperatorOp

__all__ = ["PNNX", "AnyType", "ArchiveAttr", "GraphOp", "NullType", "OperatorOp"]

PNNX = Dialect("pnnx", [GraphOp, OperatorOp], [AnyType, NullType, ArchiveAttr])
"""The dialect, as xDSL registers it."""
