"""Arithmetic on extents and axes of blobs, and the parameters of a box in a blob.

Axes count from the outermost; negative axes count from the innermost. In a 1-D blob any axis means
the only one.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from math import prod
from typing import TypeVar

from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import LARGEST, UNKNOWN, Extent, Extents, at_least, minimum
from .checks import check, check_axes
from .layer import LayerOp
from .params import int_param, ints_param
from .weight_specs import Pattern


def along_outermost(channels: int, *ranks: int) -> list[Pattern]:
    """Return shape patterns of these ranks with `channels` along the outermost axis."""
    return [(channels, *(None,) * (rank - 1)) for rank in ranks or (3, 2, 1, 4)]


AXES = {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}
"""The axes of a blob by rank, outermost first."""

ABSENT = -233
"""The value of an extent or position parameter that means "not given"."""

MAX_DIMS = 4
"""The maximum number of dims of a blob."""

NO_BATCH = 233
"""The value of Reshape's batch axes that means "no batch"."""

ORDERS = {
    2: ("wh", "hw"),
    3: ("whc", "hwc", "wch", "cwh", "hcw", "chw"),
    4: (
        "whdc", "hwdc", "wdhc", "dwhc", "hdwc", "dhwc", "whcd", "hwcd", "wchd", "cwhd", "hcwd",
        "chwd", "wdch", "dwch", "wcdh", "cwdh", "dcwh", "cdwh", "hdcw", "dhcw", "hcdw", "chdw",
        "dchw", "cdhw",
    ),
}  # fmt: skip
"""For Permute's order_type 0, 1, 2, … by rank (2, 3, 4): the input axis of each output axis,
innermost first."""


def by_axis(shape: Extents | None) -> dict[str, Extent] | None:
    """Return the extents of a blob by axis, outermost first; `None` if the rank is unknown."""
    axes = AXES.get(len(shape)) if shape is not None else None
    return None if axes is None or shape is None else dict(zip(axes, shape, strict=True))


def known(extent: Extent) -> Extent:
    """Return a computed extent; `UNKNOWN` if it is not positive, where the runtime stops."""
    return UNKNOWN if isinstance(extent, int) and not 0 < extent <= LARGEST else extent


def differ(a: Extent, b: Extent) -> bool:
    """Whether two extents provably differ."""
    return isinstance(a, int) and isinstance(b, int) and a != b


def count_of(shape: Extents | None) -> Extent:
    """Return the number of a blob's elements."""
    return UNKNOWN if shape is None else known(prod(shape))


def positive_axis(axis: int, rank: int) -> int | None:
    """Return the axis counted from the outermost; `None` if the blob lacks it."""
    if rank == 1:
        return 0
    axis = axis + rank if axis < 0 else axis
    return axis if 0 <= axis < rank else None


def extent_along(value: SSAValue, axis: int, shapes: Shapes) -> Extent:
    """Return the extent of a blob along an axis."""
    shape = shapes.of(value)
    place = None if shape is None else positive_axis(axis, len(shape))
    return UNKNOWN if shape is None or place is None else shape[place]


def permutation(order_type: int, rank: int) -> tuple[int, ...] | None:
    """Return the input axis of each output axis of Permute, both row-major; `None` for an undefined
    order."""
    if rank == 1:
        return (0,)
    orders = ORDERS.get(rank, ())
    if not 0 <= order_type < len(orders):
        return None
    return tuple(AXES[rank].index(axis) for axis in reversed(orders[order_type]))


def order_type(order: Sequence[int]) -> int:
    """Return Permute's order_type for the input axis of each output axis, both row-major: the
    inverse of `permutation`, for 2 to 4 axes."""
    axes = AXES[len(order)]
    return ORDERS[len(order)].index("".join(axes[i] for i in reversed(order)))


_T = TypeVar("_T")


def expanded(shape: Sequence[_T], axes: Sequence[int]) -> "list[_T | int] | None":
    """Return a shape with extents of 1 inserted at these axes of the result; `None` if an axis is
    out of range."""
    rank = len(shape) + len(axes)
    places = {axis + rank if axis < 0 else axis for axis in axes}
    if len(places) != len(axes) or any(not 0 <= i < rank for i in places):
        return None
    rest = iter(shape)
    return [1 if i in places else next(rest) for i in range(rank)]


