"""Constants: the weights of layers, and MemoryData."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    Float32Type,
    TensorType,
    f32,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike

from ...formats.weight_storage import BLOCK_BITS, BinEncoding, SliceLayout
from ..shapes.terms import Extents
from .assembly import parse_attributes, print_attributes
from .blob import BlobConstraint, extents_in, static_shape_of
from .checks import check
from .layer import Arity, LayerOp, layer
from .params import derived_param, int_param
from .weight_specs import Shape, WeightSlot
from .weights import (
    ElidedAttr,
    Weight,
    WeightAttr,
    check_weight,
    dtype_of,
    make_weight,
    print_weight,
    read_weight,
)

BYTE_TYPES = (3, *BLOCK_BITS)
"""The load types of one byte per element without a tag. PNNX writes 3 for Boolean values."""

_LOAD_TYPES = (0, 1, *BYTE_TYPES)


def load_type_problem(load_type: int) -> str | None:
    """Return the problem with a load type that the runtime does not read; `None` if it does."""
    if load_type in _LOAD_TYPES:
        return None
    return (
        f"its data cannot be sized: load_type (21) is {load_type}, and the runtime reads "
        f"{', '.join(map(str, _LOAD_TYPES))}; convert the model with a converter for these"
    )


def data_slot(shape: Shape, load_type: int) -> WeightSlot:
    """Return the declaration of the data of a MemoryData layer in a file."""
    return _DataSlot(lambda _: shape, load_type == 0, lambda _: True, False, None, load_type)


@dataclass(frozen=True)
class _DataSlot(WeightSlot):
    """The declaration of the data of a MemoryData layer."""

    load_type: int = 1

    def encoding(self, params: Any) -> BinEncoding:
        return "packed" if self.load_type in BYTE_TYPES else super().encoding(params)


def _extent(op: "ConstantOp", from_innermost: int, least_rank: int) -> int:
    """Return an extent as ncnn's parameter, 0 where the blob has too few dims."""
    shape = static_shape_of(op.output) or ()
    return shape[from_innermost] if len(shape) >= least_rank else 0


