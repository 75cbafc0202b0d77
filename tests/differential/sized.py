"""Small models as a converter writes them for one size: what follows from the size is constants.
Each is a function of the extents that vary."""

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
