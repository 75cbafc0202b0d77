"""Windows that slide along the spatial axes of a tensor, in groups of channels: what convolutions,
transposed convolutions and poolings of 1, 2 and 3 dims have in common, whatever dialect they are
of."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from .analysis import numbers
from .terms import UNKNOWN, Extent, Extents, Term, maximum

_N = TypeVar("_N", bound=Extent, covariant=True)

Pads: TypeAlias = tuple[tuple[_N, _N], ...]
"""What is added, or of a transposed convolution cut off, before and after along each axis."""


class NoWindow(ValueError):
    """It is not known what window an operation has, or it has none that is defined."""


class Window(NamedTuple, Generic[_N]):
    """A window, its numbers for each spatial axis, outermost first: terms where they depend on
    extents that are not known."""

    kernel: tuple[_N, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: Pads[_N]
    groups: int = 1
    """Into how many groups of channels apart the operation is divided."""
    more: tuple[int, ...] = ()
    """Of a transposed convolution: further elements after each axis, before anything is cut off."""

    @property
    def spans(self) -> Extents:
        """How many elements the window spans along each axis."""
        return tuple(span_of(*each) for each in zip(self.kernel, self.dilations, strict=True))

    def places(self, extents: Sequence[Extent]) -> Extents:
        """How many places the window has along each axis; `UNKNOWN` where it does not fit."""
        rows = zip(extents, self.spans, self.strides, self.pads, strict=True)
        return tuple(
            places(n + (before + after), span, stride) for n, span, stride, (before, after) in rows
        )

    def reach(self, extents: Sequence[Extent]) -> Extents:
        """How many elements the transposed window reaches along each axis, without what is cut
        off."""
        rows = zip(extents, self.spans, self.strides, self.more, self.pads, strict=True)
        return tuple(
            (n - 1) * stride + span + more - (before + after)
            for n, span, stride, more, (before, after) in rows
        )

    def padded(self) -> "Window[Extent]":
        """The same, where pads that would be less than nothing are nothing. Raises `NoWindow` where
        they are not even terms."""
        if any(n is UNKNOWN for pair in self.pads for n in pair):
            raise NoWindow("the pads are not known")
        pads = tuple((maximum(a, 0), maximum(b, 0)) for a, b in self.pads)
        return Window(self.kernel, self.strides, self.dilations, pads, self.groups, self.more)

    def in_numbers(self) -> "Window[int]":
        """The same, `DYNAMIC_INDEX` for a kernel that is not known. Raises `NoWindow` where pads
        are not known, or less than nothing: then the runtime reads and writes what is no part of a
        blob."""
        pads = tuple(
            (before, after)
            for before, after in self.pads
            if isinstance(before, int) and isinstance(after, int)
        )
        if len(pads) < len(self.pads):
            raise NoWindow("the pads depend on extents that are not known")
        least = min((n for pair in pads for n in pair), default=0)
        if least < 0:
            raise NoWindow(f"pads of {least}")
        kernel = numbers(self.kernel)
        return Window(kernel, self.strides, self.dilations, pads, self.groups, self.more)


class HasWindow(Operation, ABC):
    """An operation with a window."""

    @abstractmethod
    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        """The window on a tensor of these spatial extents. A kernel is given where that is the
        shape of another tensor. Raises `NoWindow` where none is defined, whatever the extents."""

    def window_on(self, extents: Sequence[int], kernel: Sequence[int] | None = None) -> Window[int]:
        """The same in numbers, for extents in numbers (`DYNAMIC_INDEX`: not known). Raises
        `NoWindow`. (What traces the computation gives terms, and gets such.)"""
        given = tuple(UNKNOWN if n == DYNAMIC_INDEX else n for n in extents)
        window = self.window(given, None if kernel is None else tuple(kernel))
        terms = any(isinstance(n, Term) and n is not UNKNOWN for n in given)
        return cast(Window[int], window.padded()) if terms else window.in_numbers()


def span_of(kernel: Extent, dilation: int) -> Extent:
    """How many elements a kernel spans."""
    return (kernel - 1) * dilation + 1


def places(extent: Extent, span: Extent, stride: int) -> Extent:
    """How many places a window has that spans so many elements; `UNKNOWN` if it does not fit."""
    rest = extent - span
    none = stride <= 0 or (isinstance(rest, int) and rest < 0)
    return UNKNOWN if none else rest // stride + 1


def lacking(extent: Extent, span: Extent, stride: int) -> Extent:
    """How many elements a window that spans so many lacks for ceil(extent / stride) places; it may
    be negative."""
    if stride <= 0:
        return UNKNOWN
    return span - 1 if stride == 1 else span + (extent - 1) // stride * stride - extent
