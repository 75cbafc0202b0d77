"""What is printed and written, and what is refused before anything is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.driver import model_runs
from ncnn_opt.runtime.process import Runtime

Run = Callable[..., str]


@pytest.fixture
def data(folder: Path) -> tuple[str, ...]:
    """Arguments for a model whose output is 3, 11, 19."""
    np.save("x.npy", np.arange(12, dtype="f4").reshape(3, 2, 2))
    return ("scores.param", "--input", "x.npy")


def test_summary(run: Run, data: tuple[str, ...]) -> None:
    assert run(*data) == "prob  3  min 3  max 19  mean 11\n"
    out = run(*data, "--blob", "sums,data")
    assert out == "sums  3  min 6  max 38  mean 22\ndata  3x2x2  min 0  max 11  mean 5.5\n"


def test_best_classes(run: Run, data: tuple[str, ...], folder: Path) -> None:
    assert run(*data, "--top", "2") == "prob:\n  2  19\n  1  11\n"
    (folder / "names.txt").write_text("cat\ndog\nblue whale\n\n")
    out = run(*data, "--top", "5", "--labels", "names.txt")
    assert out == "prob:\n  2  19          blue whale\n  1  11          dog\n  0  3           cat\n"


def test_classes_that_are_none(refused: Run, data: tuple[str, ...], folder: Path) -> None:
    (folder / "names.txt").write_text("cat\ndog\n")
    (folder / "latin.txt").write_bytes(b"cat\n\xe4\n")
    top = (*data, "--top", "1")
    assert refused(*top, "--labels", "names.txt") == (
        "--labels: 2 labels for the 3 of output 'prob'"
    )
    assert refused(*top, "--labels", "latin.txt") == "latin.txt:2: byte 4 is no UTF-8 text"
    assert refused(*top, "--blob", "data") == "--top: output 'data' is 3x2x2, no row of scores"
    assert refused(*data, "--labels", "names.txt") == "--labels is for --top"
    assert "positive number" in refused(*data, "--top", "0")


def test_written_blobs(run: Run, data: tuple[str, ...]) -> None:
    assert run(*data, "--all-blobs", "--output", "out.npz") == ""
    with np.load("out.npz") as blobs:
        assert list(blobs) == ["data", "sums", "prob"]
        assert blobs["prob"].dtype == np.float32


def test_names_that_numpy_would_take_for_its_own(run: Run, folder: Path) -> None:
    text = "7767517\n2 2\nInput file 0 1 file 0=2\nAbsVal a/b 1 1 file a/b\n"
    (folder / "odd.param").write_text(text)
    (folder / "odd.bin").touch()
    run("odd.param", "--input", "random", "--all-blobs", "-o", "out.npz")
    with np.load("out.npz") as blobs:
        assert list(blobs) == ["file", "a/b"]


def test_failure_leaves_files_as_they_were(refused: Run, folder: Path) -> None:
    (folder / "out.npz").write_text("old")
    refused("scores.param", "-o", "out.npz")
    assert (folder / "out.npz").read_text() == "old"
    assert not list(folder.glob("*.tmp"))


def test_mistakes(refused: Run, data: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused() == "there is no model; see --help"
    assert refused("gone.param") == "gone.param: No such file or directory"
    assert refused(*data, "-o", "out.txt") == "--output writes .npz, not 'out.txt'"
    assert refused(*data, "-o", "no/out.npz") == "no/out.npz: there is no folder 'no'"
    assert refused(*data, "--blob", "sum") == "there is no blob 'sum'; did you mean 'sums'?"
    assert refused(*data, "--input-shape", "dat=3,2,2").startswith("scores.param: there is no")
    assert "numbers are expected" in refused(*data, "--mean", "a")
    assert "at least 0" in refused(*data, "--tolerance", "-1")
    assert refused(*data, "--tolerance", "1") == "--tolerance is for --compare and --on-device"
    assert "unrecognized arguments: --silent" in refused(*data, "--silent")
    assert "invalid choice" in refused(*data, "--engine", "torch")
    monkeypatch.setattr(Runtime, "is_there", staticmethod(lambda: False))
    for option in ("--engine", "--compare"):
        assert refused(*data, option, "ncnn") == (
            "the ncnn runtime is not installed: pip install 'ncnn-opt[verify]'"
        )


def test_comparison_tells_where_the_runtime_differs(
    run: Run,
    data: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    theirs = {
        "data": np.arange(12, dtype="f4").reshape(3, 2, 2),
        "sums": np.array([6, 22, 38.00038], "f4"),
        "prob": np.array([3, np.nan, 20], "f4"),
    }

    def run_theirs(*_: object) -> dict[str, Any]:
        return theirs

    monkeypatch.setattr(model_runs, "check_runtime", lambda: None)
    monkeypatch.setattr(model_runs, "run_ncnn", run_theirs)
    with pytest.raises(SystemExit) as exit:
        run(*data, "--compare", "ncnn")
    assert exit.value.code == 1
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["data", "input", "3x2x2", "11", "0", "0"]
    assert lines[2] == ["sums", "Reduction", "'sums'", "3", "38", "0.000381", "1e-05"]
    assert lines[3] == ["prob", "Power", "'half'", "3", "20", "inf", "inf", "<--"]
    assert lines[4][:5] == ["FAILED:", "largest", "error:", "inf", "at"]
    theirs["prob"] = np.array([3, 11, 19], "f4")
    assert "<--" not in run(*data, "--compare", "ncnn")
    with pytest.raises(SystemExit):
        run(*data, "--compare", "ncnn", "--tolerance", "1e-6")


def test_progress_is_for_terminals(run: Run, data: tuple[str, ...]) -> None:
    run(*data, "-o", "out.npz")  # the fixture asserts that standard error is empty
