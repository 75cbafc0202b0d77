"""Blobs: the tensor types of the `ncnn` dialect's values.

A blob of ncnn dims 1, 2, 3, 4 is `tensor<w>`, `tensor<h x w>`, `tensor<c x h x w>`,
`tensor<c x d x h x w>`, row-major. An unknown extent is `?`, an unknown rank `tensor<*xf32>`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    Float16Type,
    TensorType,
    UnrankedTensorType,
    f32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import AttrConstraint, VerificationContext
from xdsl.traits import ConstantLike
from xdsl.utils.exceptions import VerifyException

from ..shapes.tensors import agree, extents_in, rank_of, shape_of, static_shape_of

__all__ = [
    "UNRANKED",
    "BlobConstraint",
    "BlobType",
    "Extents",
    "agree",
    "blob",
    "blob_like",
    "combined",
    "element_count",
    "extents_in",
    "extents_of",
    "rank_of",
    "run_time_element",
    "shape_of",
    "static_shape_of",
]

BlobType: TypeAlias = TensorType[Attribute] | UnrankedTensorType[Attribute]

Extents: TypeAlias = tuple[int | None, ...] | None
"""Extents, outermost first; `None` for a dynamic extent, or for an unknown rank."""

UNRANKED: BlobType = UnrankedTensorType(f32)
"""A blob of unknown rank and extents."""


@dataclass(frozen=True)
class BlobConstraint(AttrConstraint[BlobType]):
    """A ranked or unranked tensor with at least one element: an ncnn blob, or a weight with more
    dims."""

    most_dims: int = 4

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, TensorType | UnrankedTensorType):
            raise VerifyException(f"expected a tensor (an ncnn blob), got {attr}")
        shape = shape_of(cast(BlobType, attr))
        if shape is not None and (not 0 < len(shape) <= self.most_dims or 0 in shape):
            raise VerifyException(
                f"expected 1 to {self.most_dims} dims and no extent of 0, got {attr}"
            )

    def mapping_type_vars(self, type_var_mapping: object) -> "BlobConstraint":
        return self


def blob(shape: Sequence[int] | None, element: Attribute = f32) -> BlobType:
    """Return the blob type of these extents; `None` is an unknown rank, `DYNAMIC_INDEX` a dynamic
    extent."""
    return _blob(None if shape is None else tuple(shape), element)


@lru_cache(4096)
def _blob(shape: tuple[int, ...] | None, element: Attribute) -> BlobType:
    return UnrankedTensorType(element) if shape is None else TensorType(element, shape)


def blob_like(value: SSAValue, shape: Sequence[int]) -> BlobType:
    """Return the blob type of these extents and a value's element type."""
    return blob(shape, cast(BlobType, value.type).element_type)


def run_time_element(value: SSAValue, type_: Attribute | None = None) -> Attribute:
    """Return the element type of a blob, or of `type_`, as layers see it. The runtime converts
    16-bit constants to float32."""
    element = cast(BlobType, value.type if type_ is None else type_).element_type
    if not isinstance(element, Float16Type | BFloat16Type):
        return element
    constant = isinstance(value.owner, Operation) and value.owner.has_trait(ConstantLike)
    return f32 if constant else element


def combined(a: Sequence[int] | None, b: Sequence[int] | None) -> tuple[int, ...] | None:
    """Return the static extents of two agreeing shapes combined."""
    if a is None or b is None:
        known = b if a is None else a
        return None if known is None else tuple(known)
    return tuple(n if m == DYNAMIC_INDEX else m for m, n in zip(a, b, strict=True))


def element_count(value: SSAValue | None) -> int:
    """Return the number of a weight's elements, 0 if it is absent. Weights have static shapes."""
    shape = None if value is None else static_shape_of(value)
    return 0 if shape is None else prod(shape)


def extents_of(type_: Attribute) -> Extents:
    """Return the extents of a blob of this type."""
    shape = shape_of(type_)
    return None if shape is None else tuple(None if n == DYNAMIC_INDEX else n for n in shape)
