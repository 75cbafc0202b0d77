"""`ncnn-report --errors`: what `ncnn-quantize --json` measured, as a bar a layer."""

import json
import re
from pathlib import Path

import pytest
from ncnn_opt.report.quantization import ChartBar, quantization_page
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


INT8 = "Convolution conv 1 1 data relu 0=4 1=3 4=1 5=1 6=108 8=2 9=1"


def test_times_and_arithmetic(folder: Path) -> None:
    """The columns of an int8 comparison, from the first of several devices."""
    text = (folder / "after.param").read_text()
    float_line = next(line for line in text.splitlines() if line.startswith("Convolution"))
    (folder / "int8.param").write_text(text.replace(float_line, INT8))
    times = {"ssh://a": {"float_ms": 2.0, "int8_ms": 1.5}, "ssh://b": {"float_ms": 9, "int8_ms": 9}}
    layer = {"name": "conv", "snr": None, "error": 0.0, "times": times}
    found = {"layers": [layer, {"name": "fc", "snr": 9.0, "error": 0.1}], "latencies": times}
    (folder / "e.json").write_text(json.dumps(found))
    page = page_of(folder, "after.param", "int8.param", "--errors", "e.json")
    line = line_of(folder, "conv")
    assert '<td class="w">float → int8</td>' in line
    assert 'data-v="1500000" style="--bar:75%">2.000 ms → 1.500 ms</td>' in line
    assert '<td class="w">float</td>' in line_of(folder, "fc")
    assert '<td class="w"></td>' in line_of(folder, "pool")
    text = page.text
    at = text.index("Time")
    assert text[at + 1 : at + 3] == ["1.500 ms", "before 2.000 ms, −25 %"]
    at = text.index("Worst output")
    assert text[at + 1] == "not measured"
    at = text.index("Worst layer")
    assert text[at + 1 : at + 3] == ["9.0 dB", "InnerProduct fc, the worst of 2"]


def test_bars_against_a_limit() -> None:
    layers = [
        ChartBar("fine", "int8", 40.0, ("40.0 dB", "", "")),
        ChartBar("not compared", "float", None, ("", "", "")),
        ChartBar("worst", "int8", 20.0, ("20.0 dB", "", "")),
    ]
    outputs = [ChartBar("output 'y'", "output", 30.0, ("30.0 dB", "", ""))]

    def lines(limit: float | None) -> list[str]:
        page = quantization_page("m", layers, outputs, [], limit=limit)
        assert ("The line in the bars" in page) == (limit is not None)
        return re.findall(r"<tr( class=.over.)?><td class=.w.>(.*?)<", page)

    order = ["output &#x27;y&#x27;", "worst", "fine", "not compared"]
    assert lines(None) == [("", name) for name in order]
    # Just enough, and a little too much, noise for the output.
    over = ' class="over"'
    assert lines(0.001) == [("", order[0]), (over, "worst"), ("", "fine"), ("", "not compared")]
    assert lines(0.00099)[0] == (over, order[0])
    assert [each[0] for each in lines(0.0)] == [over, over, over, ""]
