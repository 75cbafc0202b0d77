"""Arithmetic on extents and axes of blobs, known or not, and the parameters of a box in a blob.

An axis is counted from the outermost, negative ones from the innermost; a 1-D blob has only one
and any axis means it.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from math import prod
from typing import TypeVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from .blob import BlobType, blob, shape_of
from .checks import check, check_axes
from .layer import LayerOp
from .params import int_param, ints_param

AXES = {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}
"""The axes of a blob by its number of dims, outermost first."""

ABSENT = -233
"""What a parameter that stands for an extent or a position has where it is not given."""

ORDERS = {
    2: ("wh", "hw"),
    3: ("whc", "hwc", "wch", "cwh", "hcw", "chw"),
    4: (
        "whdc", "hwdc", "wdhc", "dwhc", "hdwc", "dhwc", "whcd", "hwcd", "wchd", "cwhd", "hcwd",
        "chwd", "wdch", "dwch", "wcdh", "cwdh", "dcwh", "cdwh", "hdcw", "dhcw", "hcdw", "chdw",
        "dchw", "cdhw",
    ),
}  # fmt: skip
"""Which axis of the input is each axis of Permute's output, innermost first, for order_type 0, 1,
2, … of a blob of 2, 3 and 4 dims."""


def extents_of(value: SSAValue) -> dict[str, int] | None:
    """The extents of a blob by axis, outermost first; `None` if its dims are not known."""
    shape = shape_of(value)
    axes = AXES.get(len(shape)) if shape is not None else None
    return None if axes is None or shape is None else dict(zip(axes, shape, strict=True))


def blob_like(value: SSAValue, shape: Sequence[int]) -> BlobType:
    """The blob type of these extents and a value's elements."""
    return blob(shape, cast(BlobType, value.type).element_type)


def known(extent: int, *of: int) -> int:
    """An extent computed from others; `DYNAMIC_INDEX` if one of them is unknown, or if what
    comes out is no extent: there the runtime stops."""
    return extent if 0 < extent < 2**31 and DYNAMIC_INDEX not in of else DYNAMIC_INDEX


def count_of(value: SSAValue) -> int:
    """How many elements a blob has; `DYNAMIC_INDEX` if that is unknown."""
    shape = shape_of(value)
    return DYNAMIC_INDEX if shape is None else known(prod(shape), *shape)


def positive_axis(axis: int, rank: int) -> int | None:
    """The axis counted from the outermost; `None` if the blob has no such axis."""
    if rank == 1:
        return 0
    axis = axis + rank if axis < 0 else axis
    return axis if 0 <= axis < rank else None


def permutation(order_type: int, rank: int) -> tuple[int, ...] | None:
    """Which axis of the input is each axis of Permute's output, both row-major; `None` if there
    is no such order."""
    if rank == 1:
        return (0,)
    orders = ORDERS.get(rank, ())
    if not 0 <= order_type < len(orders):
        return None
    return tuple(AXES[rank].index(axis) for axis in reversed(orders[order_type]))


_T = TypeVar("_T")


def expanded(shape: Sequence[_T], axes: Sequence[int]) -> "list[_T | int] | None":
    """A shape with extents of 1 at these axes of the result; `None` if they are not axes of it."""
    rank = len(shape) + len(axes)
    places = {axis + rank if axis < 0 else axis for axis in axes}
    if len(places) != len(axes) or any(not 0 <= i < rank for i in places):
        return None
    rest = iter(shape)
    return [1 if i in places else next(rest) for i in range(rank)]


