"""Each layer in batches of blobs of 1 to 4 dims: batches go where the layer does the same with an
axis more, and stay elsewhere; the outputs are the same in the real runtime."""

from collections.abc import Callable, Iterator, Sequence
from math import prod
from pathlib import Path

import numpy as np
import pytest

from .batches import PARAMS
from .driver import Trial
from .nets import Array, Net, Number, Params
from .runtime import Runtime
from .sketches import Sketch

Shape = tuple[int, ...]

Layers = Callable[[Sketch, str, Shape], tuple[str, Shape]]
"""Puts layers on a batch of blobs of a shape; returns the result and its shape."""

COUNT = 3
"""Blobs in a batch."""

SHAPES: dict[int, Shape] = {1: (4,), 2: (2, 4), 3: (5, 2, 4), 4: (2, 5, 3, 4)}
"""By rank. No extent is the number of blobs, but in the last."""


def weights(*parts: Sequence[int] | int, tagged: bool = True) -> Callable[[Net], None]:
    """Write weights of these shapes, the first of them with a tag."""

    def weigh(net: Net) -> None:
        for i, shape in enumerate(parts):
            values = net.normal(*shape) if isinstance(shape, Sequence) else net.normal(shape)
            (net.tagged if tagged and i == 0 else net.plain)(values)

    return weigh


def same(
    kind: str, params: Params | str | None = None, weigh: Callable[[Net], None] = weights()
) -> Layers:
    """A layer that keeps the shape."""
    return lambda sketch, x, shape: (sketch.layer(kind, x, params, weigh), shape)


def values_of(*shape: int) -> Array:
    return np.random.default_rng(3).standard_normal(shape).astype("f4")


