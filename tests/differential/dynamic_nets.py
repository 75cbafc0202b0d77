"""Random nets as a converter writes them for one size, described for any size: the truth about
`--dynamic` at other sizes is the same net, generated there.

Beside what converters usually write there are traps: constants that are computed from the size and
look as if they were not, and constants that look as if they were."""

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from .nets import Params
from .sized import SizedNet, grid, half

CHANNELS = 8

LARGEST = 64
"""Rows or columns of a blob."""

CONSTANT = 4
"""The place, among the ends of a Crop, of one that does not follow the size."""

POSITIONS = 600
"""Where each is combined with each."""

Map = tuple[str, int, int]
"""A blob of `CHANNELS` channels, and its rows and columns."""


class NoSuchSize(Exception):
    """A net does not exist at a size."""


class Indivisible(NoSuchSize):
    """A net exists only at multiples of some number."""


class DynamicNet:
    """A net of steps drawn by a seed, at one size; at any size the same steps."""

    def __init__(self, seed: int, h: int, w: int) -> None:
        self.random = Random(seed)
        self.net = SizedNet((CHANNELS, h, w))
        self.maps: list[Map] = [("in0", h, w)]
        self.count = 0
        self.tables: list[int] = []
        """How much is taken of tables that are longer."""
        for _ in range(self.random.randint(1, 5)):
            x, h, w = self.random.choice(STEPS)(self, *self.maps[-1])
            if not (1 < h < LARGEST and 1 < w < LARGEST):
                raise NoSuchSize
            self.maps.append((x, h, w))
        self.net.layer("ReLU", self.maps[-1][0], "out0", {0: 1.0})

    def name(self) -> str:
        self.count += 1
        return f"b{self.count}"

    def layer(self, kind: str, x: str | Sequence[str], params: Params | None = None) -> str:
        return self.net.layer(kind, x, self.name(), params)

    def flat(self, x: str, *shape: int) -> str:
        return self.net.flat(x, self.name(), *shape)

    def number(self, h: int, w: int) -> float:
        """A constant, or a number that is computed from the size."""
        made = [
            1.0 / w, float(w), 1.0 / (h * w), 2.0 / max(w - 1, 1), float(h - 1), h / 2,
            0.5, 3.0, 0.1, 0.7071,
        ]  # fmt: skip
        return made[self.random.randrange(len(made))]


# -- layers


def convolve(net: DynamicNet, x: str, h: int, w: int) -> Map:
    stride = net.random.choice((1, 1, 2))
    y = net.net.conv(x, net.name(), CHANNELS, CHANNELS, stride)
    return (y, half(h), half(w)) if stride == 2 else (y, h, w)


def pool(net: DynamicNet, x: str, h: int, w: int) -> Map:
    if min(h, w) < 3:
        raise NoSuchSize
    return net.layer("Pooling", x, {1: 2, 2: 1, 5: 1}), h - 1, w - 1


