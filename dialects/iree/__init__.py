"""The parts of IREE's dialects `util`, `flow` and `iree_tensor_ext` that the lowering to native
code writes: weights as named values that are bound when a program is loaded, and barriers between
kernels. IREE reads the text as printed.
"""

from xdsl.ir import Dialect

from .barriers import ComputeBarrierStartOp
from .parameter import ParameterAttr
from .variables import GlobalLoadOp, GlobalOp

__all__ = [
    "FLOW",
    "TENSOR_EXT",
    "UTIL",
    "ComputeBarrierStartOp",
    "GlobalLoadOp",
    "GlobalOp",
    "ParameterAttr",
]

UTIL = Dialect("util", [GlobalOp, GlobalLoadOp], [])
"""Global values, for xDSL's registry."""

FLOW = Dialect("flow", [], [ParameterAttr])
"""Named parameters, for xDSL's registry."""

TENSOR_EXT = Dialect("iree_tensor_ext", [ComputeBarrierStartOp], [])
"""Barriers between kernels, for xDSL's registry."""
