"""Models of one size made models of any size compute at other sizes what a model for that size
does."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from . import sized
from .compiler import command
from .nets import Net, layer_types
from .runtime import Failure, Runtime

Make = Callable[..., Net]

NEAR = 1e-5

MAPS = ((12, 16), (9, 7), (24, 20), (5, 31), (16, 12))
SEQUENCES = ((20,), (12,), (36,), (8,), (52,))

CASES: list[tuple[Make, str, Sequence[tuple[int, ...]]]] = [
    (sized.flattened, "in0=h,w", MAPS),
    (sized.levels, "in0=h,w", MAPS),
    (sized.resized, "in0=h,w", ((11, 13), *MAPS)),
    (sized.columns, "in0=h,w", MAPS),
    (sized.tiled, "in0=h,w", MAPS),
    (sized.planes, "in0=h,w", MAPS),
    (sized.waves, "in0=0", SEQUENCES),
    (sized.counted, "in0=h,w", MAPS),
]
"""Models, which axes are to be any, and sizes: the first is that of the export."""

PAIRS: list[tuple[Make, str, Sequence[tuple[int, ...]]]] = [
    *CASES,
    (sized.learnt, "in0=0", ((20,), (64,), (36,), (8,), (52,))),
    (sized.windowed, "in0=4*0", ((16,), (24,), (36,), (8,), (52,))),
]
"""The same, where the second size is that of another export."""


def name_of(case: tuple[Make, str, Sequence[tuple[int, ...]]]) -> str:
    return case[0].__name__


def assert_of_any_size(
    param: Path, make: Make, sizes: Sequence[tuple[int, ...]], runtime: Runtime, folder: Path
) -> None:
    for size in sizes:
        net = make(*size)
        expected = runtime.run(net.write(folder, "sized"), net.inputs, ["out0"], light_mode=False)
        blobs = runtime.run(param, net.inputs, ["out0"])
        assert not isinstance(expected, Failure), expected
        assert not isinstance(blobs, Failure), f"{size}: {blobs}"
        a, b = expected["out0"], blobs["out0"]
        assert a.shape == b.shape, size
        assert np.abs(a - b).max() <= NEAR * np.abs(a).max(), size


@pytest.mark.parametrize("passes", [(), ("-O",)], ids=["alone", "optimized"])
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_of_one_export(
    case: tuple[Make, str, Sequence[tuple[int, ...]]],
    passes: Sequence[str],
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    make, axes, sizes = case
    source, result = make(*sizes[0]).write(tmp_path), tmp_path / "any.param"
    command(source, "--dynamic", axes, *passes, "-o", result)
    assert_of_any_size(result, make, sizes, runtime, tmp_path)


@pytest.mark.parametrize("case", PAIRS, ids=name_of)
def test_of_two_exports(
    case: tuple[Make, str, Sequence[tuple[int, ...]]], runtime: Runtime, tmp_path: Path
) -> None:
    make, axes, sizes = case
    source, other = (make(*size).write(tmp_path, f"n{size[0]}") for size in sizes[:2])
    result = tmp_path / "any.param"
    command(source, "--dynamic", axes, "--other-export", other, "-o", result)
    assert_of_any_size(result, make, sizes, runtime, tmp_path)


@pytest.mark.parametrize("make", [sized.normalized, sized.turning])
def test_what_follows_the_size_is_not_taken_for_steps(
    make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, other = (make(n).write(tmp_path, f"n{n}") for n in (20, 36))
    with pytest.raises(SystemExit):
        command(source, "--dynamic", "in0=0", "--other-export", other, "-o", tmp_path / "any.param")
    assert "are neither steps nor a prefix of one constant" in capsys.readouterr().err


def test_a_square_export_is_as_good(runtime: Runtime, tmp_path: Path) -> None:
    for make in (sized.flattened, sized.levels, sized.resized, sized.planes):
        source, result = make(15, 15).write(tmp_path), tmp_path / "any.param"
        command(source, "--dynamic", "in0=h,w", "-o", result)
        assert_of_any_size(result, make, MAPS, runtime, tmp_path)


def test_one_axis_alone(runtime: Runtime, tmp_path: Path) -> None:
    for make in (sized.flattened, sized.levels, sized.resized, sized.columns, sized.planes):
        source, result = make(12, 15).write(tmp_path), tmp_path / "any.param"
        command(source, "--dynamic", "in0=w", "-o", result)
        assert_of_any_size(result, make, [(12, w) for w in (15, 9, 20, 33)], runtime, tmp_path)


def test_extents_of_the_input_come_by_reference_only_where_nothing_else_has_them(
    tmp_path: Path,
) -> None:
    source, result = sized.flattened(12, 16).write(tmp_path), tmp_path / "any.param"
    command(source, "--dynamic", "in0=h,w", "-o", result)
    lines = [line.split() for line in result.read_text().splitlines() if "Reshape" in line]
    assert [int(line[2]) for line in lines] == [1, 1, 1, 2]  # inputs
    assert layer_types(result).count("Split") == 1


REFUSED: list[tuple[Make, Sequence[int], str, str]] = [
    (
        sized.learnt,
        (20,),
        "in0=0",
        "MemoryData 'a_c': its 20 values along axis 0 are neither steps",
    ),
    (
        sized.windowed,
        (16,),
        "in0=0",
        "Reshape 'a': it is ambiguous which of 4x4 depend on its input's extents",
    ),
    (sized.normalized, (20,), "in0=0", "MemoryData 'out0_c': its 20 values along axis 0"),
    (sized.turning, (20,), "in0=0", "MemoryData 'out0_c': its 20 values along axis 0"),
    (sized.unnormalized, (6, 8), "in0=h,w", "LayerNorm 'out0': its affine_size of 8 is also"),
    (
        sized.resized,
        (12, 16),
        "in0=h,w",
        "Interp 'out0': several extents may determine its w of 16",
    ),
    (sized.flattened, (12, 16), "in0=c", "Convolution 'a' takes 3,?,? by its weights"),
]


@pytest.mark.parametrize(("make", "size", "axes", "reason"), REFUSED)
def test_what_cannot_follow_is_named(
    make: Make,
    size: Sequence[int],
    axes: str,
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = tmp_path / "any.param"
    with pytest.raises(SystemExit) as caught:
        command(make(*size).write(tmp_path), "--dynamic", axes, "-o", result)
    assert caught.value.code == 1
    assert f"net.param: the shapes cannot be dynamic: {reason}" in capsys.readouterr().err
    assert not result.exists()


ANOTHER = "give an export at another size (--other-export)"
MULTIPLES = (
    "multiples fit: --dynamic in0=2*h,2*w (or give an export whose sizes are no such multiples)"
)


@pytest.mark.parametrize(
    ("make", "size", "axes", "end"),
    [
        (sized.resized, (12, 16), "in0=h,w", f"{ANOTHER}; {MULTIPLES}"),
        # Named extents have no multiples.
        (sized.resized, (12, 16), "in0=h:n,w:m", f"w of 16: {ANOTHER}"),
        # 7 is no multiple of 2; another export would show which extent it is.
        (sized.resized, (7, 16), "in0=h,w", f"w of 16: {ANOTHER}"),
        (sized.windowed, (16,), "in0=0", f"depend on its input's extents: {ANOTHER}"),
    ],
)
def test_a_refusal_states_the_remedy(
    make: Make,
    size: Sequence[int],
    axes: str,
    end: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, result = make(*size).write(tmp_path), tmp_path / "any.param"
    with pytest.raises(SystemExit):
        command(source, "--dynamic", axes, "--remarks", "-o", result)
    said = capsys.readouterr().err.rstrip("\n")
    assert said.endswith(end)
    # The trials with multiples send no remarks of their own.
    remarks = [line for line in said.splitlines() if "make-dynamic:" in line]
    assert len(remarks) == len(set(remarks))
    if MULTIPLES in end:
        command(source, "--dynamic", MULTIPLES.split()[3], "-o", result)
        assert result.exists()


def test_with_two_exports_the_remedy_is_other_sizes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = sized.resized(12, 16).write(tmp_path, "a")
    other = sized.resized(24, 32).write(tmp_path, "b")
    options, result = ("--dynamic", "in0=h,w", "--other-export", other), tmp_path / "any.param"
    with pytest.raises(SystemExit):
        command(source, *options, "-o", result)
    said = capsys.readouterr().err.rstrip("\n")
    assert said.endswith(f"use exports at other sizes; {MULTIPLES}")
    command(
        source, "--dynamic", "in0=2*h,2*w", "--other-export", other, "-o", tmp_path / "any.param"
    )
