"""The page of many models."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.report.index import Entry, index_page

Command = Callable[..., subprocess.CompletedProcess[str]]

PAGES = ["--output-dir", "pages", "--output-kind", "html"]


@pytest.fixture
def zoo(models: Path) -> Path:
    """A folder of two models, and another one of the optimized models."""
    (models / "zoo/sub").mkdir(parents=True)
    for name in ("a", "sub/b"):
        for ending in ("param", "bin"):
            (models / f"zoo/{name}.{ending}").write_bytes((models / f"a.{ending}").read_bytes())
    return models


def links(page: Path) -> list[str]:
    return re.findall(r'<a href="([^"]*)"', page.read_text())


def test_a_page_links_each_report_and_keeps_figures(zoo: Path, command: Command) -> None:
    command(["-O", "zoo", "--output-dir", "fast"])
    first = command(["zoo", "fast", *PAGES], tool="ncnn-report")
    assert "ncnn-report: wrote pages/index.html" in first.stderr
    page = zoo / "pages/index.html"
    assert links(page) == ["a.html", "sub/b.html"]
    assert all((zoo / "pages" / link).is_file() for link in links(page))
    before, after = (
        json.loads(command([f"{each}/a.param", "--print-json"], tool="ncnn-report").stdout)
        for each in ("zoo", "fast")
    )
    layers = [each["totals"]["layers"] for each in (before, after)]
    assert layers[0] != layers[1]
    assert f"<td>{layers[0]} → {layers[1]} (" in page.read_text()
    text = page.read_text()
    again = command(["zoo", "fast", *PAGES, "--resume"], tool="ncnn-report")
    assert "2 up to date" in again.stdout
    cells = re.compile("<td>[^<]*")
    assert cells.findall(page.read_text()) == cells.findall(text) != []


def test_quiet_is_quiet(zoo: Path, command: Command) -> None:
    result = command(["zoo", *PAGES, "-q"], tool="ncnn-report")
    assert (result.stdout, result.stderr) == ("", "")
    assert (zoo / "pages/index.html").is_file()


def test_a_model_named_index_keeps_its_page(zoo: Path, command: Command) -> None:
    for ending in ("param", "bin"):
        (zoo / f"zoo/a.{ending}").rename(zoo / f"zoo/index.{ending}")
    result = command(["zoo", *PAGES], tool="ncnn-report")
    assert "index.html" not in result.stderr
    assert 'id="layers"' in (zoo / "pages/index.html").read_text()


@pytest.mark.parametrize("kind", ["txt", "json"])
def test_other_kinds_have_none(kind: str, zoo: Path, command: Command) -> None:
    command(["zoo", "--output-dir", "pages", "--output-kind", kind], tool="ncnn-report")
    assert not (zoo / "pages/index.html").exists()


def test_a_summary_is_a_page_of_links_to_files_that_stay(zoo: Path, command: Command) -> None:
    words = ["-O", "zoo", "--output-dir", "fast", "--summary", "all.html"]
    (zoo / "zoo/bad.param").write_text("nonsense")
    command(words, check=False)
    assert links(zoo / "all.html") == ["fast/a.param", "fast/sub/b.param"]
    assert "failed: " in (zoo / "all.html").read_text()
    command(["zoo", "--summary", "costs.html"], tool="ncnn-report", check=False)
    assert links(zoo / "costs.html") == []


def test_measured_models_have_a_verdict(zoo: Path, command: Command) -> None:
    pytest.importorskip("ncnn")
    command(["-O", "zoo", "--output-dir", "fast"])
    scaled = bytearray((zoo / "fast/a.bin").read_bytes())
    scaled[4:] = b"\x00\x00\x00\x40" * (len(scaled[4:]) // 4)
    (zoo / "fast/a.bin").write_bytes(scaled)
    words = ["zoo", "fast", "--repeat", "2", "--summary", "s.json"]
    result = command([*words, *PAGES], tool="ncnn-report", check=False)
    assert result.returncode == 1
    assert "zoo/a.param: fast/a.param has other outputs: error " in result.stderr
    assert result.stdout.splitlines()[-1].endswith(", 1 failed")
    rows = {r["model"]: r for r in json.loads((zoo / "s.json").read_text())["models"]}
    assert rows["zoo/a.param"]["verdict"] == "FAILED"
    assert rows["zoo/a.param"]["status"] == "failed"
    assert float(rows["zoo/a.param"]["error"]) > 1e-3
    good = rows["zoo/sub/b.param"]
    assert good["verdict"] == "PASSED"
    assert float(good["error"]) < 1e-5
    assert re.fullmatch(r"\d+\.\d{3} -> \d+\.\d{3}", good["ms"])
    assert "PASSED: largest error of an output" in (zoo / "pages/sub/b.html").read_text()
    assert "FAILED: largest error of an output" in (zoo / "pages/a.html").read_text()
    page = (zoo / "pages/index.html").read_text()
    assert links(zoo / "pages/index.html") == ["a.html", "sub/b.html"]
    assert ", 1 failed" in page
    assert f"<td>{good['ms'].replace('->', '→')}</td>" in page
    wrong = ["zoo/a.param", "fast/a.param", "--repeat", "2"]
    single = command(wrong, tool="ncnn-report", check=False)
    assert (single.returncode, "note: FAILED: largest error" in single.stdout) == (1, True)
    assert "note: after:" not in single.stdout
    right = command(["zoo/sub/b.param", "fast/sub/b.param", *wrong[2:]], tool="ncnn-report")
    assert "note: PASSED: largest error" in right.stdout
    one = command(["zoo/a.param", "--repeat", "2", "--print-json"], tool="ncnn-report").stdout
    totals = json.loads(one)["totals"]
    assert totals["latency_ms"] > 0
    assert "error" not in totals


def test_text_is_escaped_and_links_are_quoted() -> None:
    entry = Entry("a&<b>.param", "x/a&<b> 1.html", "failed", {"layers": (2, 1)}, "one\ntwo <c>")
    page = index_page("ncnn-report", [entry], "1 model")
    assert '<a href="x/a%26%3Cb%3E%201.html">a&amp;&lt;b&gt;.param</a>' in page
    assert "failed: two &lt;c&gt;" in page
    assert "<td>2 → 1 (-50.0 %)</td>" in page
