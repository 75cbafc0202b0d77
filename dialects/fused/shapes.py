"""Tensor types as the verifiers read them: extents that are known, and those that are not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

AnyTensor: TypeAlias = TensorType[Any] | UnrankedTensorType[Any]

Shape = tuple[int, ...]
"""Extents, outermost first; `DYNAMIC_INDEX` where one is unknown."""


@dataclass(frozen=True)
class TensorConstraint(AttrConstraint[AnyTensor]):
    """A ranked or unranked tensor."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, TensorType | UnrankedTensorType):
            raise VerifyException(f"expected a tensor, got {attr}")

    def mapping_type_vars(self, type_var_mapping: object) -> "TensorConstraint":
        return self


def element_of(value: SSAValue) -> Attribute:
    """The element type of a tensor. Raises `VerifyException` for a value that is none: an epilogue
    is parsed before anything is verified."""
    type_: Attribute = value.type
    if not isinstance(type_, TensorType | UnrankedTensorType):
        raise VerifyException(f"expected a tensor, got {type_}")
    return cast(AnyTensor, type_).element_type


def shape_of(value: SSAValue | None) -> Shape | None:
    """The extents of a tensor; `None` if not even their number is known."""
    type_ = None if value is None else value.type
    return cast(TensorType[Any], type_).get_shape() if isinstance(type_, TensorType) else None


def static_shape_of(value: SSAValue) -> Shape | None:
    """The extents of a tensor; `None` unless all of them are known."""
    shape = shape_of(value)
    return None if shape is None or DYNAMIC_INDEX in shape else shape


def known(extent: int) -> bool:
    """Whether this is an extent, and not the sign that it is unknown."""
    return extent != DYNAMIC_INDEX


def agree(a: Sequence[int] | None, b: Sequence[int] | None) -> bool:
    """Whether two shapes, each with or without unknowns, can be those of one tensor."""
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(
        m == n or not (known(m) and known(n)) for m, n in zip(a, b, strict=True)
    )


def shape_text(shape: Sequence[int]) -> str:
    """A shape as messages say it: `64x?x?`."""
    return "x".join(str(n) if known(n) else "?" for n in shape) if shape else "(none)"
