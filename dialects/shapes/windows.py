"""Windows that slide along the spatial axes of a tensor, in groups of channels: what convolutions,
transposed convolutions and poolings of 1, 2 and 3 dims have in common, whatever dialect they are
of."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

Pads = tuple[tuple[int, int], ...]
"""What is added, or of a transposed convolution cut off, before and after along each axis."""


class NoWindow(ValueError):
    """It is not known what window an operation has, or it has none that is defined."""


@dataclass(frozen=True)
class Window:
    """A window, its numbers for each spatial axis, outermost first."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: Pads
    groups: int = 1
    """Into how many groups of channels apart the operation is divided."""
    more: tuple[int, ...] = ()
    """Of a transposed convolution: further elements after each axis, before anything is cut off."""

    @property
    def spans(self) -> list[int]:
        """How many elements the window spans along each axis; `DYNAMIC_INDEX` if unknown."""
        return [
            k if k == DYNAMIC_INDEX else d * (k - 1) + 1
            for k, d in zip(self.kernel, self.dilations, strict=True)
        ]


class HasWindow(Operation, ABC):
    """An operation with a window."""

    @abstractmethod
    def window(self, extents: Sequence[int], kernel: Sequence[int] | None = None) -> Window:
        """The window on a tensor of these spatial extents (`DYNAMIC_INDEX`: it is not known), where
        all pads are numbers. A kernel is given where that is the shape of another tensor. Raises
        `NoWindow`."""
