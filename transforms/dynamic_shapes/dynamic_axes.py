"""The dynamic axes of inputs: `in0=h,w`, `in0=32*h,32*w`, `in0=1`."""

import re
from collections.abc import Sequence
from typing import NamedTuple

LIKE = "like"
"""The name of the function that is an export of the same model at another size."""


class DynamicAxis(NamedTuple):
    """An axis of an input whose extent becomes dynamic, perhaps a multiple of an integer."""

    input: str
    axis: str
    """The axis as a letter, or as a number counted from the outermost axis."""
    multiple: int = 1

    @staticmethod
    def parse(text: str) -> "DynamicAxis":
        """Parse `INPUT:AXIS` or `INPUT:N*AXIS`. Raises `ValueError`."""
        name, _, axis = text.rpartition(":")
        found = re.fullmatch(r"(?:0*([1-9][0-9]{0,8})\*)?([whdc0-3])", axis)
        if not name or found is None:
            raise ValueError(f"an axis is w, h, d, c or a place from 0, as N*w; not '{axis}'")
        return DynamicAxis(name, found[2], int(found[1] or 1))

    def place(self, rank: int) -> int:
        """Return the place of the axis in a blob of this rank. Raises `ValueError` if the blob
        lacks it."""
        from ...dialects.ncnn.extents import AXES  # the parser of the command line needs no dialect

        letters = AXES.get(rank, "")
        place = int(self.axis) if self.axis.isdecimal() else letters.find(self.axis)
        if not 0 <= place < rank:
            raise ValueError(f"input '{self.input}' of {rank} dims has no axis {self.axis}")
        return place


def parse_dynamic_axes(texts: Sequence[str]) -> list[DynamicAxis]:
    """Parse several axes. Raises `ValueError`, also for a repeated axis."""
    axes = [DynamicAxis.parse(text) for text in texts]
    for i, axis in enumerate(axes):
        if any((axis.input, axis.axis) == (other.input, other.axis) for other in axes[:i]):
            raise ValueError(f"axis {axis.axis} of '{axis.input}' is named twice")
    return axes
