"""The dialect as xDSL registers it, with all of its layers. Reading a `.param` needs no more than
the families of its own layers; this is for reading IR as text."""

from typing import cast

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, Dialect, Operation

from . import BY_TYPE
from .constant import ConstantOp
from .custom import CustomOp
from .weights import ElidedAttr, RandomAttr, Weight, WeightAttr


class _Materialize(ConstantMaterializationInterface):
    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if isinstance(value, DenseIntOrFPElementsAttr) and isinstance(type, TensorType):
            return ConstantOp.of(cast(Weight, value), cast(TensorType[Attribute], type))
        return None


NCNN = Dialect(
    "ncnn",
    [*BY_TYPE.values(), CustomOp],
    [WeightAttr, RandomAttr, ElidedAttr],
    [_Materialize()],
)
