"""Comparisons of detectors that find no box in random values: the inputs of the output layer
decide, in each command alike."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.tools import ncnn_report_main, ncnn_run_main

import ncnn_opt

Report = Callable[..., str]

DETECTOR = """7767517
6 6
Input offsets 0 1 offsets 0=2
Input scores 0 1 scores 0=50
Input boxes 0 1 boxes 0=40 1=2
InnerProduct fc 1 1 offsets moved 0=40 1=0 2=80
AbsVal abs 1 1 moved positive
DetectionOutput found 3 1 positive scores boxes found 0=5 4=2.0
"""
"""No score is above the threshold of 2."""


@pytest.fixture
def detectors(folder: Path) -> Path:
    pytest.importorskip("ncnn")
    for name, factor in (("right", 1), ("copy", 1), ("wrong", 2)):
        (folder / f"{name}.param").write_text(DETECTOR)
        values = (factor * (1 + i % 7) for i in range(80))
        (folder / f"{name}.bin").write_bytes(bytes(4) + struct.pack("<80f", *values))
    return folder


@pytest.mark.parametrize("other", ["copy", "wrong"])
def test_all_commands_agree(
    other: str, detectors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = other == "copy"
    for main, words in (
        (ncnn_report_main.main, ["right.param", f"{other}.param", "--repeat", "1"]),
        (ncnn_run_main.main, ["right.param", "--compare", f"{other}.param"]),
    ):
        status = 0
        try:
            main(words)
        except SystemExit as e:
            status = e.code
        text = capsys.readouterr().out
        assert status == (0 if right else 1), words
        assert ("PASSED: largest error of an output" in text) == right
        assert ("FAILED: largest error of an output" in text) != right
        assert "'found' has no finite value: compared 'positive', 'scores'" not in text
        assert "'found' has no finite value: compared 'positive', behind it" in text
    model, second = (ncnn_opt.load(f"{name}.param") for name in ("right", other))
    for engine in ("ncnn", "numpy"):
        found = model.verify(second, engine=engine)
        assert bool(found) == right
        assert [row.blob for row in found.rows] == ["positive", "found"]
        assert "fc" not in str(found)
    everything = model.compare(second)
    assert bool(everything) == right
    assert [row.blob for row in everything.rows] == ["moved", "positive", "found"]


def test_a_page_of_a_folder_agrees(detectors: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, names in (("one", ("right", "right")), ("two", ("copy", "wrong"))):
        (detectors / folder).mkdir()
        for target, name in zip(("a", "b"), names, strict=True):
            for ending in ("param", "bin"):
                data = (detectors / f"{name}.{ending}").read_bytes()
                (detectors / folder / f"{target}.{ending}").write_bytes(data)
    words = ["one", "two", "--repeat", "1", "--output-dir", "pages", "--output-kind", "html"]
    with pytest.raises(SystemExit) as caught:
        ncnn_report_main.main(words)
    assert caught.value.code == 1
    a, b = (line.split() for line in capsys.readouterr().out.splitlines()[1:3])
    assert (a[:3], b[:2]) == (["one/a.param", "PASSED", "0"], ["one/b.param", "FAILED"])
    assert float(b[2]) > 0.1
    page = (detectors / "pages/index.html").read_text()
    assert page.index("PASSED") < page.index("FAILED")
    assert ", 1 failed" in page
