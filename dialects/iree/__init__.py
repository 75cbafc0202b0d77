"""The parts of IREE's dialects `util` and `flow` that the lowering to native code writes: weights
as named values that are bound when a program is loaded, and barriers between kernels. IREE reads
the text as printed.
"""

from xdsl.ir import Dialect

from .barriers import OptimizationBarrierOp
from .parameter import ParameterAttr
from .variables import GlobalLoadOp, GlobalOp

__all__ = ["FLOW", "UTIL", "GlobalLoadOp", "GlobalOp", "OptimizationBarrierOp", "ParameterAttr"]

UTIL = Dialect("util", [GlobalOp, GlobalLoadOp, OptimizationBarrierOp], [])
"""Global values and barriers, for xDSL's registry."""

FLOW = Dialect("flow", [], [ParameterAttr])
"""Named parameters, for xDSL's registry."""
