"""Weights as a layer declares them: each once, with its place in the `.bin`, its shape and form."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrConstraint, VerificationContext, operand_def, opt_operand_def
from xdsl.utils.exceptions import VerifyException

Shape = tuple[int, ...]
Pattern = tuple[int | None, ...]
"""A shape in which some extents may be any."""


def pattern_text(pattern: Pattern) -> str:
    """As `--input-shape` takes it, `3,?,?`."""
    return ",".join("?" if n is None or n < 0 else str(n) for n in pattern)


Form = Literal["plain", "tagged", "packed"]
"""How a `.bin` holds a weight: as plain float32, behind a tag that says how, or as bytes."""


class RowsParams(Protocol):
    """The parameters that say how many outputs a weight is for, and how many elements it has."""

    num_output: int
    weight_data_size: int


@dataclass(frozen=True)
class WeightSlot(AttrConstraint):
    """The declaration of one weight of a layer; also the constraint on its operand."""

    shape: Callable[[Any], Shape]
    """The weight's row-major shape, from the layer's parameters."""
    tagged: bool
    """Whether the `.bin` has a storage tag before it (`ModelBin::load` with type 0, not 1)."""
    when: Callable[[Any], bool]
    """Whether the layer has this weight at all, from its parameters."""
    positive: bool
    """Whether only positive values make sense (a variance, a quantization scale)."""
    quantized_by: str | None = None
    """The parameter that says, where it is not 0, that int8 elements are expected here."""

    def form(self, params: Any) -> Form:
        """How the `.bin` holds the weight, given the layer's parameters."""
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
    """Declares a weight that the layer always has."""
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
    """Declares a weight that the layer has when its parameters say so."""
    slot = WeightSlot(shape, tagged, lambda params: bool(when(params)), positive, quantized_by)
    return opt_operand_def(slot)
