"""Weight declarations: each weight's position in the `.bin`, shape and encoding."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrConstraint, VerificationContext, operand_def, opt_operand_def
from xdsl.utils.exceptions import VerifyException

from ...formats.weight_storage import BinEncoding
from .blob import element_count
from .params import derived_param

Shape = tuple[int, ...]
Pattern = tuple[int | None, ...]
"""A shape with wildcards (`None`)."""


def pattern_text(pattern: Pattern) -> str:
    """Return the pattern in the syntax of `--input-shape`: `3,?,?`."""
    return ",".join("?" if n is None or n < 0 else str(n) for n in pattern)


class RowsParams(Protocol):
    """The parameters with a weight's number of outputs and of elements."""

    num_output: int
    weight_data_size: int


def matrix_shape(p: RowsParams) -> Shape:
    """Return the shape of a matrix with one row per output."""
    if p.num_output <= 0 or p.weight_data_size % p.num_output:
        raise VerifyException(
            f"weight_data_size {p.weight_data_size} is not a multiple of num_output {p.num_output}"
        )
    return (p.num_output, p.weight_data_size // p.num_output)


@dataclass(frozen=True)
class WeightSlot(AttrConstraint):
    """The declaration of one weight of a layer; also the constraint on its operand."""

    shape: Callable[[Any], Shape]
    """The weight's row-major shape as a function of the layer's parameters."""
    tagged: bool
    """Whether the `.bin` has a storage tag before it (`ModelBin::load` with type 0, not 1)."""
    when: Callable[[Any], bool]
    """Whether the layer has this weight, as a function of its parameters."""
    positive: bool
    """Whether valid values are positive (a variance, a quantization scale)."""
    quantized_by: str | None = None
    """The parameter that selects int8 elements if it is not 0."""

    def encoding(self, params: Any) -> BinEncoding:
        """Return the encoding of the weight in the `.bin`, given the layer's parameters."""
        return "tagged" if self.tagged else "plain"

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, TensorType | UnrankedTensorType):
            raise VerifyException(f"a weight has a tensor type, not {attr}")

    def mapping_type_vars(self, type_var_mapping: object) -> "WeightSlot":
        return self


def weight(
    shape: Callable[[Any], Shape],
    *,
    tagged: bool = False,
    positive: bool = False,
    quantized_by: str | None = None,
) -> SSAValue:
    """Declare a weight that the layer always has."""
    slot = WeightSlot(shape, tagged, lambda params: True, positive, quantized_by)
    return operand_def(slot)


def optional_weight(
    shape: Callable[[Any], Shape],
    *,
    when: Callable[[Any], Any],
    tagged: bool = False,
    positive: bool = False,
    quantized_by: str | None = None,
) -> SSAValue | None:
    """Declare a weight that the layer has if a condition on its parameters holds."""
    slot = WeightSlot(shape, tagged, lambda params: bool(when(params)), positive, quantized_by)
    return opt_operand_def(slot)


def weight_size(id: int, name: str, default: int = 0) -> int:
    """Declare a parameter with the number of elements of a weight; 0 without the weight."""

    def size(op: Any) -> int:
        return element_count(getattr(op, name))

    size.__doc__ = f"The number of elements of the {name.replace('_', ' ')}."
    return derived_param(id, default)(size)


def weight_flag(id: int, name: str, default: int = 0) -> int:
    """Declare a parameter that is 1 if the layer has a weight, else 0."""

    def flag(op: Any) -> int:
        return int(getattr(op, name) is not None)

    flag.__doc__ = f"Whether there is a {name.replace('_', ' ')}."
    return derived_param(id, default)(flag)
