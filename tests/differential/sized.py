"""Small models as a converter writes them for one size: what follows from the size is constants.
Each is a function of the extents that vary."""

from random import Random

import numpy as np

from .nets import Array, Net, Shape


class SizedNet(Net):
    """A net whose weights are the same at any size."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.input("in0", shape)
        self.rng = np.random.default_rng(7)

    def conv(self, x: str, y: str, inputs: int, outputs: int, stride: int = 1) -> str:
        """A 3x3 convolution with padding."""
        self.tagged(self.normal(outputs, inputs, 3, 3, scale=0.3))
        self.plain(self.normal(outputs))
        count = 9 * inputs * outputs
        return self.layer("Convolution", x, y, {0: outputs, 1: 3, 3: stride, 4: 1, 5: 1, 6: count})

    def flat(self, x: str, y: str, *shape: int) -> str:
        """A Reshape to constants, outermost first."""
        ids = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}[len(shape)]
        return self.layer("Reshape", x, y, dict(zip(ids, shape, strict=True)))

    def add(self, x: str, values: Array, y: str, op: int = 0) -> str:
        """A BinaryOp with a constant."""
        self.constant(f"{y}_c", values)
        return self.layer("BinaryOp", [x, f"{y}_c"], y, {0: op})


def half(n: int) -> int:
    """What stride 2 leaves."""
    return (n + 1) // 2


def grid(h: int, w: int, first: float = 0.5, step: float = 1.0) -> Array:
    """The positions of a grid, x then y, row by row: `2 x h*w`."""
    y, x = np.mgrid[:h, :w]
    return (np.stack([x.ravel(), y.ravel()]) * step + first).astype("f4")


def flattened(h: int, w: int) -> Net:
    """Positions as rows, then as a map again: two extents that only another blob has."""
    net = SizedNet((3, h, w))
    net.conv("in0", "a", 3, 8, 2)
    n = half(h) * half(w)
    net.flat("a", "b", 8, n)
    net.layer("Permute", "b", "c", {0: 1})
    net.layer("Softmax", "c", "d", {0: 1, 1: 1})
    net.flat("d", "heads", n, 2, 4)
    net.layer("Permute", "heads", "e", {0: 2})
    net.layer("Permute", "e", "f", {0: 2})
    net.flat("f", "g", n, 8)
    net.layer("Permute", "g", "i", {0: 1})
    net.flat("i", "map", 8, half(h), half(w))
    net.conv("map", "out0", 8, 4)
    return net


def levels(h: int, w: int) -> Net:
    """Two levels after each other with their anchors and strides, as a detector decodes boxes."""
    net = SizedNet((3, h, w))
    h1, w1 = half(h), half(w)
    h2, w2 = half(h1), half(w1)
    net.conv("in0", "p1", 3, 4, 2)
    net.conv("p1", "p2", 4, 4, 2)
    net.flat("p1", "f1", 4, h1 * w1)
    net.flat("p2", "f2", 4, h2 * w2)
    net.layer("Concat", ["f1", "f2"], "all", {0: 1})
    net.layer("Slice", "all", ["near", "far"], {0: (-233, -233), 1: 0})
    points = np.concatenate([grid(h1, w1), grid(h2, w2)], 1)
    strides = np.concatenate([np.full((1, h1 * w1), 8), np.full((1, h2 * w2), 16)], 1)
    net.add("near", points, "low", 7)
    net.add("far", points, "high")
    net.layer("Concat", ["low", "high"], "boxes", {0: 0})
    net.add("boxes", strides.astype("f4"), "out0", 2)
    return net


def resized(h: int, w: int) -> Net:
    """Finer maps with coarser ones at their size, the mean of all beside it, and the result at the
    size of the input."""
    net = SizedNet((3, h, w))
    h1, w1 = half(h), half(w)
    net.conv("in0", "a", 3, 4, 2)
    net.conv("a", "b", 4, 4, 2)
    net.layer("Interp", "b", "up", {0: 2, 3: h1, 4: w1})
    net.layer("BinaryOp", ["a", "up"], "sum", {0: 0})
    net.layer("Pooling", "a", "mean", {0: 1, 1: w1, 11: h1})
    net.layer("Interp", "mean", "everywhere", {0: 2, 3: h1, 4: w1})
    net.layer("ReLU", "everywhere", "plus")
    net.layer("Concat", ["plus", "sum"], "both", {0: 0})
    net.conv("both", "c", 8, 2)
    net.layer("Interp", "c", "out0", {0: 2, 3: h, 4: w})
    return net


def tiled(h: int, w: int) -> Net:
    """The mean of all positions at each of them, beside the map."""
    net = SizedNet((3, h, w))
    net.conv("in0", "a", 3, 4, 2)
    net.layer("Pooling", "a", "mean", {0: 1, 1: half(w), 11: half(h)})
    net.layer("Tile", "mean", "everywhere", {2: (1, half(h), half(w))})
    net.layer("Concat", ["a", "everywhere"], "out0", {0: 0})
    return net


def columns(h: int, w: int) -> Net:
    """Windows as high as the blob, and a part of the columns that goes to the last one."""
    net = SizedNet((2, h, w))
    net.conv("in0", "a", 2, 4)
    net.layer("Pooling", "a", "b", {0: 1, 1: 1, 11: h, 2: 1, 12: 1})
    net.flat("b", "c", 4, w)
    net.layer("Crop", "c", "d", {9: (1,), 10: (w,), 11: (1,)})
    net.layer("Crop", "d", "e", {0: 1, 3: w - 2, 4: 4})
    net.layer("Permute", "e", "out0", {0: 1})
    return net


def planes(h: int, w: int) -> Net:
    """Coordinates added to a map, and a row that is the same everywhere."""
    net = SizedNet((2, h, w))
    net.conv("in0", "a", 2, 2)
    coordinates = grid(h, w, -1.0, 0.25).reshape(2, h, w)
    net.add("a", coordinates, "b")
    net.add("b", np.full((1, 1, w), 3, "f4"), "c", 2)
    net.add("c", np.arange(h, dtype="f4").reshape(1, h, 1), "out0")
    return net


def waves(steps: int) -> Net:
    """A sequence with waves for positions: sines beside cosines."""
    net = SizedNet((steps, 8))
    scales = np.exp(-np.arange(4) * 2.0).astype("f4")
    angles = np.arange(steps, dtype="f4")[:, None] * scales
    net.add("in0", np.concatenate([np.sin(angles), np.cos(angles)], 1), "a")
    net.flat("a", "b", steps, 2, 4)
    net.layer("Permute", "b", "c", {0: 2})
    net.layer("Softmax", "c", "out0", {0: 2, 1: 1})
    return net


def learnt(steps: int) -> Net:
    """A sequence with learnt values for positions, the first of a table of 64, and a first row for
    all of it."""
    net = SizedNet((steps, 8))
    table = net.normal(64, 8)
    net.add("in0", table[:steps], "a")
    net.constant("first", net.normal(1, 8))
    net.layer("Concat", ["first", "a"], "b", {0: 0})
    net.layer("Slice", "b", ["one", "more"], {0: (1, steps), 1: 0})
    net.layer("BinaryOp", ["more", "one"], "out0", {0: 2})
    return net


def windowed(steps: int) -> Net:
    """A sequence in windows of 4: one export does not say whether it is 4 of them."""
    net = SizedNet((steps, 6))
    net.flat("in0", "a", steps // 4, 4, 6)
    net.layer("Softmax", "a", "b", {0: 1, 1: 1})
    net.flat("b", "out0", steps, 6)
    return net


def normalized(steps: int) -> Net:
    """A sequence with positions from 0 to 1: steps that follow the size."""
    net = SizedNet((steps, 8))
    net.add("in0", np.linspace(0, 1, steps, dtype="f4")[:, None], "out0")
    return net


def turning(steps: int) -> Net:
    """A sequence with waves that go around once in it."""
    net = SizedNet((steps, 8))
    angles = np.arange(steps)[:, None] * (2 * np.pi / steps) * np.array([[1, 2, 4, 8]])
    net.add("in0", np.concatenate([np.sin(angles), np.cos(angles)], 1).astype("f4"), "out0")
    return net


def counted(h: int, w: int) -> Net:
    """The number of each position of a map: not steps along rows and columns."""
    net = SizedNet((2, h, w))
    net.flat("in0", "a", 2, h * w)
    net.add("a", np.arange(h * w, dtype="f4").reshape(1, -1), "out0")
    return net


def unnormalized(h: int, w: int) -> Net:
    """LayerNorm without weights of rows, which is one of maps where rows have another extent."""
    net = SizedNet((2, h, w))
    net.layer("LayerNorm", "in0", "out0", {0: w, 1: 1e-5, 2: 0})
    return net


class Mixture:
    """A net of steps drawn by a seed; of any size the same steps. Blobs are maps of 8 channels."""

    def __init__(self, seed: int, h: int, w: int) -> None:
        self.random = Random(seed)
        self.net = SizedNet((8, h, w))
        self.maps = [("in0", h, w)]
        self.count = 0
        for _ in range(self.random.randint(2, 6)):
            self.step()
        self.net.layer("ReLU", self.maps[-1][0], "out0", {0: 1.0})

    def name(self) -> str:
        self.count += 1
        return f"b{self.count}"

    def step(self) -> None:
        steps = [
            self.convolve, self.pool, self.attend, self.enlarge, self.join, self.gate, self.place,
            self.cut, self.turn, self.group, self.columns,
        ]  # fmt: skip
        x, h, w = self.maps[-1]
        made = self.random.choice(steps)(x, h, w)
        self.maps.append(made)

    def convolve(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        stride = self.random.choice((1, 2))
        y = self.net.conv(x, self.name(), 8, 8, stride)
        return (y, half(h), half(w)) if stride == 2 else (y, h, w)

    def pool(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        y = self.net.layer("Pooling", x, self.name(), {1: 2, 2: 1, 5: 1})
        return y, h - 1, w - 1

    def attend(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        flat = self.net.flat(x, self.name(), 8, h * w)
        rows = self.net.layer("Permute", flat, self.name(), {0: 1})
        scores = self.net.layer("MatMul", [rows, flat], self.name())
        shares = self.net.layer("Softmax", scores, self.name(), {0: 1, 1: 1})
        mixed = self.net.layer("MatMul", [flat, shares], self.name())
        return self.net.flat(mixed, self.name(), 8, h, w), h, w

    def enlarge(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        y = self.net.layer("Interp", x, self.name(), {0: 1, 3: 2 * h, 4: 2 * w})
        return y, 2 * h, 2 * w

    def join(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        other, h2, w2 = self.random.choice(self.maps)
        kind = self.random.choice((1, 2))
        y = self.net.layer("Interp", x, self.name(), {0: kind, 3: h2, 4: w2})
        return self.net.layer("BinaryOp", [y, other], self.name(), {0: 0}), h2, w2

    def gate(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        mean = self.net.layer("Pooling", x, self.name(), {0: 1, 1: w, 11: h})
        return self.net.layer("BinaryOp", [x, mean], self.name(), {0: 2}), h, w

    def place(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        grids = {
            "both": grid(h, w).reshape(2, h, w).repeat(4, 0),
            "rows": np.arange(h, dtype="f4").reshape(1, h, 1) * 0.5,
            "columns": np.arange(w, dtype="f4").reshape(1, 1, w) - 3,
            "same": np.full((8, 1, w), 2, "f4"),
        }
        values = grids[self.random.choice(list(grids))].astype("f4")
        return self.net.add(x, values, self.name()), h, w

    def cut(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        axis = self.random.choice((1, 2))
        end = (h, w)[axis - 1]
        y = self.net.layer("Crop", x, self.name(), {9: (1,), 10: (end,), 11: (axis,)})
        return (y, h - 1, w) if axis == 1 else (y, h, w - 1)

    def turn(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        return self.net.layer("Permute", x, self.name(), {0: 1}), w, h

    def group(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        parts = self.net.flat(x, self.name(), 2, 4, h * w)
        shares = self.net.layer("Softmax", parts, self.name(), {0: 1, 1: 1})
        return self.net.flat(shares, self.name(), 8, h, w), h, w

    def columns(self, x: str, h: int, w: int) -> tuple[str, int, int]:
        high = self.net.layer("Pooling", x, self.name(), {0: 1, 1: 1, 11: h})
        row = self.net.flat(high, self.name(), 8, w)
        turned = self.net.layer("Permute", row, self.name(), {0: 1})
        back = self.net.layer("Permute", turned, self.name(), {0: 1})
        again = self.net.flat(back, self.name(), 8, 1, w)
        return self.net.layer("BinaryOp", [x, again], self.name(), {0: 0}), h, w
