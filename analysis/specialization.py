"""Specialization of a model to static shapes, or to largest shapes, of its inputs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX

if TYPE_CHECKING:
    from ..dialects.ncnn.weight_specs import Shape


class Specialization(NamedTuple):
    """The shapes that a specialized model requires of an input."""

    shape: "Shape"
    """The exact or largest extents, `DYNAMIC_INDEX` for any."""
    at_most: tuple[int, ...] = ()
    """The axes whose extents are the largest ones."""


def specialization_of(
    name: str, fixed: "Mapping[str, Shape]", at_most: "Mapping[str, Shape]"
) -> Specialization:
    """Return the specialization of an input from exact and largest shapes by name. Raises
    `ValueError` if they contradict."""
    rank = len(fixed.get(name) or at_most[name])
    nothing = (DYNAMIC_INDEX,) * rank
    exact, bounds = fixed.get(name, nothing), at_most.get(name, nothing)
    if len(exact) != len(bounds):
        raise ValueError(f"'{name}' is to have {len(exact)} dims, and at most {len(bounds)}")
    for n, bound in zip(exact, bounds, strict=True):
        if DYNAMIC_INDEX not in (n, bound) and n > bound:
            raise ValueError(f"an extent of '{name}' is to be {n}, and at most {bound}")
    shape = tuple(b if n == DYNAMIC_INDEX else n for n, b in zip(exact, bounds, strict=True))
    bounded = (i for i, n in enumerate(exact) if n == DYNAMIC_INDEX != bounds[i])
    return Specialization(shape, tuple(bounded))
