"""The example of docs/quantize.md: a detector whose limit of noise holds for boxes and scores."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from ncnn_opt.tools import ncnn_quantize_main

ROOT = Path(__file__).parents[2]
LIMIT = 32.0


def block_of_page() -> tuple[list[list[str]], str]:
    """Return the commands of the example, and the table behind them."""
    text = (ROOT / "docs/quantize.md").read_text("utf-8")
    found = re.search(r"^```sh\n(python examples/small_detector.*?)^```$", text, re.S | re.M)
    assert found is not None
    table = re.search(r"^```\n(.*?)^```$", text[found.end() :], re.S | re.M)
    assert table is not None
    lines = found[1].replace("\\\n", " ").splitlines()
    return [shlex.split(line) for line in lines], table[1]


def labels(table: str) -> list[str]:
    """Return the layers and outputs of a table. (Which are float depends on the last bits of the
    weights of the example, and these depend on the processor.)"""
    return re.findall(r"^(?:Convolution|output) '[^']+'", table, re.M)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the detector was made."""
    pytest.importorskip("ncnn")
    folder = tmp_path_factory.mktemp("example")
    make = block_of_page()[0][0]
    command = [sys.executable, str(ROOT / make[1]), *make[2:]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_the_example(
    layout: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    (_, quantize), table = block_of_page()
    assert quantize[quantize.index("--min-snr") + 1] == f"{LIMIT:g}"
    command = [part.replace("rows.param", f"{layout}.param") for part in quantize[1:]]

    def run(*options: str) -> tuple[dict[str, float], str]:
        ncnn_quantize_main.main([*options, "--jobs", "1", "--json", "report.json"])
        outputs = json.loads(Path("report.json").read_text())["outputs"]
        assert {each["blob"] for each in outputs} == {"out"}
        return {each["group"]: each["snr"] for each in outputs}, capsys.readouterr().out

    boxes, scores = ("[0:4, :]", "[4:7, :]") if layout == "rows" else ("[:, 0:4]", "[:, 4:7]")
    limit = command.index("--min-snr")
    found, text = run(*command[:limit], *command[limit + 2 :])
    assert found.keys() == {boxes, scores}
    assert found[boxes] > LIMIT > found[scores]  # so the whole blob would be within the limit
    assert "\n6 of 6 layers in int8" in text
    found, text = run(*command)
    assert min(found.values()) >= LIMIT
    assert re.search(r"^[1-5] of 6 layers in int8", text, re.M)
    if layout == "rows":
        assert labels(text) == labels(table)
        assert len(labels(table)) == 8
    words = re.escape(f"largest score of 'out{scores}' where it was: ")
    share = re.search(rf"^{words}([\d.]+)%", text, re.M)
    assert share is not None
    assert float(share[1]) > 90


def test_the_float_detector_finds_shapes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scores are evidence: the detector tells most objects right, at their places."""
    ncnn: Any = pytest.importorskip("ncnn")
    small_detector: Any = ModuleType("small_detector")
    path = ROOT / "examples/small_detector.py"
    monkeypatch.setitem(sys.modules, "small_detector", small_detector)
    exec(compile(path.read_text(), path, "exec"), small_detector.__dict__)
    images, boxes, classes = small_detector.images(30, np.random.default_rng(5))
    net = ncnn.Net()
    assert net.load_param(str(folder / "detector/rows.param")) == 0
    assert net.load_model(str(folder / "detector/rows.bin")) == 0
    right: list[bool] = []
    errors: list[float] = []
    for image, box, kind in zip(images, boxes, classes, strict=True):
        extractor = net.create_extractor()
        extractor.input("data", ncnn.Mat(np.ascontiguousarray(image)).clone())
        out = np.array(extractor.extract("out")[1])
        there = kind.reshape(-1) >= 0
        right += list(out[4:, there].argmax(0) == kind.reshape(-1)[there])
        errors += list(np.abs(out[:4] - box.reshape(4, -1))[:, there].max(0))
    assert np.mean(right) > 0.7
    assert np.mean(errors) < 6
