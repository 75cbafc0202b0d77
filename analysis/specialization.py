"""Extents of inputs that a model is specialized to."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX

if TYPE_CHECKING:
    from ..dialects.ncnn.slots import Shape


class Promise(NamedTuple):
    """What all inputs of one name have in common."""

    shape: "Shape"
    """Their extents, or the greatest ones."""
    at_most: tuple[int, ...] = ()
    """The axes along which they may have less."""


def promise(name: str, fixed: "Mapping[str, Shape]", most: "Mapping[str, Shape]") -> Promise:
    """What is promised of an input by these shapes, by name. Raises `ValueError` if they do not go
    together."""
    rank = len(fixed.get(name) or most[name])
    nothing = (DYNAMIC_INDEX,) * rank
    exact, bounds = fixed.get(name, nothing), most.get(name, nothing)
    if len(exact) != len(bounds):
        raise ValueError(f"'{name}' is to have {len(exact)} dims, and at most {len(bounds)}")
    for n, bound in zip(exact, bounds, strict=True):
        if DYNAMIC_INDEX not in (n, bound) and n > bound:
            raise ValueError(f"an extent of '{name}' is to be {n}, and at most {bound}")
    shape = tuple(b if n == DYNAMIC_INDEX else n for n, b in zip(exact, bounds, strict=True))
    bounded = (i for i, n in enumerate(exact) if n == DYNAMIC_INDEX != bounds[i])
    return Promise(shape, tuple(bounded))
