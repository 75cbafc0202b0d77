"""The dialect as xDSL registers it, with all of its layers. Reading a `.param` needs no more than
the families of its own layers; this is for reading IR as text."""

from xdsl.ir import Dialect

from . import BY_TYPE
from .custom import CustomOp
from .weights import ElidedAttr, RandomAttr, WeightAttr

NCNN = Dialect(
    "ncnn",
    [*BY_TYPE.values(), CustomOp],
    [WeightAttr, RandomAttr, ElidedAttr],
)
