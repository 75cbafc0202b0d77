"""Windows that slide along the spatial axes: all axes except the outermost, the channel axis.

Strides, dilations and the kernel have one number per spatial axis, outermost first. Pads have two,
before and after. Omitted lists mean 1; omitted pads mean 0.
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
    """A list property with a fixed number of integers per axis."""

    count: int
    """The number of integers per axis."""
    default: int
    """The value of every integer if the list is omitted."""
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
    """The step of the window along each axis."""
    pads = ints_prop()
    """The padding before and after each axis."""

    @abstractmethod
    def spatial_rank(self) -> int | None:
        """The number of axes along which the window slides; `None` if not statically known."""

    def numbers(self, name: str, rank: int) -> tuple[int, ...]:
        """Return the list property `name` with its default values filled in."""
        each = LISTS[name]
        return int_values(getattr(self, name)) or (each.default,) * (each.count * rank)

    def pad_pairs(self, rank: int) -> Pads[int]:
        """The padding before and after each axis."""
        pads = self.numbers("pads", rank)
        return tuple(zip(pads[::2], pads[1::2], strict=True))

    @classmethod
    def is_default(cls, name: str, attr: Attribute) -> bool:
        if name in LISTS:
            return all(n == LISTS[name].default for n in int_values(attr))
        return super().is_default(name, attr)

    def check_lists(self, rank: int) -> None:
        """Check the length of each list and the minimum of its values."""
        for name, each in LISTS.items():
            values = int_values(getattr(self, name, None))
            found, wanted = len(values), each.count * rank
            self.check(found in (0, wanted), f"{name} has {found} numbers, not {wanted}")
            least = min(values, default=each.least)
            self.check(least >= each.least, f"{name}: {least} is less than {each.least}")


def window_positions(window: Window[Extent], extents: Sequence[Extent]) -> Extents:
    """Return the number of window positions along each axis; 0 where the window provably does not
    fit."""
    padded = (n + sum(pads) for n, pads in zip(extents, window.pads, strict=True))
    rows = zip(window.places(extents), window.spans, padded, strict=True)
    return tuple(0 if at_least(span, n + 1) else count for count, span, n in rows)


def extents_of(shape: Extents | None, rank: int) -> Extents:
    """Return the extents of a tensor with `rank` dims; all are unknown if `shape` is `None`."""
    return (UNKNOWN,) * rank if shape is None else shape