def reshaped(wanted: Sequence[int], extents: Mapping[str, int] | None, total: int) -> list[int]:
    """The shape that Reshape gives a blob of these extents and elements: 0 is the extent of the
    same axis, -1 what is left."""
    copied = dict.fromkeys("cdhw", 1 if extents else DYNAMIC_INDEX) | dict(extents or {})
    if len(wanted) == 3 and "d" in (extents or {}):
        copied["c"] = DYNAMIC_INDEX  # the runtime may take that of packed channels
    shape = [
        n if n > 0 else DYNAMIC_INDEX if n else copied[axis]
        for axis, n in zip(AXES[len(wanted)], wanted, strict=True)
    ]
    if wanted.count(-1) == 1:
        i = wanted.index(-1)
        others = shape[:i] + shape[i + 1 :]
        shape[i] = known(total // (prod(others) or 1), total, *others)
    if len(shape) == 2 and (DYNAMIC_INDEX in (total, *shape) or prod(shape) != total):
        shape[1] = _columns(shape, extents)
    return shape


def _columns(shape: Sequence[int], extents: Mapping[str, int] | None) -> int:
    """The columns of what Reshape makes with this shape, if it may not have as many elements as the
    blob: one of 2 dims with as many rows stays as it is."""
    rows, columns = shape
    if extents is not None and len(extents) != 2:
        return columns
    old = extents or {"h": DYNAMIC_INDEX, "w": DYNAMIC_INDEX}
    other_rows = old["h"] != rows and DYNAMIC_INDEX not in (old["h"], rows)
    return columns if other_rows or old["w"] == columns else DYNAMIC_INDEX


def slice_parts(
    extent: int, count: int, slices: Sequence[int], indices: Sequence[int]
) -> list[int] | None:
    """The extents of the parts that Slice cuts an extent into; `None` if its parameters do not
    say all."""
    if len(indices) < count - 1 if indices else len(slices) < count:
        return None
    whole = None if extent == DYNAMIC_INDEX else extent
    parts: list[int] = []
    start: int | None = 0
    for i in range(count):
        part: int | None = None
        if indices:
            stop = whole if i == count - 1 else indices[i]
            if stop is not None and stop < 0:
                stop = None if whole is None else whole + stop
            part = None if stop is None or start is None else stop - start
        elif slices[i] != ABSENT:
            part = slices[i]
        elif whole is not None and start is not None:
            part = (whole - start) // (count - i)
        start = None if start is None or part is None else start + part
        parts.append(DYNAMIC_INDEX if part is None else known(part))
    return parts


def tiled(extents: Mapping[str, int], repeats: Sequence[int]) -> list[int] | None:
    """The shape of a blob that is repeated along each of its innermost axes; `None` if that has
    too many dims. With 4 repeats a 3-D blob is taken as c x 1 x h x w."""
    axes, count = "".join(extents), len(repeats)
    if count > 4:
        return None
    times = dict(zip(axes[-count:] if count < len(axes) else AXES[count], repeats, strict=True))
    old = {axis: extents.get(axis, 1) for axis in AXES[max(len(axes), count)]}
    return [known(n * times.get(axis, 1), n) for axis, n in old.items()]


class Box(LayerOp, ABC):
    """Where a box in a blob begins: at offsets, or at starts along axes (all of them if none are
    given)."""

    woffset = int_param(0)
    hoffset = int_param(1)
    doffset = int_param(13)
    coffset = int_param(2)
    starts = ints_param(9)
    axes = ints_param(11)

    def verify_layer(self) -> None:
        starts, axes = len(self.starts), len(self.axes)
        check_axes(self, self.axes)
        check(self, starts <= 4, f"{starts} starts, a blob has 4 axes at most")
        check(self, not starts or axes in (0, starts), f"{starts} starts along {axes} axes")


class SizedBox(Box, ABC):
    """Where a box begins and ends: so much before the end of the blob, or at ends along axes."""

    woffset2 = int_param(6)
    hoffset2 = int_param(7)
    doffset2 = int_param(15)
    coffset2 = int_param(8)
    outw = int_param(3)
    outh = int_param(4)
    outd = int_param(14)
    outc = int_param(5)
    ends = ints_param(10)

    def verify_layer(self) -> None:
        super().verify_layer()
        starts, ends = len(self.starts), len(self.ends)
        check(self, starts == ends, f"{starts} starts, {ends} ends")
        check(self, bool(starts) or not self.axes, f"{len(self.axes)} axes without starts")

    def has_size(self) -> bool:
        """Whether these parameters say where the box ends. (Offsets alone do not.)"""
        sizes = (getattr(self, f"out{a}") or getattr(self, f"{a}offset2") for a in "whdc")
        return any(sizes) or bool(self.starts and self.ends)

    def box_in(self, extents: Mapping[str, int]) -> list[int] | None:
        """The extents of the box in a blob of these extents; `None` if an end lacks."""
        if not (self.starts and self.ends):
            return [known(self._left(axis, n), n) for axis, n in extents.items()]
        return box_between(list(extents.values()), self.starts, self.ends, self.axes)

    def box_like(
        self, extents: Mapping[str, int], reference: Mapping[str, int] | None
    ) -> list[int]:
        """The extents of a box as large as a reference; `None`: it is not known how large."""
        if reference is None or self.woffset == ABSENT:
            return [DYNAMIC_INDEX] * len(extents)
        box = {axis: reference.get(axis, 1) for axis in extents}
        if "c" in box and len(reference) != len(extents):
            box["c"] = extents["c"]
        return list(box.values())

    def _left(self, axis: str, extent: int) -> int:
        left = extent - getattr(self, f"{axis}offset") - getattr(self, f"{axis}offset2")
        wanted = getattr(self, f"out{axis}")
        return left if wanted == ABSENT else min(wanted, left)


def box_between(
    shape: Sequence[int], starts: Sequence[int], ends: Sequence[int], axes: Sequence[int]
) -> list[int] | None:
    """The extents of the box from starts to ends along axes, all of them if none are given; any of
    these may be unknown. `None` if a start or an end lacks."""
    if DYNAMIC_INDEX in axes:
        return [DYNAMIC_INDEX] * len(shape)
    axes = axes or range(len(shape))
    if len(axes) > min(len(starts), len(ends)):
        return None
    box = list(shape)
    for each, start, end in zip(axes, starts, ends, strict=False):
        axis = positive_axis(each, len(shape))
        if axis is not None:
            box[axis] = known(_between(shape[axis], start, end), shape[axis], start, end)
    return box


def _between(extent: int, start: int, end: int) -> int:
    """What is left of an extent from start to end. An end of 0 is behind the last element."""
    start = 0 if start == ABSENT else start if start >= 0 else extent + start
    end = extent if end == ABSENT else end if end > 0 else extent + end
    return min(extent, end) - start