def reshaped(
    wanted: Sequence[Extent], extents: Mapping[str, Extent] | None, total: Extent
) -> Extents:
    """Return the shape that Reshape gives a blob: 0 copies the extent of the same axis, -1 is
    inferred."""
    copied: dict[str, Extent] = dict.fromkeys("cdhw", 1 if extents else UNKNOWN)
    copied |= extents or {}
    if len(wanted) == 3 and "d" in (extents or {}):
        copied["c"] = UNKNOWN  # the runtime may use the number of packed channels
    shape = [
        copied[axis] if n == 0 else UNKNOWN if isinstance(n, int) and n < 0 else n
        for axis, n in zip(AXES[len(wanted)], wanted, strict=True)
    ]
    if wanted.count(-1) == 1:
        i = wanted.index(-1)
        shape[i] = known(total // (prod(shape[:i] + shape[i + 1 :]) or 1))
    if len(shape) == 2 and prod(shape) != total and _may_stay(shape[0], extents):
        shape[1] = known(total // shape[0])
    return tuple(shape)


def extent_params(shape: Sequence[int]) -> dict[str, int]:
    """Return the parameters w, h, d and c of a Reshape to a static shape."""
    return {**dict.fromkeys("whdc", ABSENT), **dict(zip(AXES[len(shape)], shape, strict=True))}


def reshape_params(wanted: Extents, source: Extents | None) -> dict[str, int] | None:
    """Return the parameters of a Reshape from `source` (`None`: unknown rank) to `wanted`; `None`
    if they cannot express it. 0 copies the source's extent along the same axis; -1, the inferred
    extent, may appear once."""
    own, params = by_axis(source) or {}, dict[str, int]()
    for axis, n in zip(AXES[len(wanted)], wanted, strict=True):
        # From 4-D to 3-D, the runtime may use the number of packed channels.
        copies = axis in own and own[axis] == n and (axis != "c" or len(own) < 4 or len(wanted) > 3)
        params[axis] = n if isinstance(n, int) else 0 if copies else -1
    return params if list(params.values()).count(-1) < 2 else None


def _may_stay(rows: Extent, extents: Mapping[str, Extent] | None) -> bool:
    """Whether a blob may be 2-D with this number of rows. Reshape then returns it unchanged, for
    any number of columns."""
    if extents is None or len(extents) != 2:
        return extents is None
    both = extents["h"], rows
    return both[0] == rows or not all(isinstance(n, int) for n in both)


def slice_parts(
    extent: Extent, count: int, slices: Sequence[int], indices: Sequence[int]
) -> list[Extent] | None:
    """Return the extents of the parts into which Slice cuts an extent; `None` if its parameters do
    not determine them."""
    parts = wanted_parts(extent, count, slices, indices)
    return None if parts is None else [known(part) for part in parts]


def wanted_parts(
    extent: Extent, count: int, slices: Sequence[int], indices: Sequence[int]
) -> list[Extent] | None:
    """Return the extents that Slice's parameters want for its parts, which need not be positive or
    fit into the extent; `None` if the parameters do not determine them."""
    if len(indices) < count - 1 if indices else len(slices) < count:
        return None
    parts: list[Extent] = []
    start: Extent = 0
    for i in range(count):
        if indices:
            stop = extent if i == count - 1 else indices[i]
            stop = extent + stop if isinstance(stop, int) and stop < 0 else stop
            part = stop - start
        else:
            part = slices[i] if slices[i] != ABSENT else (extent - start) // (count - i)
        start = start + part
        parts.append(part)
    return parts


def tiled(extents: Mapping[str, Extent], repeats: Sequence[int]) -> Extents | None:
    """Return the shape of a blob repeated along its innermost axes; `None` if it has too many dims.
    With 4 repeats a 3-D blob is treated as c x 1 x h x w."""
    axes, count = "".join(extents), len(repeats)
    if count > 4:
        return None
    times = dict(zip(axes[-count:] if count < len(axes) else AXES[count], repeats, strict=True))
    old = {axis: extents.get(axis, 1) for axis in AXES[max(len(axes), count)]}
    return tuple(known(n * times.get(axis, 1)) for axis, n in old.items())


class Box(LayerOp, ABC):
    """The start of a box in a blob: offsets, or starts along axes (all axes if none are given)."""

    woffset = int_param(0)
    hoffset = int_param(1)
    doffset = int_param(13)
    coffset = int_param(2)
    starts = ints_param(9)
    axes = ints_param(11)

    def offsets(self) -> Mapping[str, int]:
        """The number of elements before the box, by axis."""
        return {"w": self.woffset, "h": self.hoffset, "d": self.doffset, "c": self.coffset}

    def verify_layer(self) -> None:
        starts, axes = len(self.starts), len(self.axes)
        check_axes(self, self.axes)
        check(self, starts <= 4, f"{starts} starts, but a blob has at most 4 axes")
        check(self, not starts or axes in (0, starts), f"{starts} starts along {axes} axes")


class SizedBox(Box, ABC):
    """The start and end of a box: the end is relative to the blob's end, or absolute along axes."""

    woffset2 = int_param(6)
    hoffset2 = int_param(7)
    doffset2 = int_param(15)
    coffset2 = int_param(8)
    outw = int_param(3)
    outh = int_param(4)
    outd = int_param(14)
    outc = int_param(5)
    ends = ints_param(10)

    def offsets_after(self) -> Mapping[str, int]:
        """The number of elements after the box, by axis."""
        return {"w": self.woffset2, "h": self.hoffset2, "d": self.doffset2, "c": self.coffset2}

    def wanted(self) -> Mapping[str, int]:
        """The maximum extents of the box, by axis; `ABSENT`: only offsets bound it."""
        return {"w": self.outw, "h": self.outh, "d": self.outd, "c": self.outc}

    def verify_layer(self) -> None:
        super().verify_layer()
        starts, ends = len(self.starts), len(self.ends)
        check(self, starts == ends, f"{starts} starts, but {ends} ends")
        check(self, bool(starts) or not self.axes, f"{len(self.axes)} axes without starts")

    def has_size(self) -> bool:
        """Whether the parameters determine the box's end. (Offsets alone do not.)"""
        sizes = (*self.wanted().values(), *self.offsets_after().values())
        return any(sizes) or bool(self.starts and self.ends)

    def box_in(self, extents: Mapping[str, Extent]) -> Extents | None:
        """Return the extents of the box in a blob of these extents; `None` if an end is missing."""
        if not (self.starts and self.ends):
            return tuple(known(self._left(axis, n)) for axis, n in extents.items())
        return box_between(tuple(extents.values()), self.starts, self.ends, self.axes)

    def box_like(
        self, extents: Mapping[str, Extent], reference: Mapping[str, Extent] | None
    ) -> Extents:
        """Return the extents of a box with a reference's size (`None`: unknown)."""
        if reference is None or self.woffset == ABSENT:
            return (UNKNOWN,) * len(extents)
        box = {axis: reference.get(axis, 1) for axis in extents}
        if "c" in box and len(reference) != len(extents):
            box["c"] = extents["c"]
        return tuple(box.values())

    def _left(self, axis: str, extent: Extent) -> Extent:
        left = extent - self.offsets()[axis] - self.offsets_after()[axis]
        wanted = self.wanted()[axis]
        return left if wanted == ABSENT else minimum(wanted, left)


def box_between(
    shape: Extents, starts: Sequence[Extent], ends: Sequence[Extent], axes: Sequence[Extent]
) -> Extents | None:
    """Return the extents of the box from starts to ends along axes (all if none are given); `None`
    if a start or an end is missing."""
    axes = axes or range(len(shape))
    if len(axes) > min(len(starts), len(ends)):
        return None
    box = list(shape)
    for each, start, end in zip(axes, starts, ends, strict=False):
        if not isinstance(each, int):
            return (UNKNOWN,) * len(shape)
        axis = positive_axis(each, len(shape))
        if axis is not None:
            box[axis] = known(_between(shape[axis], start, end))
    return tuple(box)


def _between(extent: Extent, start: Extent, end: Extent) -> Extent:
    """Return the extent between start and end. An end of 0 means the extent's end."""
    if isinstance(start, int):
        start = 0 if start == ABSENT else start if start >= 0 else extent + start
    elif not at_least(start, 0):
        return UNKNOWN
    if isinstance(end, int):
        end = extent if end == ABSENT else end if end > 0 else extent + end
    elif not at_least(end, 1):
        return UNKNOWN
    return minimum(extent, end) - start
