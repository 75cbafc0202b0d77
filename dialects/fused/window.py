"""Windows that slide along the spatial axes: all but the outermost, which is that of the channels.

Strides, dilations and the kernel have one number for each of these axes, outermost first; pads have
two, before and after. What is left out is 1, pads 0.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX

from .epilogue import FusedOp
from .fields import int_values, ints_field
from .shapes import Shape, known, shape_of


class Window(FusedOp, ABC):
    """An operation with a window."""

    strides = ints_field(1, default=1)
    """How far the window moves."""
    pads = ints_field(0, default=0)
    """What is added before and after each axis."""

    @abstractmethod
    def spatial_rank(self) -> int | None:
        """How many axes the window slides along; `None` if it is not known."""

    def steps(self, name: str, rank: int) -> tuple[int, ...]:
        """Strides or dilations, one for each axis."""
        return int_values(getattr(self, name)) or (1,) * rank

    def pad_pairs(self, rank: int) -> list[tuple[int, int]]:
        """What is added before and after each axis."""
        pads = int_values(self.pads) or (0,) * (2 * rank)
        return list(zip(pads[::2], pads[1::2], strict=True))

    def check_lists(self, rank: int, **times: int) -> None:
        """Checks that lists have as many numbers for each axis as they need."""
        for name, each in {"strides": 1, "dilations": 1, "pads": 2, **times}.items():
            values = int_values(getattr(self, name, None))
            fits = not values or len(values) == each * rank
            self.check(fits, f"{name} has {len(values)} numbers, not {each * rank}")


def spans(kernel: Sequence[int], dilations: Sequence[int]) -> list[int]:
    """How many elements a window spans along each axis."""
    return [d * (k - 1) + 1 if known(k) else k for k, d in zip(kernel, dilations, strict=True)]


def slid(extent: int, span: int, stride: int, pads: tuple[int, int]) -> int:
    """How many windows there are along an axis; 0 or less if none fits."""
    if not (known(extent) and known(span)):
        return DYNAMIC_INDEX
    left = extent + sum(pads) - span
    return left // stride + 1 if left >= 0 else 0


def dims(value: Any, rank: int) -> Shape:
    """The extents of a tensor of that many dims, all unknown if nothing is known of it."""
    shape = shape_of(value)
    return (DYNAMIC_INDEX,) * rank if shape is None else shape


def total(extents: Sequence[int]) -> int:
    """The product of extents."""
    return prod(extents) if all(map(known, extents)) else DYNAMIC_INDEX
