"""What IREE's dialects have for weights: values with a name that is known when a program is loaded.

IREE spreads it over two dialects, `util` and `flow`; here are the parts that
`externalize-weights` writes. IREE takes the text as it is printed.
"""

from xdsl.ir import Dialect

from .parameter import ParameterAttr
from .variables import GlobalLoadOp, GlobalOp

__all__ = ["FLOW", "UTIL", "GlobalLoadOp", "GlobalOp", "ParameterAttr"]

UTIL = Dialect("util", [GlobalOp, GlobalLoadOp], [])
"""Global values, as xDSL registers the dialect."""

FLOW = Dialect("flow", [], [ParameterAttr])
"""Named parameters, as xDSL registers the dialect."""