@layer
class ConstantOp(LayerOp):
    """A constant blob: ncnn's MemoryData layer, or a weight of another layer.

    An unnamed constant used by a layer's weight operand is a weight; the file stores it with that
    layer. A named constant, or one that a layer reads as a blob, is a MemoryData layer at its
    position in the file. A layer whose weight operand is not an unnamed constant has a dynamic
    weight.

    Shapes: none -> any of 1 to 4 dims; w, h, d, c are the type's.
    Parameters: load_type (0: the file has a storage tag before the data, 1: plain float32, 3, 4, 6
    or 8: bytes, one per element); w, h, d, c (from the type).
    Example: `%w = ncnn.constant #ncnn.weight<"model.bin", 4> : tensor<64x3x3x3xf32>`
    """

    name = "ncnn.constant"
    LAYER_TYPE: ClassVar[str] = "MemoryData"
    NUM_INPUTS: ClassVar[Arity] = (0, 0)

    value = prop_def(Attribute)
    output = result_def(BlobConstraint(5))
    load_type = int_param(21, default=1)

    traits = traits_def(ConstantLike())

    @derived_param(0)
    def w(self) -> int:
        """The innermost extent."""
        return _extent(self, -1, 1)

    @derived_param(1)
    def h(self) -> int:
        """The rows; 0 for a 1-D blob."""
        return _extent(self, -2, 2)

    @derived_param(11)
    def d(self) -> int:
        """The depth; 0 unless the blob is 4-D."""
        return _extent(self, -3, 4)

    @derived_param(2)
    def c(self) -> int:
        """The channels; 0 for a 1-D or 2-D blob."""
        return _extent(self, 0, 3)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        return [extents_in(self.output.type)]

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        return [self.output.type.element_type]

    @staticmethod
    def of(value: Weight, type_: TensorType[Any]) -> "ConstantOp":
        """Build an unnamed constant: a weight."""
        return ConstantOp.create(result_types=[type_], properties={"value": value})

    @staticmethod
    def holding(values: Any, element: Attribute = f32, hint: str | None = None) -> "ConstantOp":
        """Return an unnamed constant of these values, converted to an element type. `hint` is its
        SSA name."""
        type_ = TensorType(element, values.shape)
        new = ConstantOp.of(make_weight(values, type_), type_)
        new.output.name_hint = hint
        return new

    def read(self) -> Any:
        """Return the values as a read-only NumPy array in the type's shape and element type.

        Raises `WeightError` if they are elided or their file is gone.
        """
        return read_weight(self.value, cast(TensorType[Attribute], self.output.type))

    def has_values(self) -> bool:
        """Whether the values can be read."""
        return not isinstance(self.value, ElidedAttr)

    def with_shape(self, shape: Shape) -> "ConstantOp":
        """Return a constant with the same elements in another shape. The elements are not read,
        except for random ones, whose values depend on the shape, and those of a proof."""
        value: Any = self.value
        type_ = TensorType(self.output.type.element_type, shape)
        if isinstance(value, DenseIntOrFPElementsAttr):
            value = DenseIntOrFPElementsAttr(cast(Any, type_), cast(Any, value).data)
        elif not isinstance(value, WeightAttr | ElidedAttr):
            value = make_weight(self.read().reshape(shape), type_)
        other = ConstantOp.of(value, type_)
        other.attributes.update(self.attributes)
        other.output.name_hint = self.output.name_hint
        return other

    def is_layer(self) -> bool:
        """Whether it is a layer in a file: it has a name, or a layer reads it as a blob."""
        users = (use.operation for use in self.output.uses)
        return self.layer_name is not None or any(
            not isinstance(user, LayerOp) or self.output in user.data_operands() for user in users
        )

    def is_plain_float(self) -> bool:
        """Whether the values are stored as float32 without a tag."""
        value = self.value
        plain = not isinstance(value, WeightAttr) or value.data.layout is SliceLayout.PLAIN
        return plain and isinstance(self.output.type.element_type, Float32Type)

    def encoding(self) -> BinEncoding:
        """Return the encoding of a MemoryData layer in the `.bin`. Only a tag can mark values that
        are not plain float32, unless the load type determines bytes."""
        if self.load_type in BYTE_TYPES:
            return "packed"
        return "plain" if self.load_type == 1 and self.is_plain_float() else "tagged"

    def verify_layer(self) -> None:
        check_weight(self.value, self.output.type)
        problem = load_type_problem(self.load_type)
        check(self, problem is None, f"{problem}")
        if self.load_type in BYTE_TYPES:
            element = self.output.type.element_type
            is_byte = dtype_of(element) == "i1"
            check(self, is_byte, f"load_type {self.load_type} stores i8, not {element}")

    @classmethod
    def parse(cls, parser: Parser) -> "ConstantOp":
        properties, attributes = parse_attributes(cls, parser)
        value = parser.parse_attribute()
        if isinstance(own := getattr(value, "type", None), TensorType):
            type_: Attribute = cast(TensorType[Attribute], own)  # dense<…> prints its type
        else:
            parser.parse_punctuation(":")
            type_ = parser.parse_type()
        return cls.create(
            result_types=[type_],
            properties={**properties, "value": value},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        print_attributes(self, printer, hidden=("value",))
        printer.print_string(" ")
        print_weight(self.value, self.output.type, printer)
        printer.print_string(" : ")
        printer.print_attribute(self.output.type)


def attached_constant(value: SSAValue | None) -> ConstantOp | None:
    """Return the unnamed constant that defines a value: a weight of the layer that uses it."""
    op = None if value is None else value.owner
    return op if isinstance(op, ConstantOp) and op.layer_name is None else None


def constant_of(value: SSAValue | None) -> ConstantOp | None:
    """Return the constant that defines a value, named (MemoryData) or not."""
    op = None if value is None else value.owner
    return op if isinstance(op, ConstantOp) else None
