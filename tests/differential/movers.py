"""Drawing models of layers that move elements, reshape, cut and join, and of those that do nothing:
what eliminations see, and what comes close to it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from hypothesis import strategies as st

from .nets import EXTENT_IDS, Net, Number, Params, Shape

W, H, D, C = 0, 1, 11, 2
"""The ids of the extents that a Reshape, Squeeze or Interp has."""

RESHAPE_IDS = {1: (W,), 2: (H, W), 3: (C, H, W), 4: (C, D, H, W)}
"""Those of a Reshape by its dims, outermost first."""

ABS, NEG, FLOOR, CEIL, SQUARE, ROUND, SIGN = 0, 1, 2, 3, 4, 18, 20
"""UnaryOp's `op_type`."""

SUM, MEAN, MAX, MIN = 0, 3, 4, 5
"""Reduction's `operation`."""


@dataclass(frozen=True)
class Value:
    """A blob of a model."""

    name: str
    shape: Shape
    exact: bool = True
    """Whether it is computed without rounding: else floor of it may be another number after."""


@dataclass(frozen=True)
class Layer:
    """A line of a model."""

    kind: str
    reads: tuple[str, ...]
    makes: tuple[str, ...]
    params: Params
    weigh: Callable[[Net], None]


def nothing(net: Net) -> None:
    """No weights."""


