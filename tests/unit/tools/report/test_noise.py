"""`ncnn-report --errors`: what `ncnn-quantize --json` measured, as a bar a layer."""

import json
import re
from pathlib import Path

import pytest
from ncnn_opt.tools.ncnn_report_main import main

from .test_page import page_of


def measured(folder: Path, **ratios: float | None) -> None:
    layers = [
        {"name": name, "snr": snr, "error": 0.0 if snr is None else 10 ** (-snr / 10)}
        for name, snr in ratios.items()
    ]
    (folder / "e.json").write_text(json.dumps({"layers": layers}))


def line_of(folder: Path, name: str) -> str:
    """The line of a layer in the table."""
    text = (folder / "it.html").read_text()
    (line,) = (each for each in re.findall(r"<tr id=.*?</tr>", text) if f">{name}<" in each)
    return line


@pytest.mark.parametrize("models", [["after.param"], ["before.param", "after.param"]])
def test_a_bar_a_layer(models: list[str], folder: Path) -> None:
    measured(folder, conv=20.0, fc=None)
    page_of(folder, *models, "--errors", "e.json")
    assert "noise</th>" in (folder / "it.html").read_text()
    assert 'data-v="750" style="--bar:75%">20.0 dB</td>' in line_of(folder, "conv")
    assert ">exact</td>" in line_of(folder, "fc")
    page_of(folder, *models)
    assert "noise</th>" not in (folder / "it.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "e.json: this is not what `ncnn-quantize --json` writes"),
        ('{"layers": [{"name": "x"}]}', "e.json: this is not what `ncnn-quantize --json` writes"),
        ('{"layers": []}', "e.json: no layer was measured"),
        ('{"layers": [{"name": "x", "snr": 1, "error": 0.8}]}', "has no layer 'x'"),
    ],
)
def test_other_files(
    text: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "e.json").write_text(text)
    with pytest.raises(SystemExit, match="1"):
        main(["after.param", "--errors", "e.json", "--html", "it.html"])
    assert said in capsys.readouterr().err
    assert not (folder / "it.html").exists()


def test_no_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured(folder, x=1.0)
    for more in ([], ["--html", "e.json"]):
        with pytest.raises(SystemExit, match="1"):
            main(["after.param", "--errors", "e.json", *more])
    said = capsys.readouterr().err
    assert "--errors is for the page" in said
    assert "e.json" in said.splitlines()[-1]
