"""Windows that slide along the spatial axes: all but the outermost, which is that of the channels.

Strides, dilations and the kernel have one number for each of these axes, outermost first; pads have
two, before and after. What is left out is 1, pads 0.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute

from ..shapes.analysis import Shape
from ..shapes.tensors import known, shape_of
from ..shapes.windows import HasWindow, Pads, Window
from .epilogue import FusedOp
from .properties import int_values, ints_prop


@dataclass(frozen=True)
class Numbers:
    """A list with numbers for each axis."""

    count: int
    """How many for each axis."""
    default: int
    """What they are if the list is left out."""
    least: int


LISTS: Mapping[str, Numbers] = {
    "kernel": Numbers(1, 1, 1),
    "strides": Numbers(1, 1, 1),
    "dilations": Numbers(1, 1, 1),
    "pads": Numbers(2, 0, 0),
    "output_padding": Numbers(1, 0, 0),
}


class Windowed(FusedOp, HasWindow, ABC):
    """An operation with a window."""

    strides = ints_prop()
    """How far the window moves."""
    pads = ints_prop()
    """What is added before and after each axis."""

    @abstractmethod
    def spatial_rank(self) -> int | None:
        """How many axes the window slides along; `None` if it is not known."""

    def numbers(self, name: str, rank: int) -> tuple[int, ...]:
        """A list by name, with its defaults."""
        each = LISTS[name]
        return int_values(getattr(self, name)) or (each.default,) * (each.count * rank)

    def pad_pairs(self, rank: int) -> Pads:
        """What is added before and after each axis."""
        pads = self.numbers("pads", rank)
        return tuple(zip(pads[::2], pads[1::2], strict=True))

    @classmethod
    def is_default(cls, name: str, attr: Attribute) -> bool:
        if name in LISTS:
            return all(n == LISTS[name].default for n in int_values(attr))
        return super().is_default(name, attr)

    def check_lists(self, rank: int) -> None:
        """Checks that lists have as many numbers for each axis as they need, and none too small."""
        for name, each in LISTS.items():
            values = int_values(getattr(self, name, None))
            found, wanted = len(values), each.count * rank
            self.check(found in (0, wanted), f"{name} has {found} numbers, not {wanted}")
            least = min(values, default=each.least)
            self.check(least >= each.least, f"{name}: {least} is less than {each.least}")


def slid(window: Window, extents: Sequence[int]) -> list[int]:
    """How many places a window has along each axis; 0 if it does not fit."""
    rows = zip(extents, window.spans, window.strides, window.pads, strict=True)
    return [
        max((n + sum(pads) - span) // stride + 1, 0) if known(n) and known(span) else DYNAMIC_INDEX
        for n, span, stride, pads in rows
    ]


def dims(value: Any, rank: int) -> Shape:
    """The extents of a tensor of that many dims, all unknown if nothing is known of it."""
    shape = shape_of(value)
    return (DYNAMIC_INDEX,) * rank if shape is None else shape


def total(extents: Sequence[int]) -> int:
    """The product of extents."""
    return prod(extents) if all(map(known, extents)) else DYNAMIC_INDEX
