"""The parts of IREE's dialects `util` and `flow` that `externalize-weights` writes.

They represent weights as named values that are bound when a program is loaded. IREE reads the text
as printed.
"""

from xdsl.ir import Dialect

from .parameter import ParameterAttr
from .variables import GlobalLoadOp, GlobalOp

__all__ = ["FLOW", "UTIL", "GlobalLoadOp", "GlobalOp", "ParameterAttr"]

UTIL = Dialect("util", [GlobalOp, GlobalLoadOp], [])
"""Global values, for xDSL's registry."""

FLOW = Dialect("flow", [], [ParameterAttr])
"""Named parameters, for xDSL's registry."""
