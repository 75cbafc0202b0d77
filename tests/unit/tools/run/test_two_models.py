"""`ncnn-run a.param --compare b.param`."""

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
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


def test_only_one_has_16_bit_weights(
    models: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rounded weights have a limit of their own, which a chosen tolerance replaces."""

    def write_half(name: str, first: float) -> None:
        (models / f"{name}.param").write_text(NET.format(shape=" 0=3"))
        values = struct.pack("<6e2f", first, 2, 3, 4, 5, 6, 7, 8)
        (models / f"{name}.bin").write_bytes(struct.pack("<I", 0x01306B47) + values)

    write_half("half", 1.1)
    write_half("less", 1)
    np.save(models / "ones.npy", np.ones(3, "f4"))
    words = ("a.param", "--compare", "half.param", "--input", "ones.npy")
    assert run(*words).splitlines()[-1].endswith("limit 0.05 (16-bit weights)")
    for line in ((*words, "--tolerance", "0.001"), ("less.param", *words[1:])):
        with pytest.raises(SystemExit):
            run(*line)
        last = capsys.readouterr().out.splitlines()[-1]
        assert last.startswith("FAILED")
        assert last.endswith("limit 0.001")


def test_shapes_are_for_both(models: Path, run: Run) -> None:
    words = ("same.param", "--compare", "same.param", "--input-shape", "data=3")
    assert "largest error of an output: 0 " in run(*words)


def test_models_of_other_outputs(models: Path, refused: Run) -> None:
    assert refused("a.param", "--compare", "renamed.param") == (
        "renamed.param: the first model's output 'out' is missing; the second has 'result'"
    )


@pytest.fixture
def many(folder: Path) -> list[str]:
    """Write two equal models of 14 layers. Return the names of their blobs."""
    blobs = [f"r{i}" for i in range(14)]
    layers = [f"ReLU {b} 1 1 {f'r{i - 1}' if i else 'data'} {b}" for i, b in enumerate(blobs)]
    text = "\n".join(["7767517", "15 15", "Input data 0 1 data 0=3", *layers, ""])
    for name in ("many", "again"):
        (folder / f"{name}.param").write_text(text)
        (folder / f"{name}.bin").write_bytes(b"")
    return blobs


def first_words(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines()]


def test_of_many_blobs_only_those_that_matter_are_printed(many: list[str], run: Run) -> None:
    words = ("many.param", "--compare", "again.param", "--input", "random")
    found = run(*words)
    assert first_words(found) == ["blob", *many[:5], "r13", "6", "PASSED:"]
    note = "6 of 14 blobs, among them the worst; --all-blobs shows all"
    assert found.splitlines()[-2] == note
    assert first_words(run(*words, "--blob", "r9")) == [
        *("blob", *many[:5], "r9", "r13", "7", "PASSED:")
    ]
    assert first_words(run(*words, "--all-blobs")) == ["blob", *many, "PASSED:"]


def test_the_same_for_two_engines(many: list[str], run: Run) -> None:
    pytest.importorskip("ncnn")
    words = ("many.param", "--compare", "ncnn", "--input", "random")
    found = run(*words)
    assert first_words(found) == ["blob", "data", *many[:4], "r13", "6", "PASSED:"]
    assert "6 of 15 blobs, among them the worst; --all-blobs shows all" in found
    assert first_words(run(*words, "--all-blobs")) == ["blob", "data", *many, "PASSED:"]