def combined(kind: str, other: Shape, params: Params, first: bool = True) -> Layers:
    """The batch and a constant."""

    def layers(sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
        constant = sketch.constant(values_of(*other))
        return sketch.layer(kind, [x, constant] if first else [constant, x], params), shape

    return layers


def twice(kind: str, params: Params, after: Callable[[Shape], Shape] = lambda s: s) -> Layers:
    """The batch and what is made of it."""

    def layers(sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
        return sketch.layer(kind, [x, sketch.layer("TanH", x)], params), after(shape)

    return layers


def cut(axis: int) -> Layers:
    def layers(sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
        parts = sketch.cut("Slice", x, 2, f"-23300=2,1,{shape[axis] - 1} 1={axis}")
        return sketch.layer("Concat", parts[::-1], {0: axis}), shape

    return layers


def reshaped(new: Shape) -> Layers:
    params = dict(zip(PARAMS[len(new)], new, strict=True))
    return lambda sketch, x, shape: (sketch.layer("Reshape", x, params), new)


def gemm(extra: dict[int, Number]) -> Layers:
    """A Gemm of rows of 4 with a constant matrix."""
    params: dict[int, Number] = {3: 1, 4: 0, 5: 1, 6: 1, 7: 0, 8: 3, 9: 4, 10: -1, **extra}

    def layers(sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
        return sketch.layer("Gemm", x, params, weights((3, 4))), (shape[0], 3)

    return layers


def batch_norm(channels: int) -> Layers:
    def weigh(net: Net) -> None:
        for make in (net.normal, net.normal, net.positive, net.normal):
            net.plain(make(channels))

    return same("BatchNorm", {0: channels, 1: 1e-3}, weigh)


def attention(extra: Params, mask: Shape | None = None) -> Layers:
    def layers(sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
        reads = [x, x, x]
        if mask is not None:
            reads.append(sketch.constant(values_of(*mask)))
        return sketch.layer("SDPA", reads, {6: 0.4, 5: int(mask is not None), **extra}), shape

    return layers


def multi_head(mask: Shape | None = None, scale: float = 0.5) -> Layers:
    """Two heads of two features each, of rows of 4."""

    def layers(sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
        def weigh(net: Net) -> None:
            for _ in range(4):
                net.tagged(net.normal(4, 4, scale=0.5))
                net.plain(net.normal(4))

        reads = [x] if mask is None else [x, sketch.constant(values_of(*mask))]
        params: dict[int, Number] = {0: 4, 1: 2, 2: 16, 3: 4, 4: 4, 6: scale}
        if mask is not None:
            params[5] = 1
        return sketch.layer("MultiHeadAttention", reads, params, weigh), shape

    return layers


def without() -> Iterator[tuple[str, int, Layers]]:
    """Layers for which a batch is done without: name, rank, and the layers."""
    for rank, shape in SHAPES.items():
        yield "relu", rank, same("ReLU")
        yield "flatten", rank, lambda s, x, n: (s.layer("Flatten", x), (prod(n),))
        yield "scalar", rank, same("BinaryOp", {0: 2, 1: 1, 2: 0.7})
        yield "sum", rank, twice("BinaryOp", {0: 0})
        yield "largest", rank, twice("Eltwise", {0: 2})
        yield "noop", rank, same("Noop")
        yield "sum-of-innermost", rank, combined("BinaryOp", shape[-1:], {0: 1})
        for size in range(1, rank if rank < 4 else 1):
            yield f"sum-of-{size}-outermost", rank, combined("BinaryOp", shape[:size], {0: 1})
        if rank < 4:
            yield "sum-of-all", rank, combined("BinaryOp", shape, {0: 1}, first=False)
            yield "channels", rank, batch_norm(shape[0])
        yield (
            "layernorm",
            rank,
            same("LayerNorm", {0: 4, 1: 0.1, 2: 1}, weights(4, 4, tagged=False)),
        )
        yield "rmsnorm", rank, same("RMSNorm", {0: 4, 1: 0.1, 2: 1}, weights(4, tagged=False))
        for axis in range(rank == 4, rank):
            yield f"softmax-{axis}", rank, same("Softmax", {0: axis, 1: 1})
            yield f"softmax-{axis - rank}", rank, same("Softmax", {0: axis - rank, 1: 1})
        for axis in range(rank):
            if shape[axis] > 1:
                yield f"cut-{axis}", rank, cut(axis)
    yield "sum-of-each-alike", 4, combined("BinaryOp", (1, 5, 3, 4), {0: 1})
    yield "reshape", 2, reshaped((8,))
    yield "reshape", 3, reshaped((2, 5, 4))
    yield "reshape", 1, reshaped((1, 2, 1, 2))
    yield "matmul", 2, twice("MatMul", {0: 1}, lambda s: (s[0], s[0]))
    yield "matmul", 3, twice("MatMul", {0: 1}, lambda s: (s[0], s[1], s[1]))
    yield "gemm", 2, gemm({})
    inner = {0: 3, 2: 12, 1: 1}
    yield (
        "innerproduct",
        2,
        lambda s, x, n: (
            s.layer("InnerProduct", x, inner, weights((3, 4), 3)),
            (n[0], 3),
        ),
    )
    yield (
        "innerproduct",
        1,
        lambda s, x, n: (
            s.layer("InnerProduct", x, inner, weights((3, 4), 3)),
            (3,),
        ),
    )
    yield "matmul-of-one", 2, combined("MatMul", (4, 4), {0: 1}, first=True)
    yield "attention", 3, attention({})
    yield "attention-mask", 3, attention({}, (2, 2))
    yield "attention-mask-of-each-head", 3, attention({}, (5, 2, 2))
    yield "heads", 2, multi_head()
    yield "heads-mask", 2, multi_head((2, 2))
    yield "heads-mask-of-each", 2, multi_head((2, 2, 2))


def with_() -> Iterator[tuple[str, int, Layers]]:
    """Layers for which a batch stays."""
    for rank in SHAPES:
        yield "cumulativesum", rank, same("CumulativeSum", {0: 0})
    yield "softmax-outermost", 4, same("Softmax", {0: 0, 1: 1})
    yield "softmax-outermost", 4, same("Softmax", {0: -4, 1: 1})
    yield "channels", 4, batch_norm(2)
    for size in (1, 2, 3, 4):
        yield f"sum-of-{size}-outermost", 4, combined("BinaryOp", SHAPES[4][:size], {0: 1})
    yield "largest-of-constant", 2, combined("Eltwise", SHAPES[2], {0: 2})
    yield "layernorm-of-all", 3, same("LayerNorm", {0: 8, 1: 0.1, 2: 0})
    yield (
        "gemm-turned",
        2,
        lambda s, x, n: (
            s.layer("Gemm", x, {2: 1, 5: 1, 6: 1, 8: 3, 9: 2, 10: -1}, weights((2, 3))),
            (4, 3),
        ),
    )
    yield (
        "gemm-turned-after",
        2,
        lambda s, x, n: (
            s.layer("Gemm", x, {3: 1, 5: 1, 6: 1, 8: 3, 9: 4, 10: -1, 14: 1}, weights((3, 4))),
            (3, 2),
        ),
    )
    yield "heads-scale", 2, multi_head(scale=-0.5)


def build(rank: int, layers: Layers, place: int) -> Net:
    """A blob of a certain size as a batch along an axis, layers, and a blob again with the batch at
    another axis. A batch of blobs of 4 dims is made of one of vectors."""
    sketch, shape = Sketch(rank), SHAPES[rank]
    first = shape if rank < 4 else (prod(shape),)
    axis = place % (len(first) + 1)
    whole = (*first[:axis], COUNT, *first[axis:])
    rows, columns = whole[0], prod(whole[1:])
    x = sketch.input((2, 3, 5))
    x = sketch.layer("Convolution", x, {0: rows, 1: 1, 6: 2 * rows}, weights((rows, 2)))
    x = sketch.layer("Pooling", x, {0: 1, 7: 1, 8: columns, 18: 1})
    x = sketch.layer("Reshape", x, dict(zip(PARAMS[len(whole)], whole, strict=True)) | {13: axis})
    if rank == 4:
        x, _ = reshaped(shape)(sketch, x, first)
    x, after = layers(sketch, x, shape)
    if len(after) == 4:
        x, after = reshaped((prod(after),))(sketch, x, after)
    inner = (place + 1) % (len(after) + 1)
    whole = (*after[:inner], COUNT, *after[inner:])
    x = sketch.layer("Reshape", x, dict(zip(PARAMS[len(whole)], whole, strict=True)) | {12: inner})
    sketch.layer("AbsVal", x)
    return sketch.build()


CASES = [(*case, False) for case in without()] + [(*case, True) for case in with_()]


@pytest.mark.parametrize(
    ("name", "rank", "layers", "stays", "place"),
    [(*case, place) for place, case in enumerate(CASES)],
    ids=[f"{name}-of-{rank}" for name, rank, *_ in CASES],
)
def test_layer(
    name: str,
    rank: int,
    layers: Layers,
    stays: bool,
    place: int,
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    trial = Trial(build(rank, layers, place), runtime, tmp_path, others=0)
    assert trial.is_evidence
    checked = trial.after(("eliminate-split", "eliminate-batches"))
    lines = [line.split() for line in checked.param.read_text().splitlines()]
    batches = [line[1] for line in lines if any(p[:3] in ("12=", "13=") for p in line[4:])]
    assert bool(batches) == stays
    assert checked.is_stable()
