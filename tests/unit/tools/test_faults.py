"""Warnings of `-O` about layers that `--check` finds wrong: the same findings."""

from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., object]

INPUT = "Input x 0 1 x 0=6 1=5 2=8"
NORM = "LayerNorm norm 1 1 x y 0={} 1=1.000000e-5 2=1"
OPEN = ["Input x 0 1 x", "InnerProduct a 1 1 x a 0=4 1=1 2=12", "InnerProduct b 1 1 a y 0=2 2=10"]

WRONG = {
    "over three axes": ([INPUT, NORM.format(240)], "LayerNorm 'norm' takes ?,240 or 240"),
    "a Reshape": ([INPUT, "Reshape r 1 1 x y 0=7 1=4"], "Reshape 'r' makes 28 elements"),
    "undeclared": (OPEN, "InnerProduct 'b' takes 5 or ?,5 by its weights, and gets 4"),
}
"""The layers, and words of the problem."""

RIGHT = {
    "over the rows": [INPUT, NORM.format(6)],
    "over rows and columns": [INPUT, NORM.format(30)],
    "a row": [INPUT, "Reshape r 1 1 x r 0=240", NORM.format(240).replace(" x y", " r y")],
    "undeclared": [OPEN[0], OPEN[1].replace(" a 0=4", " y 0=4")],
    "axes in reverse": ["Input x 0 1 x 0=3 1=8 2=6", "Convolution c 1 1 x y 0=2 1=1 6=6"],
}


def write(folder: Path, layers: list[str]) -> None:
    lines = ["7767517", f"{len(layers)} {len(layers)}", *layers, ""]
    (folder / "m.param").write_text("\n".join(lines))


def said(result: object) -> str:
    return str(getattr(result, "stderr"))  # noqa: B009


@pytest.mark.parametrize("case", WRONG)
def test_wrong(case: str, folder: Path, command: Command) -> None:
    layers, problem = WRONG[case]
    write(folder, layers)
    model = ["m.param", "--weights", "random"]
    shown = said(command([*model, "-O", "-o", "o.param"]))
    (warning,) = [line for line in shown.splitlines() if "warning" in line]
    assert warning.startswith(f"ncnn-opt: warning: {problem}"), warning
    assert "correct the layer" in warning
    assert "--input-shape" in warning
    assert said(command([*model, "-q", "-O", "-o", "o.param"])) == ""
    result = command([*model, "--check"], check=False)
    assert problem in said(result)
    command([*model, "-o", "o.param"])
    result = command(["o.param", "o.bin", "p.param", "p.bin", "0"], tool="ncnn-optimize")
    assert f"warning: {problem}" in said(result)


@pytest.mark.parametrize("case", RIGHT)
def test_right(case: str, folder: Path, command: Command) -> None:
    write(folder, RIGHT[case])
    shown = said(command(["m.param", "--weights", "random", "-O", "-o", "o.param"]))
    assert "warning" not in shown


def test_several(folder: Path, command: Command) -> None:
    names = [f"n{i}" for i in range(8)]
    norms = [
        f"LayerNorm {b} 1 1 {a} {b} 0=240 2=1" for a, b in zip(["x", *names], names, strict=False)
    ]
    write(folder, [INPUT, *norms])
    shown = said(command(["m.param", "--weights", "random", "-O", "-o", "o.param"]))
    assert shown.count("warning: LayerNorm") == 5
    assert "warning: 3 more layers have such faults" in shown
