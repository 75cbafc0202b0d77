"""What a page says of the values of weights, and of nobody's folders."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.tools.ncnn_report_main import main

import ncnn_opt

NET = """7767517
2 2
Input x 0 1 x 0=4
InnerProduct fc 1 1 x y 0={outputs} 1=1 2={weights}
"""


def weights(folder: Path, weight: "np.ndarray[Any, Any]", bias: "np.ndarray[Any, Any]") -> Any:
    """What the page of an InnerProduct says of its weights."""
    (folder / "net.param").write_text(NET.format(outputs=bias.size, weights=weight.size))
    with open(folder / "net.bin", "wb") as file:
        file.write(bytes(4) + weight.astype("<f4").tobytes() + bias.astype("<f4").tobytes())
    main(["net.param", "--html", "it.html"])
    return json.loads(_weights_in(folder / "it.html"))["r1"]


def _weights_in(page: Path) -> str:
    pattern = r'<script id="weights" type="application/json">(.*?)</script>'
    found = re.search(pattern, page.read_text())
    assert found is not None
    return found[1]


def test_values(folder: Path) -> None:
    weight, bias = weights(folder, np.arange(40.0), np.full(10, 2.5))
    assert (weight["name"], weight["shape"], weight["storage"]) == ("weight", "10x4", "float32")
    seen = weight["values"]
    assert (seen["lowest"], seen["highest"], seen["zeros"]) == (0, 39, 1)
    assert seen["mean"] == 19.5
    assert seen["deviation"] == pytest.approx(np.arange(40.0).std(), rel=1e-6)
    assert seen["bins"] == [1] * 40
    assert seen["first"] == [str(i) for i in range(16)]
    assert bias["values"]["bins"] == [10]
    assert bias["values"]["deviation"] == 0


def test_values_that_are_not_finite(folder: Path) -> None:
    values = np.array([np.nan, np.inf, -np.inf, 1.0, 3.0, 0.0, -0.0, 2.0])
    seen = weights(folder, values, np.array([np.nan, np.nan]))
    assert seen[0]["values"]["not_finite"] == 3
    assert (seen[0]["values"]["lowest"], seen[0]["values"]["highest"]) == (0, 3)
    assert seen[0]["values"]["zeros"] == 2
    assert seen[0]["values"]["first"][:3] == ["nan", "inf", "-inf"]
    assert (seen[1]["values"]["bins"], seen[1]["values"]["not_finite"]) == ([], 2)


def test_many_values(folder: Path) -> None:
    weight = np.zeros(1_000_000)
    weight[500_000:] = 1
    seen = weights(folder, weight, np.zeros(250_000))[0]["values"]
    assert seen["looked_at"] == 65536
    assert seen["bins"][0] == pytest.approx(32768, abs=1024)
    assert seen["bins"][0] + seen["bins"][-1] == 65536


def test_a_page_from_python(folder: Path) -> None:
    expected = weights(folder, np.arange(40.0), np.full(10, 2.5))
    ncnn_opt.load("net.param").save_report("it.html")
    assert json.loads(_weights_in(folder / "it.html"))["r1"] == expected


def test_no_folders(folder: Path) -> None:
    inside = folder / "whose" / "place"
    inside.mkdir(parents=True)
    (inside / "net.param").write_text(NET.format(outputs=2, weights=8))
    main([str(inside / "net.param"), "--html", "it.html"])
    page = (folder / "it.html").read_text()
    assert "there is no &#x27;net.bin&#x27;" in page
    main([str(inside / "net.param"), str(inside / "net.param"), "--html", "both.html"])
    for text in (page, (folder / "both.html").read_text()):
        assert "whose" not in text
        assert str(folder) not in text
