"""Which extents of which inputs are to be any: `in0=h,w`, `in0=32*h,32*w`, `in0=1`."""

import re
from collections.abc import Sequence
from typing import NamedTuple

LIKE = "like"
"""The name of the function that is an export of the same model at another size."""


class FreeAxis(NamedTuple):
    """An axis of an input whose extent is to be any, or any multiple of a number."""

    input: str
    axis: str
    """Its letter, or its place from the outermost."""
    multiple: int = 1

    @staticmethod
    def parse(text: str) -> "FreeAxis":
        """`INPUT:AXIS`, `INPUT:N*AXIS`. Raises `ValueError`."""
        name, _, axis = text.rpartition(":")
        found = re.fullmatch(r"(?:0*([1-9][0-9]{0,8})\*)?([whdc0-3])", axis)
        if not name or found is None:
            raise ValueError(f"an axis is w, h, d, c or a place from 0, as N*w; not '{axis}'")
        return FreeAxis(name, found[2], int(found[1] or 1))

    def place(self, rank: int) -> int:
        """The place of the axis in a blob of so many dims. Raises `ValueError` if it has none."""
        from ...dialects.ncnn.extents import AXES  # what parses a command line needs no dialect

        letters = AXES.get(rank, "")
        place = int(self.axis) if self.axis.isdecimal() else letters.find(self.axis)
        if not 0 <= place < rank:
            raise ValueError(f"input '{self.input}' of {rank} dims has no axis {self.axis}")
        return place


def free_axes(texts: Sequence[str]) -> list[FreeAxis]:
    """All of these. Raises `ValueError`."""
    axes = [FreeAxis.parse(text) for text in texts]
    for i, axis in enumerate(axes):
        if any((axis.input, axis.axis) == (other.input, other.axis) for other in axes[:i]):
            raise ValueError(f"axis {axis.axis} of '{axis.input}' is named twice")
    return axes
