"""Constants that may follow the size are refused, and the layer is named; near misses, and those
that two exports show, become what they are at any size."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .compiler import command
from .runtime import Failure, Runtime
from .sized import SizedNet

Sized = Callable[[int, int], SizedNet]


def combined(values: Callable[[int, int], object], op: int = 0) -> Sized:
    """A map of 3 channels combined with a constant."""

    def make(h: int, w: int) -> SizedNet:
        net = SizedNet((3, h, w))
        net.add("in0", np.asarray(values(h, w), "f4"), "out0", op)
        return net

    return make


def channels(*values: float) -> Sized:
    """A map with a number for each channel, and one more for the last: its width."""

    def make(h: int, w: int) -> SizedNet:
        net = SizedNet((len(values) + 1, h, w))
        net.add("in0", np.array([*values, w], "f4")[:, None, None], "out0")
        return net

    return make


def layer(kind: str, params: Callable[[int, int], dict[int, object]]) -> Sized:
    """One layer on a map of 3 channels."""

    def make(h: int, w: int) -> SizedNet:
        net = SizedNet((3, h, w))
        net.layer(kind, "in0", "out0", params(h, w))  # pyright: ignore[reportArgumentType]
        return net

    return make


def tokens(h: int, w: int) -> SizedNet:
    """The positions as rows beside 4 more, and cut off again in front of these."""
    net = SizedNet((3, h, w))
    net.flat("in0", "a", 3, h * w)
    net.constant("more", net.normal(3, 4))
    net.layer("Concat", ["a", "more"], "b", {0: 1})
    net.layer("Slice", "b", ["c", "d"], {0: (h * w, -233), 1: 1})
    net.layer("BinaryOp", ["c", "a"], "e", {0: 0})
    net.flat("e", "out0", 3, h, w)
    return net


def two_levels(h: int, w: int) -> SizedNet:
    """Two maps joined, and apart again: where they are apart needs an expression."""
    net = SizedNet((3, h, w))
    net.conv("in0", "small", 3, 3, 2)
    net.flat("in0", "a", 3, h * w)
    net.flat("small", "b", 3, ((h + 1) // 2) * ((w + 1) // 2))
    net.layer("Concat", ["b", "a"], "c", {0: 1})
    net.layer("Slice", "c", ["d", "e"], {0: (((h + 1) // 2) * ((w + 1) // 2), -233), 1: 1})
    net.layer("Reduction", "d", "f", {0: 3, 1: 0, 3: (1,), 4: 1, 5: 1})
    net.layer("BinaryOp", ["e", "f"], "g", {0: 1})
    net.flat("g", "out0", 3, h, w)
    return net


def folded(h: int, w: int) -> SizedNet:
    """Positions of 2x2 channels become finer positions: (2, 2, 2, h*w) to (2*h, w, 2, 2)."""
    net = SizedNet((8, h, w))
    net.flat("in0", "a", 2, 2, 2, h * w)
    net.layer("Permute", "a", "b", {0: 4})
    net.flat("b", "c", 2 * h, w, 2, 2)
    net.layer("Permute", "c", "d", {0: 2})
    net.flat("d", "out0", 2, 2 * h, 2 * w)
    return net


def more_positions(h: int, w: int) -> SizedNet:
    """A constant of as many positions as there are columns, behind all positions."""
    net = SizedNet((3, h, w))
    net.flat("in0", "a", 3, h * w)
    net.constant("more", net.normal(3, w))
    net.layer("Concat", ["a", "more"], "out0", {0: 1})
    return net


def deconvolved(params: Callable[[int, int], dict[int, int]]) -> Sized:
    """A map of twice the size."""

    def make(h: int, w: int) -> SizedNet:
        net = SizedNet((3, h, w))
        net.layer("Deconvolution", "in0", "out0", {0: 3, 1: 3, 3: 2, 6: 81, **params(h, w)})
        net.tagged(net.normal(3, 3, 3, 3))
        return net

    return make


ASKED = deconvolved(lambda h, w: {4: -233, 14: -233, 20: 2 * w, 21: 2 * h})
"""The layer names the size."""


KNOWN: list[tuple[Sized, str, tuple[int, int]]] = [
    (tokens, "in0=h,w", (6, 10)),
    (two_levels, "in0=h,w", (6, 10)),
    (folded, "in0=h,w", (4, 12)),
    (folded, "in0=h,w", (3, 10)),
    (layer("Crop", lambda h, w: {9: (1, 1), 10: (-1, -1), 11: (1, 2)}), "in0=h,w", (9, 12)),
    (layer("Crop", lambda h, w: {9: (2,), 10: (-2,), 11: (1,)}), "in0=h,w", (9, 12)),
    (combined(lambda h, w: np.full((1, 1, w), 7.0)), "in0=h,w", (9, 12)),
    (combined(lambda h, w: np.arange(w).reshape(1, 1, w)), "in0=h,w", (9, 12)),
    (combined(lambda h, w: np.arange(w).reshape(1, 1, w) / 4), "in0=h,w", (9, 12)),
    (layer("BinaryOp", lambda h, w: {0: 2, 1: 1, 2: 0.125}), "in0=h,w", (10, 12)),
    (layer("Clip", lambda h, w: {0: 0.0, 1: 6.0}), "in0=h,w", (7, 6)),
    (layer("Crop", lambda h, w: {9: (1,), 10: (h,), 11: (1,)}), "in0=h,w", (5, 12)),
    (layer("Power", lambda h, w: {1: 1.0, 2: 0.7}), "in0=h,w", (9, 3)),
    (deconvolved(lambda h, w: {4: 1, 18: 1}), "in0=h,w", (9, 12)),
]
"""Models that are known at any size, axes, and the size of the export."""


@pytest.mark.parametrize(("make", "axes", "size"), KNOWN)
def test_known_constants_are_right(
    make: Sized, axes: str, size: tuple[int, int], runtime: Runtime, tmp_path: Path
) -> None:
    result = tmp_path / "any.param"
    command(make(*size).write(tmp_path), "--dynamic", axes, "-o", result)
    for at in (size, (14, 13), (8, 10), (11, 5)):
        net = make(*at)
        expected = runtime.run(net.write(tmp_path, "sized"), net.inputs, ["out0"], light_mode=False)
        blobs = runtime.run(result, net.inputs, ["out0"])
        assert not isinstance(expected, Failure), at
        assert not isinstance(blobs, Failure), (at, blobs)
        np.testing.assert_allclose(blobs["out0"], expected["out0"], rtol=1e-5, atol=1e-5)


UNKNOWN: list[tuple[Sized, tuple[int, int], str]] = [
    (
        layer("Pooling", lambda h, w: {0: 1, 1: w, 11: 1, 2: 1, 12: 1, 3: 2, 14: 2, 5: 1}),
        (9, 12),
        "Pooling 'out0': its kernel_w of 12",
    ),
    (combined(lambda h, w: np.full((1, 1, w), w)), (9, 12), "MemoryData 'out0_c': its value 12"),
    (combined(lambda h, w: np.full((1,), 1 / w)), (9, 12), "MemoryData 'out0_c': its value 0.0833"),
    (
        combined(lambda h, w: np.full((3, 1, 1), h * w)),
        (9, 12),
        "MemoryData 'out0_c': its value 108",
    ),
    (
        combined(lambda h, w: np.linspace(0, 1, w).reshape(1, 1, w)),
        (9, 2),
        "MemoryData 'out0_c': its 2",
    ),
    (
        combined(lambda h, w: np.linspace(-1, 1, w).reshape(1, 1, w)),
        (9, 3),
        "MemoryData 'out0_c': its 3",
    ),
    (
        combined(lambda h, w: np.linspace(-1, 1, w).reshape(1, 1, w)),
        (9, 5),
        "MemoryData 'out0_c': its 5",
    ),
    (
        combined(lambda h, w: np.linspace(0, 1, w).reshape(1, 1, w)),
        (9, 5),
        "MemoryData 'out0_c': its 5",
    ),
    (
        combined(lambda h, w: 3 - np.arange(w).reshape(1, 1, w) * (2 / w)),
        (9, 4),
        "MemoryData 'out0_c': its 4",
    ),
    (
        combined(lambda h, w: np.arange(w).reshape(1, 1, w) / w),
        (9, 8),
        "MemoryData 'out0_c': its 8",
    ),
    (
        combined(lambda h, w: np.arange(h * w).reshape(1, h, w)),
        (9, 12),
        "MemoryData 'out0_c': its value 12",
    ),
    (
        layer("BinaryOp", lambda h, w: {0: 2, 1: 1, 2: 2 / (w - 1)}),
        (9, 12),
        "BinaryOp 'out0': its b of",
    ),
    (layer("Power", lambda h, w: {1: 1 / (h * w)}), (9, 12), "Power 'out0': its scale of"),
    (layer("Clip", lambda h, w: {0: 0.0, 1: w - 1.0}), (9, 12), "Clip 'out0': its max of 11"),
    (
        layer("Crop", lambda h, w: {9: (1,), 10: (w - 1,), 11: (2,)}),
        (9, 12),
        "Crop 'out0': it is ambiguous whether its end of 11",
    ),
    (
        layer("Crop", lambda h, w: {9: (0,), 10: (5,), 11: (2,)}),
        (9, 12),
        "Crop 'out0': it is ambiguous whether its end of 5",
    ),
    (
        layer("Crop", lambda h, w: {9: (h // 2,), 10: (h,), 11: (1,)}),
        (9, 12),
        "Crop 'out0': it is ambiguous whether its start of 4",
    ),
    (
        layer("Crop", lambda h, w: {1: 0, 3: w - 3, 4: h, 5: 3}),
        (9, 12),
        "Crop 'out0': it is ambiguous whether its outw",
    ),
    (
        layer("Crop", lambda h, w: {0: w // 2, 1: 0, 3: 3, 4: h, 5: 3}),
        (9, 12),
        "Crop 'out0': it is ambiguous whether its woffset",
    ),
    (ASKED, (9, 12), "Deconvolution 'out0': its output_w of 24"),
    (channels(0.3, 0.7, 1.3), (9, 12), "MemoryData 'out0_c': its value 12"),
    (
        layer("Crop", lambda h, w: {9: (1,), 10: (h,), 11: (1,)}),
        (4, 12),
        "Crop 'out0': it is ambiguous whether its start of 1",
    ),
    (
        layer("Crop", lambda h, w: {9: (h // 3,), 10: (-2,), 11: (1,)}),
        (9, 12),
        "Crop 'out0': it is ambiguous whether its start of 3",
    ),
    (
        layer("Power", lambda h, w: {1: 2 / (w - 1)}),
        (9, 3),
        "Power 'out0': its scale of 1 is also (3 - 1) / 2",
    ),
    (more_positions, (9, 12), "Concat 'out0': its constant of extent 12"),
    (layer("Tile", lambda h, w: {2: (h, 1, 1)}), (9, 12), "Tile 'out0': its repeats[0] of 9"),
]
"""Models that one export does not show at other sizes, the size of the export, and the reason."""


@pytest.mark.parametrize(("make", "size", "reason"), UNKNOWN)
def test_constants_that_may_follow_the_size_are_refused(
    make: Sized,
    size: tuple[int, int],
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = tmp_path / "any.param"
    with pytest.raises(SystemExit) as caught:
        command(make(*size).write(tmp_path), "--dynamic", "in0=h,w", "-o", result)
    assert caught.value.code == 1
    assert f"the shapes cannot be dynamic: {reason}" in capsys.readouterr().err
    assert not result.exists()


def test_more_than_four_values_are_a_table(tmp_path: Path) -> None:
    """One of them is equal to an extent by chance."""
    source = channels(0.3, 0.7, 1.3, 1.7)(9, 12).write(tmp_path)
    command(source, "--dynamic", "in0=h,w", "-o", tmp_path / "any.param")


SHOWN: list[tuple[Sized, tuple[int, int], tuple[int, int]]] = [
    (layer("Crop", lambda h, w: {9: (0, 1), 10: (h - 1, w), 11: (1, 2)}), (12, 12), (6, 14)),
    (layer("Crop", lambda h, w: {9: (0,), 10: (5,), 11: (2,)}), (9, 12), (7, 15)),
    (layer("Crop", lambda h, w: {9: (0,), 10: (h,), 11: (2,)}), (7, 12), (6, 15)),
    (layer("Crop", lambda h, w: {1: 2, 3: w, 4: h - 3, 5: 3}), (12, 12), (7, 15)),
    (combined(lambda h, w: np.full((1, 1, w), 12.0)), (9, 12), (7, 15)),
    (combined(lambda h, w: np.arange(w).reshape(1, 1, w)), (9, 2), (7, 15)),
    (layer("BinaryOp", lambda h, w: {0: 2, 1: 1, 2: 1 / 12}), (9, 12), (7, 15)),
]
"""Models that two exports show at any size, and the sizes of these."""


@pytest.mark.parametrize(("make", "size", "other"), SHOWN)
def test_two_exports_show_what_follows(
    make: Sized, size: tuple[int, int], other: tuple[int, int], runtime: Runtime, tmp_path: Path
) -> None:
    source, second = make(*size).write(tmp_path), make(*other).write(tmp_path, "second")
    result = tmp_path / "any.param"
    command(source, "--dynamic", "in0=h,w", "--other-export", second, "-o", result)
    for at in (size, other, (11, 13)):
        net = make(*at)
        expected = runtime.run(net.write(tmp_path, "sized"), net.inputs, ["out0"], light_mode=False)
        blobs = runtime.run(result, net.inputs, ["out0"])
        assert not isinstance(expected, Failure), at
        assert not isinstance(blobs, Failure), (at, blobs)
        np.testing.assert_allclose(blobs["out0"], expected["out0"], rtol=1e-5, atol=1e-5)


DIFFERENT: list[tuple[Sized, str]] = [
    (layer("BinaryOp", lambda h, w: {0: 2, 1: 1, 2: 1 / w}), "BinaryOp 'out0': b is"),
    (ASKED, "Deconvolution 'out0': output_w is"),
    (layer("Padding", lambda h, w: {3: -w % 8, 2: 0}), "Padding 'out0': right is"),
    (
        combined(lambda h, w: np.linspace(0, 1, w).reshape(1, 1, w)),
        "MemoryData 'out0_c': its values",
    ),
    (
        layer("Crop", lambda h, w: {9: (h // 3,), 10: (h - h // 3,), 11: (1,)}),
        "Crop 'out0': it is ambiguous whether its",
    ),
    (
        layer("Interp", lambda h, w: {0: 1 + h % 2, 3: 2 * h, 4: 2 * w}),
        "Interp 'out0': resize_type is",
    ),
]
"""Models in which two exports differ in what has no relative form."""


@pytest.mark.parametrize(("make", "reason"), DIFFERENT)
def test_differences_that_cannot_follow_are_refused(
    make: Sized, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, second = make(17, 12).write(tmp_path), make(10, 15).write(tmp_path, "second")
    with pytest.raises(SystemExit) as caught:
        command(
            source, "--dynamic", "in0=h,w", "--other-export", second, "-o", tmp_path / "any.param"
        )
    assert caught.value.code == 1
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "any.param").exists()
