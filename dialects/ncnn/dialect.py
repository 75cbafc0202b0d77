"""The dialect with all of its layers, for xDSL's registry.

Only parsing IR as text needs it. Reading a `.param` imports the families of its own layers only.
"""

from xdsl.ir import Dialect

from . import BY_TYPE
from .custom import CustomOp
from .weights import ElidedAttr, RandomAttr, WeightAttr

NCNN = Dialect(
    "ncnn",
    [*BY_TYPE.values(), CustomOp],
    [WeightAttr, RandomAttr, ElidedAttr],
)