@dataclass
class Moves:
    """A model that grows: layers in order, each reading any blobs before it."""

    draw: st.DrawFn
    layers: list[Layer] = field(default_factory=list[Layer])
    inputs: list[tuple[str, Shape, Shape | None]] = field(
        default_factory=list[tuple[str, Shape, Shape | None]]
    )
    """Name, extents, and the extents that the file says."""
    outputs: list[str] = field(default_factory=list[str])
    """Blobs that are outputs, whoever else reads them."""

    def input(self, shape: Shape, declared: Shape | None) -> Value:
        """A further input."""
        name = f"in{len(self.inputs)}"
        self.inputs.append((name, shape, declared))
        return Value(name, shape)

    def add(
        self,
        kind: str,
        reads: Value | Sequence[Value],
        shape: Shape,
        params: Params | None = None,
        weigh: Callable[[Net], None] = nothing,
        exact: bool = True,
    ) -> Value:
        """A layer of one output."""
        (value,) = self.cut(kind, reads, [shape], params, weigh)
        inputs = [reads] if isinstance(reads, Value) else reads
        return Value(value.name, shape, exact and all(v.exact for v in inputs))

    def cut(
        self,
        kind: str,
        reads: Value | Sequence[Value],
        shapes: Sequence[Shape],
        params: Params | None = None,
        weigh: Callable[[Net], None] = nothing,
    ) -> list[Value]:
        """A layer of several outputs."""
        reads = [reads] if isinstance(reads, Value) else reads
        names = [f"{kind.lower()}{len(self.layers)}_{i}" for i in range(len(shapes))]
        inputs = tuple(v.name for v in reads)
        self.layers.append(Layer(kind, inputs, tuple(names), params or {}, weigh))
        exact = all(v.exact for v in reads)
        return [Value(name, shape, exact) for name, shape in zip(names, shapes, strict=True)]

    def build(self, seed: int) -> Net:
        """The model, with a Split wherever a blob has several readers."""
        net = Net(seed)
        readers = Counter(name for layer in self.layers for name in layer.reads)
        readers.update(self.outputs)
        names: dict[str, list[str]] = {}

        def made(blob: str) -> None:
            names[blob] = [blob]
            if readers[blob] > 1:
                names[blob] = [f"{blob}_split{i}" for i in range(readers[blob])]
                net.layer("Split", blob, names[blob], name=f"split_{blob}")

        for name, shape, declared in self.inputs:
            net.inputs[name] = net.normal(*shape, scale=3.0)
            ids = () if declared is None else EXTENT_IDS[len(declared)]
            net.layer("Input", (), name, dict(zip(ids, declared or (), strict=True)))
            made(name)
        for layer in self.layers:
            layer.weigh(net)
            bottoms = [names[blob].pop() for blob in layer.reads]
            net.layer(
                layer.kind, bottoms, layer.makes, layer.params, name=f"layer_{layer.makes[0]}"
            )
            for blob in layer.makes:
                made(blob)
        return net

    # -- shapes only

    def reshape(self, x: Value) -> Value:
        """A Reshape to a random shape of as many elements, said in any way."""
        draw, left = self.draw, prod(x.shape)
        rank = draw(st.integers(1, 4))
        shape: list[int] = []
        for _ in range(rank - 1):
            shape.append(draw(st.sampled_from([n for n in range(1, left + 1) if left % n == 0])))
            left //= shape[-1]
        shape = draw(st.permutations([*shape, left])) if draw(st.booleans()) else [*shape, left]
        if draw(st.booleans()) and rank == len(x.shape):
            shape = list(x.shape)
        own = dict(zip(RESHAPE_IDS[len(x.shape)], x.shape, strict=True))
        params: dict[int, Number] = {}
        for id, n in zip(RESHAPE_IDS[rank], shape, strict=True):
            said = [n]
            if own.get(id, 1) == n and not (id == C and (rank, len(x.shape)) == (3, 4)):
                said += [0, 0]
            if -1 not in params.values():
                said.append(-1)
            params[id] = draw(st.sampled_from(said))
        return self.add("Reshape", x, tuple(shape), params)

    def flatten(self, x: Value) -> Value:
        return self.add("Flatten", x, (prod(x.shape),))

    def squeeze(self, x: Value) -> Value:
        rank = len(x.shape)
        axes = self.draw(st.sets(st.integers(0, rank - 1), min_size=1, max_size=rank))
        shape = tuple(n for i, n in enumerate(x.shape) if i not in axes or n != 1) or (1,)
        if self.draw(st.booleans()):
            ids = RESHAPE_IDS[rank]
            return self.add("Squeeze", x, shape, {ids[i]: 1 for i in axes})
        said = [axis - rank if self.draw(st.booleans()) else axis for axis in sorted(axes)]
        return self.add("Squeeze", x, shape, {3: tuple(said)})

    def expand_dims(self, x: Value) -> Value:
        rank = len(x.shape)
        if rank == 4:
            return x
        more = self.draw(st.integers(1, 4 - rank))
        out = rank + more
        axes = sorted(self.draw(st.permutations(range(out)))[:more])
        rest = iter(x.shape)
        shape = tuple(1 if i in axes else next(rest) for i in range(out))
        said = [axis - out if self.draw(st.booleans()) else axis for axis in axes]
        return self.add("ExpandDims", x, shape, {3: tuple(said)})

    # -- order

    def permute(self, x: Value, order: int | None = None) -> Value:
        orders = PERMUTATIONS[len(x.shape)]
        order = self.draw(st.integers(0, len(orders) - 1)) if order is None else order
        shape = tuple(x.shape[axis] for axis in orders[order])
        return self.add("Permute", x, shape, {0: order})

    def permute_back(self, x: Value) -> Value:
        """A Permute, perhaps something between, and the Permute that undoes it."""
        orders = PERMUTATIONS[len(x.shape)]
        order = self.draw(st.integers(0, len(orders) - 1))
        y = self.permute(x, order)
        if self.draw(st.booleans()):
            y = self.element_wise(y)
        if self.draw(st.booleans()):
            axis = self.draw(st.integers(0, len(y.shape) - 1))
            y = self.add("Softmax", y, y.shape, {0: axis, 1: 1}, exact=False)
        back = [orders[order].index(axis) for axis in range(len(x.shape))]
        return self.permute(y, orders.index(tuple(back)))

    def cut_and_join(self, x: Value) -> Value:
        """A Slice, and a Concat of its parts: all in order, or not."""
        axis = self.draw(st.integers(0, len(x.shape) - 1))
        n = x.shape[axis]
        count = self.draw(st.integers(1, min(3, n)))
        ends = sorted(self.draw(st.permutations(range(1, n)))[: count - 1])
        sizes = [b - a for a, b in zip([0, *ends], [*ends, n], strict=True)]
        said: tuple[int, ...] = tuple(sizes)
        if self.draw(st.booleans()):
            said = (*said[:-1], -233)
        params: Params = {0: said, 1: axis}
        if self.draw(st.booleans()) and count > 1:
            params = {2: tuple(ends), 1: axis}
        if self.draw(st.integers(0, 4)) == 0 and sizes[-1] > 1:
            fewer = [*sizes[:-1], sizes[-1] - 1]
            if any(m % 4 for m in fewer):  # else the runtime packs parts of what is not packed
                sizes = fewer
                params = {0: tuple(sizes), 1: axis}
        parts = self.cut("Slice", x, [with_extent(x.shape, axis, m) for m in sizes], params)
        if self.draw(st.integers(0, 2)) == 0:
            parts = self.draw(st.permutations(parts))
        said_axis = axis - len(x.shape) if self.draw(st.booleans()) else axis
        return self.join(parts, axis, said_axis)

    def join_and_cut(self, x: Value) -> Value:
        """A Concat, and a Slice along the same axis, in the same places or not."""
        axis = self.draw(st.integers(0, len(x.shape) - 1))
        y = self.add("AbsVal", x, x.shape)
        both = self.join([x, y], axis, axis)
        n = x.shape[axis]
        at = self.draw(st.sampled_from([n, n, n, *range(1, 2 * n)]))
        shapes = [with_extent(x.shape, axis, m) for m in (at, 2 * n - at)]
        first, second = self.cut("Slice", both, shapes, {0: (at, -233), 1: axis})
        self.outputs += [second.name] * self.draw(st.booleans())
        return first

    def join(self, parts: Sequence[Value], axis: int, said: int) -> Value:
        shape = with_extent(parts[0].shape, axis, sum(p.shape[axis] for p in parts))
        return self.add("Concat", parts, shape, {0: said})

    def nest(self, x: Value) -> Value:
        """A Concat of a Concat."""
        axis = self.draw(st.integers(0, len(x.shape) - 1))
        y = self.add("AbsVal", x, x.shape)
        inner = self.join([x, y], axis, axis)
        other = self.draw(st.sampled_from([axis, axis, 0]))
        parts = [inner, inner] if other != axis else [y, inner, x]
        return self.join(parts, other, other)

    def crops(self, x: Value) -> Value:
        """Crops that cut a blob into parts, or nearly; then their parts joined the other way."""
        if self.draw(st.booleans()):  # so that the extents are certain
            ids = RESHAPE_IDS[len(x.shape)]
            x = self.add("Reshape", x, x.shape, dict(zip(ids, x.shape, strict=True)))
        axis = self.draw(st.integers(0, len(x.shape) - 1))
        n = x.shape[axis]
        if n < 2:
            return x
        at = self.draw(st.integers(1, n - 1))
        start = self.draw(st.sampled_from([at, at, at, at - n, 0]))
        begin = start if start >= 0 else start + n
        end = self.draw(st.sampled_from([n, -233, 0, 2**31 - 1]))
        parts = [
            self.add(
                "Crop", x, with_extent(x.shape, axis, to - a), {9: (s,), 10: (e,), 11: (axis,)}
            )
            for a, to, s, e in ((0, at, 0, at), (begin, n, start, end))
        ]
        return self.join(parts[::-1], axis, axis)

    # -- nothing, or nearly

    def no_op(self, x: Value) -> Value:
        """One of the layers that do nothing, or of those that look so."""
        rank, shape = len(x.shape), x.shape
        extents = dict(zip(RESHAPE_IDS[rank], shape, strict=True))
        kinds: list[tuple[str, Params, bool]] = [
            ("Noop", {}, True),
            ("Dropout", {}, True),
            ("Power", {}, False),
            ("Padding", {}, True),
            ("Flip", {}, True),
            ("Flip", {0: (0,)}, True),
            ("Cast", {0: 1, 1: 1}, True),
            ("Tile", {0: 0, 1: 1}, True),
            ("Tile", {2: (1,) * rank}, True),
            ("ReLU", {0: 1.0}, True),
            ("ReLU", {0: 0.5}, True),
            ("Concat", {0: 0}, True),
            ("Slice", {0: (-233,)}, True),
            ("Slice", {0: (shape[0],)}, True),
            ("Crop", {9: (0,), 10: (-233,), 11: (-1,)}, True),
            ("Crop", {9: (0,) * rank, 10: (2**31 - 1,) * rank}, True),
            ("Crop", {9: (0,) * rank, 10: shape}, True),
            ("BinaryOp", {0: 0, 1: 1, 2: 0.0}, True),
            ("BinaryOp", {0: 1, 1: 1, 2: 0.0}, True),
            ("BinaryOp", {0: 2, 1: 1, 2: 1.0}, True),
            ("BinaryOp", {0: 3, 1: 1, 2: 1.0}, True),
            ("BinaryOp", {0: 2, 1: 1, 2: 0.5}, True),
            ("BinaryOp", {0: 7, 1: 1, 2: 0.0}, True),
        ]
        if rank in (2, 3):
            sized = {3: extents[H], 4: extents[W]}
            kinds += [("Interp", {0: kind, **sized}, True) for kind in (1, 2, 3)]
            kinds += [("Interp", {0: kind}, True) for kind in (1, 2, 3)]
        if rank in (2, 3, 4):
            pooling = {2: "Pooling1D", 3: "Pooling", 4: "Pooling3D"}[rank]
            kinds += [
                (pooling, {0: kind, 1: 1, 5: mode}, True) for kind in (0, 1) for mode in (0, 2)
            ]
            sizes = dict(zip((28, 18, 8)[3 - (rank - 1) :], shape[1:], strict=True))
            kinds.append((pooling, {0: 1, 7: 1, **sizes}, True))
        if rank > 2:
            kinds.append(("ShuffleChannel", {0: 1}, True))
            kinds.append(
                ("Crop", dict.fromkeys((3, 4, 5) if rank == 3 else (3, 4, 14, 5), -233), True)
            )
        if rank == 3:
            kinds += [("PixelShuffle", {0: 1}, True), ("Reorg", {0: 1}, True)]
        kind, params, exact = self.draw(st.sampled_from(kinds))
        return self.add(kind, x, shape, params, exact=exact)

    def left_over(self, x: Value) -> Value:
        """What a converter leaves behind, and what looks like it."""
        kinds: list[tuple[str, Params]] = [("Noop", {}), ("Dropout", {}), ("Dropout", {0: 0.5})]
        kind, params = self.draw(st.sampled_from(kinds))
        return self.add(kind, x, x.shape, params)

    def with_weights(self, x: Value) -> Value:
        """Layers whose weights do nothing, or nearly; a PReLU of one slope, or several."""
        n = x.shape[0]
        kind = self.draw(st.sampled_from(["Scale", "BatchNorm", "PReLU", "PReLU", "BinaryOp"]))
        same = self.draw(st.booleans())

        def ones(net: Net) -> None:
            values = net.positive(n)
            values[:] = 1.0 if same or n == 1 else values
            net.plain(values)

        def statistics(net: Net) -> None:
            ones(net)
            for values in (net.normal(n) * 0, net.positive(n) * 0 + 1, net.normal(n) * 0):
                net.plain(values)

        match kind:
            case "Scale":
                return self.add("Scale", x, x.shape, {0: n}, ones, exact=False)
            case "BatchNorm":
                return self.add("BatchNorm", x, x.shape, {0: n, 1: 0.0}, statistics, exact=False)
            case "PReLU":
                slopes = self.draw(st.sampled_from([1, n]))

                def slope(net: Net) -> None:
                    net.plain(net.positive(slopes) * (not same) + 0.25)

                return self.add("PReLU", x, x.shape, {0: slopes}, slope, exact=False)
            case _:
                shape = self.draw(st.sampled_from([(1,), (1,) * len(x.shape), x.shape]))

                def zeros(net: Net) -> None:
                    net.plain(net.normal(*shape) * (not same))

                ids = EXTENT_IDS[len(shape)]
                constant = self.add(
                    "MemoryData", (), shape, dict(zip(ids, shape, strict=True)), zeros
                )
                return self.add("BinaryOp", [x, constant], x.shape, {0: 0}, exact=False)

    def element_wise(self, x: Value) -> Value:
        kinds: list[tuple[str, Params, bool]] = [
            ("Sigmoid", {}, False),
            ("TanH", {}, False),
            ("BinaryOp", {0: 2, 1: 1, 2: -1.5}, False),
            ("Clip", {0: -1.0, 1: 1.5}, True),
            ("UnaryOp", {0: NEG}, True),
            ("UnaryOp", {0: NEG}, True),
            ("UnaryOp", {0: ABS}, True),
            ("UnaryOp", {0: SQUARE}, False),
            ("AbsVal", {}, True),
        ]
        if x.exact:
            kinds += [("UnaryOp", {0: op}, True) for op in (FLOOR, CEIL, ROUND, SIGN)] * 2
        kind, params, exact = self.draw(st.sampled_from(kinds))
        return self.add(kind, x, x.shape, params, exact=exact)

    # -- sums

    def reduction(self, x: Value) -> Value:
        rank = len(x.shape)
        axes = self.draw(st.sets(st.integers(0, rank - 1), min_size=1, max_size=rank))
        if rank > 2 and self.draw(st.booleans()):
            axes = set(range(1, rank))
        keep = self.draw(st.booleans())
        operation = self.draw(st.sampled_from([MEAN, MEAN, MAX, SUM, MIN]))
        shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape) if keep or i not in axes)
        said = tuple(a - rank if self.draw(st.booleans()) else a for a in sorted(axes))
        params: Params = {0: operation, 1: 0, 3: said, 4: int(keep), 5: 1}
        return self.add("Reduction", x, shape or (1,), params, exact=False)

    def reductions(self, x: Value) -> Value:
        """One axis after the other by the same operation."""
        operation = self.draw(st.sampled_from([MEAN, MEAN, MAX, SUM]))
        keep = self.draw(st.booleans())
        coefficient = self.draw(st.sampled_from([1.0, 1.0, 0.5]))
        for _ in range(2):
            rank = len(x.shape)
            axis = self.draw(st.integers(min(1, rank - 1), rank - 1))
            shape = (
                with_extent(x.shape, axis, 1) if keep else (*x.shape[:axis], *x.shape[axis + 1 :])
            )
            params: Params = {0: operation, 1: 0, 2: coefficient, 3: (axis,), 4: int(keep), 5: 1}
            x = self.add("Reduction", x, shape or (1,), params, exact=False)
        return x

    def global_pooling(self, x: Value) -> Value:
        kind = {2: "Pooling1D", 3: "Pooling", 4: "Pooling3D"}.get(len(x.shape))
        if kind is None:
            return x
        y = self.add(kind, x, x.shape[:1], {0: self.draw(st.integers(0, 1)), 4: 1}, exact=False)
        if self.draw(st.booleans()):
            y = self.pointwise(y)
        return self.draw(st.sampled_from([self.flatten, self.reshape, self.element_wise]))(y)

    def inner_product(self, x: Value) -> Value:
        n = self.draw(st.sampled_from([2, 4, 5]))
        inputs = x.shape[-1] if len(x.shape) == 2 and self.draw(st.booleans()) else prod(x.shape)
        rows = len(x.shape) == 2 and x.shape[1] == inputs
        shape = (x.shape[0], n) if rows else (n,)
        scale = inputs**-0.5

        def weights(net: Net) -> None:
            net.tagged(net.normal(n, inputs, scale=scale))

        return self.add("InnerProduct", x, shape, {0: n, 2: n * inputs}, weights, exact=False)

    def pointwise(self, x: Value) -> Value:
        """A 1x1 Convolution of a vector or an image."""
        if len(x.shape) not in (1, 3):
            return x
        n, inputs = self.draw(st.sampled_from([2, 4, 5])), x.shape[0]
        activation = self.draw(st.sampled_from([0, 1, 4]))
        scale = inputs**-0.5

        def weights(net: Net) -> None:
            net.tagged(net.normal(n, inputs, scale=scale))
            net.plain(net.normal(n))

        params: Params = {0: n, 1: 1, 5: 1, 6: n * inputs, 9: activation}
        return self.add("Convolution", x, (n, *x.shape[1:]), params, weights, exact=False)

    # -- two blobs

    def gate(self, x: Value) -> Value:
        """A BinaryOp with a blob of fewer dims that was reshaped for it, or with itself."""
        if len(x.shape) < 3:
            op = self.draw(st.sampled_from([0, 2]))
            return self.add("BinaryOp", [x, x], x.shape, {0: op}, exact=False)
        if self.draw(st.booleans()):  # so that the channels are certain
            x = self.pointwise(x)
        y = self.draw(st.sampled_from([self.pooled, self.mean_row]))(x)
        for _ in range(self.draw(st.integers(0, 2))):
            y = self.element_wise(y)
        pair = [x, y] if self.draw(st.booleans()) else [y, x]
        return self.add(
            "BinaryOp", pair, x.shape, {0: self.draw(st.sampled_from([0, 1, 2]))}, exact=False
        )

    def pooled(self, x: Value) -> Value:
        """The mean of each channel, with as many dims as the blob."""
        kind = {3: "Pooling", 4: "Pooling3D"}[len(x.shape)]
        y = self.add(kind, x, x.shape[:1], {0: 1, 4: 1}, exact=False)
        if self.draw(st.booleans()):
            y = self.element_wise(y)
        shape = with_extent((1,) * len(x.shape), 0, x.shape[0])
        ids = RESHAPE_IDS[len(x.shape)]
        return self.add("Reshape", y, shape, {id: -1 if id == C else 1 for id in ids})

    def mean_row(self, x: Value) -> Value:
        """The mean over all but the innermost axis, with as many dims as the blob."""
        rank = len(x.shape)
        axes = tuple(range(rank - 1))
        y = self.add("Reduction", x, x.shape[-1:], {0: MEAN, 1: 0, 3: axes, 5: 1}, exact=False)
        shape = (*(1,) * (rank - 1), x.shape[-1])
        return self.add("ExpandDims", y, shape, {3: axes})

    def negated(self, x: Value) -> Value:
        y = self.add("UnaryOp", x, x.shape, {0: NEG})
        z = self.add("TanH", x, x.shape, exact=False)
        pair = [y, z] if self.draw(st.booleans()) else [z, y]
        return self.add(
            "BinaryOp", pair, x.shape, {0: self.draw(st.sampled_from([0, 1, 7]))}, exact=False
        )

    def twice(self, x: Value) -> Value:
        """The same of the same, or nearly, and then both."""
        slopes = self.draw(st.sampled_from([(0.25, 0.25), (0.25, 0.5)]))
        y, z = (self.add("ELU", x, x.shape, {0: slope}, exact=False) for slope in slopes)
        if self.draw(st.booleans()):
            y, z = (self.add("Softmax", v, v.shape, {0: 0, 1: 1}, exact=False) for v in (y, z))
        return self.add("BinaryOp", [y, z], x.shape, {0: 1}, exact=False)


