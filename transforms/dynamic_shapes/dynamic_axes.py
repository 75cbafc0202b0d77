"""The dynamic axes of inputs: `in0=h,w`, `in0=32*h,32*w`, `in0=1`, and with named extents
`in0=h:n in1=h:n,w:p+n`."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

LIKE = "like"
"""The name of the function that is an export of the same model at another size."""


class DynamicAxis(NamedTuple):
    """An axis of an input whose extent becomes dynamic, perhaps a multiple of an integer."""

    input: str
    axis: str
    """The axis as a letter, or as a number counted from the outermost axis."""
    multiple: int = 1
    names: tuple[tuple[str, int], ...] = ()
    """The named extents whose sum is the axis's extent, each with its factor; none: the extent is
    independent of all others."""
    more: int = 0
    """An integer that is added to the named extents."""

    @staticmethod
    def parse(text: str) -> "DynamicAxis":
        """Parse `INPUT:AXIS`, `INPUT:N*AXIS`, or `INPUT:AXIS=EXTENT` with a sum of named extents.
        Raises `ValueError`."""
        name, _, axis = text.rpartition(":")
        axis, is_named, extent = axis.partition("=")
        if name and is_named and re.fullmatch(r"[whdc0-3]", axis):
            return DynamicAxis(name, axis, 1, *_parse_extent(extent))
        axis += is_named + extent
        found = re.fullmatch(r"(?:0*([1-9][0-9]{0,8})\*)?([whdc0-3])", axis)
        if not name or found is None:
            raise ValueError(f"an axis is w, h, d, c or a place from 0, as N*w; not '{axis}'")
        return DynamicAxis(name, found[2], int(found[1] or 1))

    def extent(self, values: Mapping[str, int]) -> int:
        """Return the extent for these values of the named extents."""
        return sum(factor * values[name] for name, factor in self.names) + self.more

    def place(self, rank: int) -> int:
        """Return the place of the axis in a blob of this rank. Raises `ValueError` if the blob
        lacks it."""
        from ...dialects.ncnn.extents import AXES  # the parser of the command line needs no dialect

        letters = AXES.get(rank, "")
        place = int(self.axis) if self.axis.isdecimal() else letters.find(self.axis)
        if not 0 <= place < rank:
            raise ValueError(f"input '{self.input}' of {rank} dims has no axis {self.axis}")
        return place


def _parse_extent(text: str) -> tuple[tuple[tuple[str, int], ...], int]:
    """Parse a sum of named extents and integers: `n`, `p+n`, `2*n+1`. Raises `ValueError`."""
    factors: dict[str, int] = {}
    more = 0
    for summand in text.split("+"):
        found = re.fullmatch(r"(?:([1-9][0-9]{0,8})\*)?([A-Za-z_][A-Za-z0-9_]*)", summand)
        if found is not None:
            factors[found[2]] = factors.get(found[2], 0) + int(found[1] or 1)
        elif re.fullmatch(r"[0-9]{1,9}", summand):
            more += int(summand)
        else:
            raise ValueError(f"an extent is a sum of names, as n, p+n or 2*n+1; not '{text}'")
    if not factors:
        raise ValueError(f"a dynamic extent has a name, as n; not '{text}'")
    return tuple(factors.items()), more


def solve_names(axes: Sequence[tuple[DynamicAxis, int]]) -> dict[str, int]:
    """Return the values of the named extents in an export, from the axes and their extents. Raises
    `ValueError` if they contradict, or are not determined."""
    values: dict[str, int] = {}
    left = [(axis, n) for axis, n in axes if axis.names]
    while left:
        open_axes: list[tuple[DynamicAxis, int]] = []
        for axis, n in left:
            unknown = [(name, factor) for name, factor in axis.names if name not in values]
            if len(unknown) > 1:
                open_axes.append((axis, n))
                continue
            known = {name: values.get(name, 0) for name, _ in axis.names}
            rest = n - axis.extent(known)
            name, factor = unknown[0] if unknown else ("", 1)
            if rest < 0 or rest % factor or (not unknown and rest):
                raise ValueError(
                    f"the model was exported for {n} along axis {axis.axis} of '{axis.input}', "
                    f"which other axes contradict: {_known(axis, values)}"
                )
            if unknown:
                values[name] = rest // factor
        if len(open_axes) == len(left):
            names = sorted({name for axis, _ in left for name, _ in axis.names} - values.keys())
            raise ValueError(
                f"the exported values of {' and '.join(names)} are not known: no axis has one of "
                "them alone"
            )
        left = open_axes
    return values


def _known(axis: DynamicAxis, values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} is {values[name]}" for name, _ in axis.names if name in values) or (
        "it is no such multiple"
    )


def parse_dynamic_axes(texts: Sequence[str]) -> list[DynamicAxis]:
    """Parse several axes. Raises `ValueError`, also for a repeated axis."""
    axes = [DynamicAxis.parse(text) for text in texts]
    for i, axis in enumerate(axes):
        if any((axis.input, axis.axis) == (other.input, other.axis) for other in axes[:i]):
            raise ValueError(f"axis {axis.axis} of '{axis.input}' is named twice")
    return axes
