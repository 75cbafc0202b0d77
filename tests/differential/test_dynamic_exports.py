"""Models of one size or of two that are refused as models of any, and what is compared with the
exports."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.transforms.dynamic_shapes import extent_expressions, make_dynamic, slices_and_crops

from .compiler import command
from .runtime import Failure, Runtime
from .sized import SizedNet
from .test_dynamic_constants import Sized, combined, layer, tokens


def many_inputs(count: int) -> Sized:
    """Rows of inputs joined, and those of the last one cut off again: behind a sum of extents."""

    def make(h: int, w: int) -> SizedNet:
        net = SizedNet((w, 3))
        names = ["in0", *(net.input(f"in{i}", (w + i, 3)) for i in range(1, count))]
        net.layer("Concat", names, "all", {0: 0})
        total = sum(w + i for i in range(count - 1))
        net.layer("Slice", "all", ["rows", "rest"], {0: (total, -233), 1: 0})
        net.layer("TanH", "rows", "out0")
        net.layer("ReLU", "rest", "out1")
        return net

    return make


def export(make: Sized, folder: Path, *sizes: tuple[int, int]) -> list[Path]:
    """A model at several sizes."""
    return [make(*size).write(folder, f"n{i}") for i, size in enumerate(sizes)]


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The message of a command that fails."""
    with pytest.raises(SystemExit) as caught:
        command(*arguments)
    assert caught.value.code == 1
    return capsys.readouterr().err


HALF: Sized = layer("Crop", lambda h, w: {9: (0,), 10: ((h + 1) // 2,), 11: (1,)})
"""The first half of the rows."""


def test_a_half_of_one_size_may_be_another_number_less_at_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, other = export(HALF, tmp_path, (18, 7), (19, 11))
    said = refusal(
        capsys, source, "--dynamic", "in0=h,w", "--other-export", other, "-o", tmp_path / "a.param"
    )
    assert (
        "Crop 'out0': it is ambiguous whether its end of 9 along axis 1 depends on its input's 18: "
        "use exports at other sizes" in said
    )


def test_other_inputs_must_be_equal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, other = export(HALF, tmp_path, (18, 7), (24, 11))
    said = refusal(
        capsys, source, "--dynamic", "in0=h", "--other-export", other, "-o", tmp_path / "a.param"
    )
    assert "input 'in0' is 3,18,7 and 3,24,11 in the exports, which differ in more" in said


def nothing(*_: object) -> None:
    """In the place of a step of the pass."""


def one(*_: object) -> str:
    """In the place of an expression."""
    return "1"


def half_of_a_sum(h: int, w: int) -> SizedNet:
    """The first half of the rows of a sum with a constant."""
    net = SizedNet((3, h, w))
    net.add("in0", net.normal(3, 1, 1), "sum")
    net.layer("Crop", "sum", "out0", {9: (0,), 10: ((h + 1) // 2,), 11: (1,)})
    return net


@pytest.mark.parametrize("make", [HALF, half_of_a_sum])
def test_shapes_are_compared_with_both_exports(
    make: Sized,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even if a step of the pass leaves something out."""
    monkeypatch.setattr(slices_and_crops, "make_crop_dynamic", nothing)
    monkeypatch.setattr(make_dynamic, "param_difference", nothing)
    source, other = export(make, tmp_path, (12, 7), (20, 11))
    said = refusal(
        capsys, source, "--dynamic", "in0=h,w", "--other-export", other, "-o", tmp_path / "a.param"
    )
    assert "Crop 'out0' gives 3,6,11 at the size of the other export, and 3,10,11 there" in said


def test_shapes_at_further_sizes_are_the_terms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if a step of the pass writes other parameters than it means."""
    monkeypatch.setattr(extent_expressions.ExpressionWriter, "write", one)
    (source,) = export(combined(lambda h, w: np.arange(w).reshape(1, 1, w)), tmp_path, (9, 12))
    said = refusal(capsys, source, "--dynamic", "in0=h,w", "-o", tmp_path / "a.param")
    assert "Interp gives 1,1,1 instead of 1x1x" in said


def quarters(h: int, w: int) -> SizedNet:
    """Rows in pieces of 4."""
    net = SizedNet((3, h, w))
    net.flat("in0", "a", 3 * h, w // 4, 4)
    net.layer("Softmax", "a", "b", {0: 1, 1: 1})
    net.flat("b", "out0", 3, h, w)
    return net


def test_the_smallest_size_does_not_show_which_axis_follows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source,) = export(quarters, tmp_path, (6, 4))
    said = refusal(capsys, source, "--dynamic", "in0=h,4*w", "-o", tmp_path / "a.param")
    assert (
        "Reshape 'a': the export has the smallest size, so an extent of 1 may depend on it" in said
    )
    (source,) = export(quarters, tmp_path, (6, 12))
    command(source, "--dynamic", "in0=h,4*w", "-o", tmp_path / "a.param")


def test_an_extent_of_one_may_go_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source,) = export(tokens, tmp_path, (1, 10))
    said = refusal(capsys, source, "--dynamic", "in0=h,w", "-o", tmp_path / "a.param")
    assert (
        "Reshape 'a': axis 1 of its input has extent 1, so its place in the output is ambiguous"
        in said
    )


@pytest.mark.parametrize("count", [10, 11])
def test_an_expression_is_of_ten_blobs_at_most(
    count: int, runtime: Runtime, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, result = many_inputs(count), tmp_path / "any.param"
    arguments = [word for i in range(count) for word in ("--dynamic", f"in{i}=h")]
    (source,) = export(make, tmp_path, (1, 7))
    if count == 11:
        said = refusal(capsys, source, *arguments, "-o", result)
        assert "Slice 'rows': no expression computes its extents" in said
        return
    command(source, *arguments, "-o", result)
    net = make(1, 12)
    blobs = runtime.run(result, net.inputs, ["out0", "out1"])
    assert not isinstance(blobs, Failure), blobs
    *rows, rest = net.inputs.values()
    np.testing.assert_allclose(blobs["out0"], np.tanh(np.concatenate(rows)), atol=1e-5)
    np.testing.assert_allclose(blobs["out1"], np.maximum(rest, 0), atol=1e-5)


def test_so_many_factors_that_their_order_is_not_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net = SizedNet((2, 3, 4, 5))
    net.input("in1", (3, 2, 5, 4))
    net.flat("in0", "a", 120, 1)
    net.flat("in1", "b", 1, 120)
    net.layer("MatMul", ["a", "b"], "c")
    net.flat("c", "d", 14400)
    net.flat("d", "out0", 6, 20, 6, 20)
    arguments = ("--dynamic", "in0=c,d,h,w", "--dynamic", "in1=c,d,h,w")
    said = refusal(capsys, net.write(tmp_path), *arguments, "-o", tmp_path / "any.param")
    assert (
        "Reshape 'out0': it is ambiguous which of 6x20x6x20 depend on its input's extents" in said
    )
