"""Extents and element types of tensors, as verifiers and rewrites read them from types."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from .analysis import Shape, declared_shape, shape_in
from .terms import Extent, Extents

_T = TypeVar("_T", bound=Extent)
AnyTensor: TypeAlias = TensorType[Any] | UnrankedTensorType[Any]


@dataclass(frozen=True)
class TensorConstraint(AttrConstraint[AnyTensor]):
    """A ranked or unranked tensor."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        element_in(attr)

    def mapping_type_vars(self, type_var_mapping: object) -> "TensorConstraint":
        return self


def element_in(type_: Attribute) -> Attribute:
    """Return the element type of a tensor type. Raises `VerifyException` for other types."""
    if not isinstance(type_, TensorType | UnrankedTensorType):
        raise VerifyException(f"expected a tensor, got {type_}")
    return cast(AnyTensor, type_).element_type


def element_of(value: SSAValue) -> Attribute:
    """Return the element type of a tensor. Raises `VerifyException` for other values: epilogues are
    parsed before operands are verified."""
    return element_in(value.type)


def shape_of(value: SSAValue | Attribute | None) -> Shape | None:
    """Return the extents of a value or type, outermost first, with `DYNAMIC_INDEX` for a dynamic
    one; `None` if unranked."""
    return None if value is None else declared_shape(value)


def extents_in(type_: Attribute) -> Extents | None:
    """Return the extents of a type, with `UNKNOWN` for a dynamic one; `None` if unranked."""
    shape = shape_of(type_)
    return None if shape is None else shape_in(shape)


def static_shape_of(value: SSAValue | Attribute) -> Shape | None:
    """Like `shape_of`, but `None` unless all extents are static."""
    shape = shape_of(value)
    return None if shape is None or DYNAMIC_INDEX in shape else shape


def rank_of(value: SSAValue | Attribute) -> int | None:
    """Return the rank; `None` if unranked."""
    shape = shape_of(value)
    return None if shape is None else len(shape)


def known(extent: int) -> bool:
    """Whether an extent is static."""
    return extent != DYNAMIC_INDEX


def agree(a: Sequence[int] | None, b: Sequence[int] | None) -> bool:
    """Whether two shapes, possibly with dynamic extents, may describe the same tensor."""
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(
        m == n or DYNAMIC_INDEX in (m, n) for m, n in zip(a, b, strict=True)
    )


def shape_text(shape: Sequence[int]) -> str:
    """Return a shape as text for messages: `64x?x?`."""
    return "x".join(str(n) if known(n) else "?" for n in shape) if shape else "(none)"


def spread_extents(shape: Sequence[_T], axes: Sequence[int], rank: int) -> tuple[_T | int, ...]:
    """Return the extents of a tensor along all axes of a tensor of this rank; 1 along axes that it
    lacks. `axes` are the axes that its own axes map to; empty for the outermost in order."""
    spread: list[_T | int] = [1] * rank
    for axis, extent in zip(axes or range(len(shape)), shape, strict=True):
        spread[axis] = extent
    return tuple(spread)
