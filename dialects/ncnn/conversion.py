"""Layers that change the storage of elements."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Attribute, SSAValue

from ...formats.weight_storage import WeightStorage
from ..shapes.analysis import Shapes
from ..shapes.terms import Extents
from .blob import run_time_element
from .checks import INT_MAX
from .cost import Memory
from .extents import known
from .formulas import NoFormula, Term, converted, from_int, widened
from .interfaces import HasFormula, Identity
from .layer import KeepsElements, KeepsShape, UnaryLayer, layer
from .params import enum_param, int_param
from .weights import ELEMENT_TYPES

_STORAGES = (
    WeightStorage.FLOAT32,
    WeightStorage.FLOAT16,
    WeightStorage.INT8,
    WeightStorage.BFLOAT16,
)
"""The element types 1, 2, …."""

CAST_WORDS = ("auto", *(storage.word for storage in _STORAGES))
"""The keywords for element types 0, 1, 2, …; auto keeps the blob's type."""


def storage_word(number: int) -> str:
    """Return the keyword for an element type, or the number if it has none: the runtime accepts
    such a number and leaves the elements uninitialized."""
    return CAST_WORDS[number] if 0 <= number < len(CAST_WORDS) else str(number)


STORED_ELEMENTS: dict[int, Attribute] = {
    number: ELEMENT_TYPES[storage] for number, storage in enumerate(_STORAGES, 1)
}


@layer
class CastOp(Identity, HasFormula, KeepsShape, UnaryLayer):
    """Stores the elements as another type.

    Shapes: any of 1 to 4 dims -> the same, with the elements of type_to.
    """

    MEMORY: ClassVar[Memory] = Memory.SAME
    ANY_ELEMENTS: ClassVar[bool] = True

    type_from = enum_param(0, CAST_WORDS)
    type_to = enum_param(1, CAST_WORDS)

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        element = STORED_ELEMENTS.get(self.type_to)
        return elements if element is None or self.type_from == self.type_to else [element]

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        return (self.input,) if self.type_from == self.type_to else None

    def formula(self, x: Term) -> Term:
        before, after = storage_word(self.type_from), storage_word(self.type_to)
        element = run_time_element(self.input)
        if before != after and STORED_ELEMENTS.get(self.type_from) != element:
            raise NoFormula(f"a cast from {before} on elements of {element}")
        match before, after:
            case _, _ if before == after:
                return x
            case "float32", "float16" | "bfloat16":
                return converted(x, "arith.truncf", STORED_ELEMENTS[self.type_to])
            case "float16" | "bfloat16", "float32":
                return widened(x)
            case "int8", "float32":
                return from_int(x)
            case _:
                raise NoFormula(f"the runtime has no conversion from {before} to {after}")


@layer
class PackingOp(KeepsElements, UnaryLayer):
    """Interleaves `out_elempack` adjacent elements along the outermost axis into one element.

    Shapes: any of 1 to 4 dims -> the same; with use_padding the outermost extent is rounded up to a
    multiple of out_elempack.
    Parameters: use_padding (otherwise a blob whose outermost extent is not a multiple is
    unchanged).
    """

    MEMORY: ClassVar[Memory] = Memory.SAME

    out_elempack = int_param(0, default=1, within=(1, INT_MAX))
    use_padding = int_param(1)
    cast_type_from = enum_param(2, CAST_WORDS)
    cast_type_to = enum_param(3, CAST_WORDS)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape, pack = shapes[0], self.out_elempack
        if not self.use_padding or pack == 1:
            return shapes
        if not shape or pack <= 0:
            return None
        return [(known((shape[0] + pack - 1) // pack * pack), *shape[1:])]