def average(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """The mean of all positions, as a Pooling or as a sum times a number."""
    if net.random.random() < 0.5:
        mean = net.layer("Pooling", x, {0: 1, 1: w, 11: h})
    else:
        total = net.layer("Reduction", x, {0: 0, 1: 0, 3: (1, 2), 4: 1, 5: 1})
        mean = net.layer("BinaryOp", total, {0: 2, 1: 1, 2: 1 / (h * w)})
    return net.layer("BinaryOp", [x, mean], {0: 0}), h, w


def enlarge(net: DynamicNet, x: str, h: int, w: int) -> Map:
    return net.layer("Interp", x, {0: 1, 3: 2 * h, 4: 2 * w}), 2 * h, 2 * w


def join(net: DynamicNet, x: str, h: int, w: int) -> Map:
    other, h2, w2 = net.random.choice(net.maps)
    y = net.layer("Interp", x, {0: net.random.choice((1, 2)), 3: h2, 4: w2})
    return net.layer("BinaryOp", [y, other], {0: 0}), h2, w2


def spread(net: DynamicNet, x: str, h: int, w: int) -> Map:
    mean = net.layer("Pooling", x, {0: 1, 1: w, 11: h})
    kind, params = net.random.choice([("Tile", {2: (1, h, w)}), ("Interp", {0: 1, 3: h, 4: w})])
    return net.layer("BinaryOp", [x, net.layer(kind, mean, params)], {0: 2}), h, w


def scale(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """A number as a parameter, or as a constant of one of many shapes."""
    value, form = net.number(h, w), net.random.randrange(5)
    op = net.random.choice((0, 1, 2))
    if form == 0:
        return net.layer("BinaryOp", x, {0: op, 1: 1, 2: value}), h, w
    if form == 1:
        return net.layer("Power", x, {1: value}), h, w
    shape = {2: (1,), 3: (1, h, w), 4: (CHANNELS, 1, 1)}[form]
    return net.net.add(x, np.full(shape, value, "f4"), net.name(), op), h, w


def positions(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """Grids, ranges that do and that do not follow the size, and numbers of positions."""
    rows, columns = np.mgrid[:h, :w].astype("f4")
    made = [
        grid(h, w).reshape(2, h, w).repeat(4, 0),
        rows[None] * 0.5,
        np.arange(w, dtype="f4").reshape(1, 1, w) - 3,
        np.linspace(0, 1, w, dtype="f4").reshape(1, 1, w),
        np.linspace(-1, 1, h, dtype="f4").reshape(1, h, 1),
        (rows * w + columns)[None],
        (columns / w)[None],
        np.arange(w, dtype="f4")[None, None] / 8 + 0.5,
        np.arange(h, dtype="f4")[None, :, None] - (h - 1) / 2,
    ]
    return net.net.add(x, made[net.random.randrange(len(made))].astype("f4"), net.name()), h, w


# -- cuts


def crop(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """From the front or the back, by so much, or up to an extent."""
    axis = net.random.choice((1, 2))
    extent = (h, w)[axis - 1]
    start = net.random.choice((0, 0, 1, 2, -3, half(extent)))
    ends = (extent, extent - 1, -1, -2, 4, half(extent), 2**31 - 1, extent - 3)
    place = net.random.randrange(len(ends))
    end = ends[place]
    by_offsets = net.random.random() < 0.3
    begin = start + extent if start < 0 else start
    stop = min(end + extent if end < 0 else end, extent)
    if not 0 <= begin < stop - 1 or end == 0:
        raise NoSuchSize
    if place == CONSTANT and end >= extent:  # a Crop to the last element is one at any size
        raise NoSuchSize
    size = stop - begin
    if start >= 0 and 0 <= end <= extent and by_offsets:
        params = {axis == 1: start, 3: w, 4: h, 5: CHANNELS} | {(3, 4)[axis == 1]: size}
        params = {int(k): v for k, v in params.items()}
    else:
        params = {9: (start,), 10: (end,), 11: (axis,)}
    y = net.layer("Crop", x, params)
    return (y, size, w) if axis == 1 else (y, h, size)


def crop_channels(net: DynamicNet, x: str, h: int, w: int) -> Map:
    part = net.layer("Crop", x, {9: (0,), 10: (4,), 11: (0,)})
    return net.layer("Concat", [part, part], {0: 0}), h, w


def parts(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """A Slice along rows or channels, in one of its spellings; the parts are combined."""
    axis, place = net.random.choice((0, 1)), net.random.randrange(5)
    spelled, by_end = net.random.randrange(4), net.random.random() < 0.5
    extent = (CHANNELS, h)[axis]
    first = (1, 2, half(extent), extent - 1, extent - 2)[place]
    if not 0 < first < extent:
        raise NoSuchSize
    params: dict[int, int | Sequence[int]] = {1: axis}
    if spelled == 3:  # only a program counts from the end
        params[2] = (first - extent if place > 2 and by_end else first,)
    elif spelled == 2 and place == 2:  # halves, as only a program for even extents says
        if extent % 2:
            raise Indivisible
        params[0] = (-233, -233)
    else:
        params[0] = (first, extent - first if spelled else -233)
    low, high = net.name(), net.name()
    net.net.layer("Slice", x, [low, high], params)
    means = [
        net.layer("Reduction", each, {0: 3, 1: 0, 3: (axis,), 4: 1, 5: 1}) for each in (low, high)
    ]
    both = net.layer("BinaryOp", means, {0: 1})
    return net.layer("BinaryOp", [x, both], {0: 0}), h, w


# -- layouts


def attend(net: DynamicNet, x: str, h: int, w: int) -> Map:
    if h * w > POSITIONS:
        raise NoSuchSize
    flat = net.flat(x, CHANNELS, h * w)
    rows = net.layer("Permute", flat, {0: 1})
    shares = net.layer("Softmax", net.layer("MatMul", [rows, flat]), {0: 1, 1: 1})
    return net.flat(net.layer("MatMul", [flat, shares]), CHANNELS, h, w), h, w


def tokens(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """Positions as rows beside further rows, which are cut off again."""
    rows = net.layer("Permute", net.flat(x, CHANNELS, h * w), {0: 1})
    more, front = net.random.choice((1, 2, 4)), net.random.random() < 0.5
    extra = net.name()
    net.net.constant(extra, net.net.normal(more, CHANNELS))
    order = [extra, rows] if front else [rows, extra]
    joined = net.layer("Concat", order, {0: 0})
    shares = net.layer("Softmax", joined, {0: 0, 1: 1})
    first = more if front else h * w
    how = net.random.randrange(4)
    if how == 3:
        start, end = (more, h * w + more) if front else (0, h * w)
        kept = net.layer("Crop", shares, {9: (start,), 10: (end,), 11: (0,)})
    else:
        low, high = net.name(), net.name()
        last = h * w + more - first
        spelled = ({0: (first, -233)}, {0: (first, last)}, {2: (first,)})[how]
        net.net.layer("Slice", shares, [low, high], {1: 0} | spelled)
        kept = high if front else low
    return net.flat(net.layer("Permute", kept, {0: 1}), CHANNELS, h, w), h, w


def two_maps(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """The positions of two maps after each other, and apart again."""
    other, h2, w2 = net.random.choice(net.maps)
    flats = [net.flat(x, CHANNELS, h * w), net.flat(other, CHANNELS, h2 * w2)]
    joined = net.layer("Softmax", net.layer("Concat", flats, {0: 1}), {0: 1, 1: 1})
    low, high = net.name(), net.name()
    second = net.random.choice((-233, h2 * w2))
    net.net.layer("Slice", joined, [low, high], {0: (h * w, second), 1: 1})
    mean = net.layer("Reduction", high, {0: 3, 1: 0, 3: (1,), 4: 1, 5: 1})
    return net.flat(net.layer("BinaryOp", [low, mean], {0: 0}), CHANNELS, h, w), h, w


def turn(net: DynamicNet, x: str, h: int, w: int) -> Map:
    return net.layer("Permute", x, {0: 1}), w, h


def group(net: DynamicNet, x: str, h: int, w: int) -> Map:
    shares = net.layer("Softmax", net.flat(x, 2, 4, h * w), {0: 1, 1: 1})
    return net.flat(shares, CHANNELS, h, w), h, w


def windows(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """Windows of 2 rows and 2 columns as a batch of positions, and back (MobileViT's unfold)."""
    if h % 2 or w % 2:
        raise Indivisible
    a = net.flat(x, CHANNELS * h // 2, 2, w // 2, 2)
    a = net.layer("Permute", a, {0: 6})
    b = net.layer("Softmax", a, {0: 3, 1: 1})
    c = net.layer("Permute", b, {0: inverse(6)})
    return net.flat(c, CHANNELS, h, w), h, w


def depth_to_space(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """Channels as 2x2 positions, by Reshapes and Permutes; then back by a convolution."""
    c = CHANNELS // 4
    a = net.flat(x, c, 2, 2, h * w)
    order = net.random.choice((4, 20))
    b = net.layer("Permute", a, {0: order})
    e = net.layer("Softmax", b, {0: 3, 1: 1})
    back = net.layer("Permute", e, {0: inverse(order)})
    return net.flat(back, CHANNELS, h, w), h, w


def unfold(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """MobileViT's fold: (C, 2, 2, h*w) to (C*h, w, 2, 2), turned, to (C, 2*h, 2*w)."""
    c = CHANNELS // 4
    a = net.flat(x, c, 2, 2, h * w)
    b = net.layer("Permute", a, {0: 4})
    d = net.flat(b, c * h, w, 2, 2)
    e = net.layer("Permute", d, {0: 2})
    f = net.flat(e, c, 2 * h, 2 * w)
    g = net.layer("Concat", [f, f, f, f], {0: 0})
    return g, 2 * h, 2 * w


def strips(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """Rows, or columns, in pieces of a constant number, or in a constant number of pieces."""
    size = net.random.choice((2, 3, 4))
    if w % size:
        raise Indivisible
    shape = (size, w // size) if net.random.random() < 0.5 else (w // size, size)
    parted = net.flat(x, CHANNELS * h, *shape)
    shares = net.layer("Softmax", parted, {0: 2, 1: 1})
    return net.flat(shares, CHANNELS, h, w), h, w


def column_means(net: DynamicNet, x: str, h: int, w: int) -> Map:
    high = net.layer("Pooling", x, {0: 1, 1: 1, 11: h})
    back = net.flat(net.layer("Permute", net.flat(high, CHANNELS, w), {0: 1}), w, CHANNELS)
    again = net.flat(net.layer("Permute", back, {0: 1}), CHANNELS, 1, w)
    return net.layer("BinaryOp", [x, again], {0: 0}), h, w


def table(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """Learnt values: of a table, for columns, or for channels."""
    rng = np.random.default_rng(3)
    values = rng.standard_normal((1, 1, 200)).astype("f4")[..., :w]
    if net.random.random() < 0.5:
        values = rng.standard_normal((CHANNELS, 1, 1)).astype("f4")
    else:
        net.tables.append(w)
    return net.net.add(x, values, net.name()), h, w


def mixed_positions(net: DynamicNet, x: str, h: int, w: int) -> Map:
    """A MatMul with a constant: of channels, or of positions."""
    if h * w > POSITIONS:
        raise NoSuchSize
    rng = np.random.default_rng(4)
    own = net.random.random() < 0.5
    n = CHANNELS if own else h * w
    flat = net.flat(x, CHANNELS, h * w)
    if own:
        flat = net.layer("Permute", flat, {0: 1})
    weight = net.name()
    net.net.constant(weight, (rng.standard_normal((n, n)) / n).astype("f4"))
    y = net.layer("MatMul", [flat, weight])
    if own:
        y = net.layer("Permute", y, {0: 1})
    return net.flat(y, CHANNELS, h, w), h, w


def border(net: DynamicNet, x: str, h: int, w: int) -> Map:
    n = net.random.choice((1, 2))
    return net.layer("Padding", x, {0: n, 1: n, 2: n, 3: n}), h + 2 * n, w + 2 * n


def clip(net: DynamicNet, x: str, h: int, w: int) -> Map:
    most = net.random.choice((1.0, 6.0, float(w - 1), 0.25))
    return net.layer("Clip", x, {0: -most, 1: most}), h, w


STEPS: list[Callable[[DynamicNet, str, int, int], Map]] = [
    convolve, convolve, pool, average, enlarge, join, spread, scale, positions, crop,
    crop_channels, parts, attend, tokens, two_maps, turn, group, windows, depth_to_space, unfold,
    strips, column_means, table, mixed_positions, border, clip,
]  # fmt: skip

ORDERS_OF_4 = (
    "whdc", "hwdc", "wdhc", "dwhc", "hdwc", "dhwc", "whcd", "hwcd", "wchd", "cwhd", "hcwd",
    "chwd", "wdch", "dwch", "wcdh", "cwdh", "dcwh", "cdwh", "hdcw", "dhcw", "hcdw", "chdw",
    "dchw", "cdhw",
)  # fmt: skip
"""The axes of Permute's output, innermost first, by order_type."""


def inverse(order: int) -> int:
    """The order_type that undoes one."""
    places = ["cdhw".index(axis) for axis in reversed(ORDERS_OF_4[order])]
    back = ["cdhw"[places.index(i)] for i in range(4)]
    return ORDERS_OF_4.index("".join(reversed(back)))
