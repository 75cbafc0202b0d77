"""Single layers of models made models of any size: the result computes at other sizes what the
model of that size does; what follows no size stays as it is, or is named."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from .compiler import command
from .nets import Net, Number, Params
from .runtime import Runtime
from .sized import SizedNet, grid
from .sized_models import (
    batch_of_one,
    batches_of_one,
    before_its_like,
    four_dims_and_a_number,
    through_a_vector,
    vector_and_table,
    volumes,
)
from .test_dynamic import MAPS, SEQUENCES, assert_of_any_size

Make = Callable[..., Net]


def layer(kind: str, params: Callable[[int, int], Params | str], tops: int = 1) -> Make:
    """A model of two channels with one layer between activations, whose parameters follow the
    size."""

    def make(h: int, w: int) -> Net:
        net = SizedNet((2, h, w))
        net.layer("TanH", "in0", "x")
        parts = [f"y{i}" for i in range(tops)]
        net.layer(kind, "x", parts, params(h, w))
        for i, part in enumerate(parts):
            net.layer("ReLU", part, f"out{i}", {0: 0.5})
        return net

    return make


def on_map(values: Callable[[int, int], NDArray[Any]], op: int = 0, kind: str = "BinaryOp") -> Make:
    """A map and a constant."""

    def make(h: int, w: int) -> Net:
        net = SizedNet((2, h, w))
        net.layer("TanH", "in0", "x")
        net.constant("c", values(h, w).astype("f4"))
        net.layer(kind, ["x", "c"], "out0", {0: op})
        return net

    return make


def on_rows(values: Callable[[int], NDArray[Any]], width: int = 8) -> Make:
    """A sequence of rows and a constant."""

    def make(steps: int) -> Net:
        net = SizedNet((steps, width))
        net.layer("TanH", "in0", "x")
        net.add("x", values(steps).astype("f4"), "out0")
        return net

    return make


def pool(params: Callable[[int, int], dict[int, Number]]) -> Make:
    return layer("Pooling", lambda h, w: {0: 1, **params(h, w)})


def interp(h_times: int, w_times: int) -> Make:
    return layer("Interp", lambda h, w: {0: 2, 3: h_times * h, 4: w_times * w})


def joined(axis: int, resize: str) -> Make:
    """A smaller map at the size of another one, joined with it along an axis, through a layer that
    keeps the shape."""

    def make(h: int, w: int) -> Net:
        net = SizedNet((2, h, w))
        net.layer("Pooling", "in0", "small", {0: 0, 1: 2, 2: 2, 5: 1})
        net.layer("Interp", "small", "up", {0: 1, 3: h, 4: w})
        net.layer("Sigmoid", "up", "gate")
        both = ["gate", "in0"]
        if resize == "Concat":
            net.layer("Concat", both, "out0", {0: axis})
        else:
            net.layer(resize, both, "out0", {0: 1})
        return net

    return make


FOLLOWS: dict[str, tuple[Make, str, Sequence[tuple[int, ...]]]] = {
    "mean": (pool(lambda h, w: {1: w, 11: h}), "in0=h,w", MAPS),
    "mean of columns": (pool(lambda h, w: {1: 1, 11: h, 2: 1, 12: 1}), "in0=h,w", MAPS),
    "mean of rows": (pool(lambda h, w: {1: w, 11: 1, 2: 1, 12: 1}), "in0=h,w", MAPS),
    "largest of rows": (
        layer("Pooling", lambda h, w: {0: 0, 1: w, 11: 1, 2: 3, 12: 1}), "in0=h,w", MAPS
    ),
    "sliding": (pool(lambda h, w: {1: 3, 11: 2, 2: 2, 12: 1, 5: 1}), "in0=h,w", MAPS),
    "thirds": (
        layer("Slice", lambda h, w: {0: (h // 3,) * 3, 1: 1}, 3), "in0=3*h,w",
        ((12, 16), (9, 7), (24, 20)),
    ),
    "all but the last row": (
        layer("Slice", lambda h, w: {2: (-1,), 1: 1}, 2), "in0=h,w", MAPS
    ),
    "halves from the end": (
        layer("Slice", lambda h, w: {0: (w // 2,) * 2, 1: -1}, 2), "in0=h,2*w",
        ((12, 16), (9, 6), (5, 30)),
    ),
    "channels apart": (layer("Slice", lambda h, w: {0: (1, 1), 1: 0}, 2), "in0=h,w", MAPS),
    "without the first row": (
        layer("Crop", lambda h, w: {9: (1,), 10: (h,), 11: (1,)}), "in0=h,w", MAPS
    ),
    "without the last but one": (
        layer("Crop", lambda h, w: {9: (0, 2), 10: (1, w), 11: (0, 2)}), "in0=h,w", MAPS
    ),
    "of all axes": (
        layer("Crop", lambda h, w: {9: (0, 1, 3), 10: (2, h, w)}), "in0=h,w", MAPS
    ),
    "from a start that is absent": (
        layer("Crop", lambda h, w: {9: (-233, 1), 10: (-2, w), 11: (1, 2)}), "in0=h,w", MAPS
    ),
    "from the end on": (
        layer("Crop", lambda h, w: {9: (1,), 10: (w,), 11: (-1,)}), "in0=h,w", MAPS
    ),
    "by offsets": (
        layer("Crop", lambda h, w: {0: 1, 1: 2, 2: 0, 3: w - 1, 4: h - 2, 5: 2}), "in0=h,w", MAPS
    ),
    "four columns": (
        layer("Crop", lambda h, w: {9: (1,), 10: (5,), 11: (2,)}), "in0=h,w", MAPS
    ),
    "twice as wide": (interp(1, 2), "in0=h,w", MAPS),
    "three times as high": (interp(3, 1), "in0=h,w", MAPS),
    "beside": (joined(0, "Concat"), "in0=2*h,2*w", ((12, 16), (8, 6), (24, 20))),
    "sum": (joined(0, "Eltwise"), "in0=2*h,2*w", ((12, 16), (8, 6), (24, 20))),
    "product": (joined(0, "BinaryOp"), "in0=2*h,2*w", ((12, 16), (8, 6), (24, 20))),
    "a map that comes later": (before_its_like, "in0=h,w", MAPS),
    "a batch of one": (batch_of_one, "in0=h,w", MAPS),
    "batches of one": (batches_of_one, "in0=h,w", MAPS),
    "volumes": (volumes, "in0=h,w", MAPS),
    "four dims and a number": (four_dims_and_a_number, "in0=h,w", MAPS),
    "through a vector": (through_a_vector, "in0=h,w", MAPS),
    "vector": (vector_and_table, "in0=w", SEQUENCES),
    "the same everywhere": (on_map(lambda h, w: np.full((2, h, w), 3)), "in0=h,w", MAPS),
    "by channel": (
        on_map(lambda h, w: np.array([1.7, -2.3])[:, None, None] * np.ones((1, h, w)), 2), "in0=h,w",  # noqa: E501
        MAPS,
    ),
    "by row": (on_map(lambda h, w: np.arange(h).reshape(1, h, 1) - 2.0), "in0=h,w", MAPS),
    "by row, none first": (on_map(lambda h, w: np.arange(1, h + 1).reshape(1, h, 1)), "in0=h,w",
                           MAPS),
    "by column and channel": (
        on_map(lambda h, w: np.array([1, -3])[:, None, None] * np.arange(w).reshape(1, 1, w)),
        "in0=h,w", MAPS,
    ),
    "by both": (on_map(lambda h, w: grid(h, w, 2.0, 0.25).reshape(2, h, w)), "in0=h,w", MAPS),
    "larger of both": (
        on_map(lambda h, w: grid(h, w, 0.0, 4.0).reshape(2, h, w), 2, "Eltwise"), "in0=h,w", MAPS
    ),
    "counted rows": (on_rows(lambda n: np.arange(n)[:, None] * np.arange(8) - 1.0), "in0=h",
                     SEQUENCES),
    "counted backwards": (on_rows(lambda n: -np.arange(n)[:, None] * 0.5), "in0=h", SEQUENCES),
}  # fmt: skip


AMBIGUOUS = {"without the last but one", "of all axes", "by offsets", "four columns"}
"""Models with a number that may follow the size or not: a second export decides."""


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_follows_the_size(name: str, runtime: Runtime, tmp_path: Path) -> None:
    make, axes, sizes = FOLLOWS[name]
    result, options = tmp_path / "any.param", ["--dynamic", axes]
    first = make(*sizes[0]).write(tmp_path)
    if name in AMBIGUOUS:
        with pytest.raises(SystemExit):
            command(first, *options, "-o", result)
        (tmp_path / "other").mkdir()
        options += ["--other-export", str(make(*sizes[1]).write(tmp_path / "other"))]
    command(first, *options, "-o", result)
    assert_of_any_size(result, make, sizes, runtime, tmp_path)


def uneven(places: tuple[int | None, ...]) -> Make:
    """Parts of a sequence, of which one (`None`) is what is left."""

    def make(steps: int) -> Net:
        net = SizedNet((steps, 3))
        left = steps - sum(n for n in places if n is not None)
        sizes = tuple(left if n is None else n for n in places)
        parts = [f"p{i}" for i in range(len(places))]
        net.layer("Slice", "in0", parts, {0: sizes, 1: 0})
        for i, part in enumerate(parts):
            net.layer("ReLU", part, f"r{i}", {0: float(i)})
        net.layer("Concat", [f"r{i}" for i in reversed(range(len(parts)))], "out0", {0: 0})
        return net

    return make


def table(axis: int) -> Make:
    """A part of a table of learnt values."""

    def make(steps: int) -> Net:
        net = SizedNet((steps, 6) if axis == 0 else (6, steps))
        values = net.normal(40, 6) if axis == 0 else net.normal(6, 40)
        net.layer("TanH", "in0", "x")
        net.add("x", values[:steps] if axis == 0 else values[:, :steps], "out0", 2)
        return net

    return make


def windows(size: int) -> Make:
    def make(steps: int) -> Net:
        net = SizedNet((steps, 6))
        net.flat("in0", "a", steps // size, size, 6)
        net.layer("Softmax", "a", "b", {0: 1, 1: 1})
        net.flat("b", "out0", steps, 6)
        return net

    return make


STEPS = ((12,), (40,), (16,), (8,), (36,))

BY_TWO: dict[str, tuple[Make, str]] = {
    "the first part": (uneven((None, 2, 3)), "in0=h"),
    "a part between": (uneven((2, None, 1)), "in0=h"),
    "the last part": (uneven((2, 1, None)), "in0=h"),
    "rows of a table": (table(0), "in0=h"),
    "columns of a table": (table(1), "in0=w"),
    "windows": (windows(4), "in0=4*h"),
    "windows as many as rows": (windows(2), "in0=2*h"),
    "thirds of a step": (on_rows(lambda n: np.arange(n)[:, None] / 3), "in0=h"),
}


@pytest.mark.parametrize(
    ("name", "swapped"),
    # A table is for sizes up to the larger one, which must not be the first.
    [(name, swapped) for name in BY_TWO for swapped in (False, True)[: 2 - ("table" in name)]],
)
def test_what_two_exports_show(name: str, swapped: bool, runtime: Runtime, tmp_path: Path) -> None:
    make, axes = BY_TWO[name]
    first, second = STEPS[1::-1] if swapped else STEPS[:2]
    result = tmp_path / "any.param"
    other = make(*second).write(tmp_path, "other")
    command(make(*first).write(tmp_path), "--dynamic", axes, "--other-export", other, "-o", result)
    assert_of_any_size(result, make, STEPS, runtime, tmp_path)


STAYS: dict[str, Make] = {
    "padded window": pool(lambda h, w: {1: w, 11: h, 3: 1, 13: 1, 5: 1}),
    "window padded at one side": pool(lambda h, w: {1: w, 11: h, 15: 1, 5: 1}),
    "part of an axis": layer("Crop", lambda h, w: {9: (1,), 10: (w - 1,), 11: (2,)}),
    "a row": layer("Crop", lambda h, w: {9: (2,), 10: (3,), 11: (1,)}),
    "box": layer("Crop", lambda h, w: {0: 1, 1: 1, 2: 0, 3: w - 2, 4: h - 2, 5: 2}),
    "box that ends before": layer(
        "Crop", lambda h, w: {0: 1, 1: 0, 2: 0, 3: w - 3, 4: h, 5: 2, 6: 1}
    ),
    "ends from the end": layer("Crop", lambda h, w: {9: (1,), 10: (-1,), 11: (2,)}),
}
"""What may not be taken for the whole extent."""


@pytest.mark.parametrize("name", STAYS)
def test_the_export_computes_what_it_did(
    name: str, runtime: Runtime, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, result = STAYS[name], tmp_path / "any.param"
    try:
        command(make(12, 16).write(tmp_path), "--dynamic", "in0=h,w", "-o", result)
    except SystemExit:
        assert "the shapes cannot be dynamic: " in capsys.readouterr().err
        assert not result.exists()
    else:
        assert_of_any_size(result, make, [(12, 16)], runtime, tmp_path)


def positions(count: float, axis: int = 2) -> Make:
    """Steps that together are so much."""

    def values(h: int, w: int) -> NDArray[Any]:
        n = (2, h, w)[axis]
        shape = [1, 1, 1]
        shape[axis] = n
        return (np.arange(n) * count).reshape(shape)

    return on_map(values)


REFUSED: dict[str, Make] = {
    "steps of 1/w": positions(1 / 16),
    "steps of 2/w": positions(2 / 16),
    "steps of 1/(w-1)": positions(1 / 32, 2),
    "steps of -2/w": positions(-2 / 16),
    "steps of 1/h": positions(1 / 8, 1),
    "thirds": positions(1 / 3),
    "one other value": on_map(lambda h, w: np.eye(1, w, 3).reshape(1, 1, w)),
    "other steps in each row": on_map(lambda h, w: np.outer(np.arange(h), np.arange(w))[None]),
    "learnt": on_map(lambda h, w: np.random.default_rng(0).standard_normal((2, h, w))),
    "learnt by row": on_map(lambda h, w: np.random.default_rng(0).standard_normal((1, h, 1))),
    "unequal parts": layer("Slice", lambda h, w: {0: (w - 3, 3), 1: 2}, 2),
    "parts of an odd extent": layer("Slice", lambda h, w: {0: (h // 2, h // 2), 1: 1}, 2),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_one_export_does_not_show(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size = (8, 33) if "w-1" in name else (8, 16)
    result = tmp_path / "any.param"
    with pytest.raises(SystemExit):
        command(REFUSED[name](*size).write(tmp_path), "--dynamic", "in0=h,w", "-o", result)
    error = capsys.readouterr().err
    assert (
        "the shapes cannot be dynamic: MemoryData 'c'" in error
        or "the shapes cannot be dynamic: Slice 'y0'" in error
    )
    assert not result.exists()


@pytest.mark.parametrize("slopes", [(0.25, 0.5), (0.5, 0.25)])
def test_exports_that_differ_otherwise(
    slopes: tuple[float, float], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    params: list[Path] = []
    for size, slope in zip((8, 12), slopes, strict=True):
        net = SizedNet((2, size, size))
        net.layer("ReLU", "in0", "out0", {0: slope})
        params.append(net.write(tmp_path, f"n{size}"))
    with pytest.raises(SystemExit):
        command(
            params[0],
            "--dynamic",
            "in0=h,w",
            "--other-export",
            params[1],
            "-o",
            tmp_path / "y.param",
        )
    message = f"ReLU 'out0': slope is {slopes[0]}, and {slopes[1]} in the other export"
    assert message in capsys.readouterr().err


def test_constants_that_differ_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of an axis that does not follow the size, the values must be the same."""

    def write(size: int, first: float) -> Path:
        net = SizedNet((2, size, size))
        net.add("in0", np.array([first, 2], "f4").reshape(2, 1, 1), "out0")
        return net.write(tmp_path, f"n{size}_{first}")

    result = tmp_path / "y.param"
    command(write(8, 1), "--dynamic", "in0=h,w", "--other-export", write(12, 1), "-o", result)
    with pytest.raises(SystemExit):
        command(write(8, 1), "--dynamic", "in0=h,w", "--other-export", write(12, 3), "-o", result)
    error = capsys.readouterr().err
    assert "MemoryData 'out0_c': its values are others in the other export" in error


def test_sizes_of_all_inputs_must_be_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net = SizedNet((2, 8, 8))
    net.bare_input("in1", (2, 8, 8), declared=False)
    net.layer("BinaryOp", ["in0", "in1"], "out0", {0: 0})
    with pytest.raises(SystemExit):
        command(net.write(tmp_path), "--dynamic", "in0=h,w", "-o", tmp_path / "y.param")
    error = capsys.readouterr().err
    assert "the shape of 'in1' that the model was exported for is not known" in error
