"""Windows that slide along the spatial axes: all but the outermost, which is that of the channels.

Strides, dilations and the kernel have one number for each of these axes, outermost first; pads have
two, before and after. What is left out is 1, pads 0.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute

from ..shapes.terms import UNKNOWN, Extent, Extents, at_least
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

    def pad_pairs(self, rank: int) -> Pads[int]:
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


def slid(window: Window[Extent], extents: Sequence[Extent]) -> Extents:
    """How many places a window has along each axis; 0 where it certainly does not fit."""
    padded = (n + sum(pads) for n, pads in zip(extents, window.pads, strict=True))
    rows = zip(window.places(extents), window.spans, padded, strict=True)
    return tuple(0 if at_least(span, n + 1) else count for count, span, n in rows)


def extents_of(shape: Extents | None, rank: int) -> Extents:
    """The extents of a tensor of that many dims, all unknown if nothing is known of it."""
    return (UNKNOWN,) * rank if shape is None else shape