def with_extent(shape: Shape, axis: int, n: int) -> Shape:
    """A shape with another extent along an axis."""
    return (*shape[:axis], n, *shape[axis + 1 :])


PERMUTATIONS: dict[int, list[tuple[int, ...]]] = {
    1: [(0,)],
    2: [(0, 1), (1, 0)],
    3: [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)],
}
"""Which axis of the input each axis of the output is, outermost first, for each order of Permute
(the comments of src/layer/permute.cpp, which count from the innermost)."""

PERMUTATIONS[4] = [(0, *(axis + 1 for axis in order)) for order in PERMUTATIONS[3]]
"""Of the 24 orders of 4 dims those that leave the outermost axis."""

STEPS: Mapping[str, Callable[[Moves, Value], Value]] = {
    name: getattr(Moves, name)
    for name in (
        "reshape", "flatten", "squeeze", "expand_dims", "permute", "permute_back",
        "cut_and_join", "join_and_cut", "nest", "crops", "no_op", "left_over", "with_weights",
        "element_wise", "reduction", "reductions", "global_pooling", "inner_product", "pointwise",
        "gate", "negated", "twice",
    )
}  # fmt: skip

MOST = 400
"""Elements of a blob, so that models stay small."""


@dataclass(frozen=True)
class Drawn:
    """A model, and how it came about."""

    net: Net
    steps: tuple[str, ...]


@st.composite
def drawn(draw: st.DrawFn, steps: Sequence[str] = tuple(STEPS), rank: int | None = None) -> Drawn:
    """A model of one input (of so many dims) and some steps. Of its extents the file says nothing,
    or those that it has, or others: the runtime takes what comes."""
    extents = st.sampled_from([1, 2, 3, 4, 5, 8])
    shape = tuple(draw(st.lists(extents, min_size=rank or 1, max_size=rank or 4)))
    while prod(shape) > MOST:
        shape = shape[1:]
    others = tuple(draw(st.sampled_from([n, n, 1, 2, 4])) for n in shape)
    declared = draw(st.sampled_from([None, shape, shape, others]))
    moves = Moves(draw)
    x = moves.input(shape, declared)
    done: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from(steps))
        y = STEPS[name](moves, x)
        done.append(name)
        if prod(y.shape) > MOST:
            break
        if draw(st.integers(0, 5)) == 0 and y is not x:
            moves.outputs.append(y.name)
        x = y
    return Drawn(moves.build(draw(st.integers(0, 999))), tuple(done))
