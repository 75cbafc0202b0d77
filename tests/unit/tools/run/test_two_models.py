"""`ncnn-run a.param --compare b.param`."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., str]

NET = """7767517
3 3
Input data 0 1 data{shape}
InnerProduct fc 1 1 data fc 0=2 1=1 2=6
ReLU relu 1 1 fc out
"""


@pytest.fixture
def models(folder: Path) -> Path:
    def write(name: str, last: float, shape: str = " 0=3", output: str = "out") -> None:
        (folder / f"{name}.param").write_text(NET.format(shape=shape).replace("out", output))
        values = struct.pack("<8f", 1, 2, 3, 4, 5, 6, 7, last)
        (folder / f"{name}.bin").write_bytes(bytes(4) + values)

    write("a", 8)
    write("same", 8, shape="")
    write("other", 9)
    write("renamed", 8, output="result")
    return folder


def test_models_that_agree(models: Path, run: Run) -> None:
    lines = run("a.param", "--compare", "same.param", "--input", "random").splitlines()
    assert [line.split()[0] for line in lines] == ["blob", "fc", "out", "PASSED:"]
    assert lines[-1] == "PASSED: largest error of an output: 0 at 'out', limit 0.001"


def test_without_inputs_they_are_random(models: Path, run: Run) -> None:
    words = ("a.param", "--compare", "same.param")
    *rows, last = run(*words, "--input", "random").splitlines()
    assert run(*words).splitlines() == [*rows, "compared with data=3", last]


def test_models_that_do_not_agree(
    models: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        run("a.param", "--compare", "other.param")
    assert caught.value.code == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line.endswith("<--")] == ["fc", "out"]
    run("a.param", "--compare", "other.param", "--tolerance", "1")


def test_shapes_are_for_both(models: Path, run: Run) -> None:
    words = ("same.param", "--compare", "same.param", "--input-shape", "data=3")
    assert "largest error of an output: 0 " in run(*words)


def test_models_of_other_outputs(models: Path, refused: Run) -> None:
    assert refused("a.param", "--compare", "renamed.param") == (
        "renamed.param: the first model's output 'out' is missing; the second has 'result'"
    )
