"""Windows that slide along the spatial axes of a tensor, with channel groups.

Convolutions, transposed convolutions and poolings of 1, 2 and 3 dims share this arithmetic in all
dialects.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar, cast, overload

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from .analysis import numbers
from .terms import UNKNOWN, Extent, Extents, ExtentTerm, maximum

_N = TypeVar("_N", bound=Extent, covariant=True)

Pads: TypeAlias = tuple[tuple[_N, _N], ...]
"""The padding before and after each axis; for a transposed convolution, the elements cut off."""


class NoWindow(ValueError):
    """The operation's window is unknown or undefined."""


class Window(NamedTuple, Generic[_N]):
    """A window, its parameters per spatial axis, outermost first. They are terms where they depend
    on dynamic extents."""

    kernel: tuple[_N, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: Pads[_N]
    groups: int = 1
    """The number of channel groups."""
    more: tuple[int, ...] = ()
    """For a transposed convolution: extra elements after each axis, before pads are cut off."""

    @property
    def spans(self) -> Extents:
        """Return the number of elements that the window spans along each axis."""
        return tuple(span_of(*each) for each in zip(self.kernel, self.dilations, strict=True))

    def places(self, extents: Sequence[Extent]) -> Extents:
        """Return the number of window positions along each axis; `UNKNOWN` where the window does
        not fit."""
        rows = zip(extents, self.spans, self.strides, self.pads, strict=True)
        return tuple(
            places(n + (before + after), span, stride) for n, span, stride, (before, after) in rows
        )

    def reach(self, extents: Sequence[Extent]) -> Extents:
        """Return the number of elements that the transposed window covers along each axis, before
        pads are cut off."""
        rows = zip(extents, self.spans, self.strides, self.more, self.pads, strict=True)
        return tuple(
            (n - 1) * stride + span + more - (before + after)
            for n, span, stride, more, (before, after) in rows
        )

    def padded(self) -> "Window[Extent]":
        """Return the window with negative pads replaced by 0. Raises `NoWindow` if pads are
        unknown."""
        if any(n is UNKNOWN for pair in self.pads for n in pair):
            raise NoWindow("the pads are not statically known")
        pads = tuple((maximum(a, 0), maximum(b, 0)) for a, b in self.pads)
        return Window(self.kernel, self.strides, self.dilations, pads, self.groups, self.more)

    def as_integers(self) -> "Window[int]":
        """Return the window with static pads and `DYNAMIC_INDEX` for an unknown kernel. Raises
        `NoWindow` if pads are dynamic or negative: with negative pads the runtime accesses memory
        outside the blob."""
        pads = tuple(
            (before, after)
            for before, after in self.pads
            if isinstance(before, int) and isinstance(after, int)
        )
        if len(pads) < len(self.pads):
            raise NoWindow("the pads depend on dynamic extents")
        least = min((n for pair in pads for n in pair), default=0)
        if least < 0:
            raise NoWindow(f"a pad is negative ({least})")
        kernel = numbers(self.kernel)
        return Window(kernel, self.strides, self.dilations, pads, self.groups, self.more)


class HasWindow(Operation, ABC):
    """An operation with a window."""

    @abstractmethod
    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        """Return the window on a tensor of these spatial extents. `kernel` is given if it is
        another tensor's shape. Raises `NoWindow` if no window is defined for any extents."""

    def window_on(self, extents: Sequence[int], kernel: Sequence[int] | None = None) -> Window[int]:
        """Like `window`, on integers (`DYNAMIC_INDEX`: dynamic). Raises `NoWindow`. (Tracing passes
        terms and gets terms.)"""
        given = tuple(UNKNOWN if n == DYNAMIC_INDEX else n for n in extents)
        window = self.window(given, None if kernel is None else tuple(kernel))
        terms = any(isinstance(n, ExtentTerm) and n is not UNKNOWN for n in given)
        return cast(Window[int], window.padded()) if terms else window.as_integers()


@overload
def span_of(kernel: int, dilation: int) -> int: ...
@overload
def span_of(kernel: Extent, dilation: int) -> Extent: ...
def span_of(kernel: Extent, dilation: int) -> Extent:
    """Return the number of elements that a kernel spans."""
    return (kernel - 1) * dilation + 1


def places(extent: Extent, span: Extent, stride: int) -> Extent:
    """Return the number of positions of a window along an extent; `UNKNOWN` if it does not fit."""
    rest = extent - span
    none = stride <= 0 or (isinstance(rest, int) and rest < 0)
    return UNKNOWN if none else rest // stride + 1


def lacking(extent: Extent, span: Extent, stride: int) -> Extent:
    """Return the number of elements missing for ceil(extent / stride) window positions; may be
    negative."""
    if stride <= 0:
        return UNKNOWN
    return span - 1 if stride == 1 else span + (extent - 1) // stride * stride - extent
