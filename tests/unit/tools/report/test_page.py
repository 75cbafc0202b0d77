"""`ncnn-report --html`: the page, read as HTML. (tests/browser runs its script.)"""

import re
from html.parser import HTMLParser
from pathlib import Path

from ncnn_opt.tools.ncnn_report_main import main


class Page(HTMLParser):
    """What a page has in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if "href" in found else []
        if tag not in ("meta", "input", "link"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] not in ("script", "style"):
            self.text.append(data)

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of the elements of a class."""
        return [a for _, a in self.elements if name in (a.get("class") or "").split()]


def page_of(folder: Path, *models: str) -> Page:
    main([*models, "--html", "it.html"])
    text = (folder / "it.html").read_text()
    assert text.startswith("<!DOCTYPE html>\n")
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        assert link.startswith("data:") or link.removeprefix("#") in page.ids, link
    assert not re.search(r"(src|href)=\"(https?:)?//|url\(|@import", text)
    return page


def test_page(folder: Path) -> None:
    page = page_of(folder, "before.param")
    assert {f"r{i}" for i in range(9)} <= set(page.ids)
    nodes = page.of_class("n")
    # All layers but the Split are nodes, each with a link to its line of the table.
    assert [node["id"] for node in nodes] == [f"n{i}" for i in range(9) if i != 4]
    assert all(node["href"] == f"#r{(node['id'] or '')[1:]}" for node in nodes)
    words = " ".join(page.text)
    for word in ("before.param", "4x8x8", "6.91 k", "BatchNorm", "3.75 KiB", "structure only"):
        assert word in words
    # Two lines into BinaryOp, one into each other layer with an input.
    assert len(page.of_class("wire")) == 8


def test_page_of_a_comparison(folder: Path) -> None:
    page = page_of(folder, "before.param", "after.param")
    rows = [a for tag, a in page.elements if tag == "tr" and "data-nodes" in a]
    assert [row["class"] for row in rows] == [
        "same", "changed", "fused", "fused", "same", "eliminated", "same", "same", "new", "same",
    ]  # fmt: skip
    assert rows[1]["data-nodes"] == "b1 a1"
    assert rows[2]["data-nodes"] == "b2 a1"
    nodes = {node["id"]: node for node in page.of_class("n")}
    assert set(nodes) == {"b0", "b1", "b2", "b3", "b5", "b6", "b7", "b8"} | {
        "a0", "a1", "a3", "a4", "a5", "a6",
    }  # fmt: skip
    assert "fused" in (nodes["b2"]["class"] or "")
    assert "eliminated" in (nodes["b5"]["class"] or "")
    assert "new" in (nodes["a5"]["class"] or "")

    def height(id: str) -> float:
        return float(re.findall(r"[\d.]+", nodes[id]["transform"] or "")[1])

    for same in ("0", "1"):
        assert height(f"b{same}") == height(f"a{same}")
    assert height("b6") == height("a3")
    # A new layer moves down what follows it on both sides.
    assert height("b8") == height("a6") > height("a5") > height("b7")
    words = " ".join(page.text)
    assert "+ BatchNorm  bn" in words
    assert "+ ReLU  relu" in words


def test_names_are_escaped(folder: Path, before: str) -> None:
    evil = "<script>alert(1)</script>&\"'"
    (folder / "evil.param").write_text(before.replace("conv ", f"{evil} "))
    page = page_of(folder, "evil.param")
    scripts = [a.get("type") for tag, a in page.elements if tag == "script"]
    assert scripts == ["application/json", "application/json", "module"]
    assert evil in page.text


def test_page_of_a_model_without_layers(folder: Path) -> None:
    (folder / "empty.param").write_text("7767517\n1 1\nInput x 0 1 x\n")
    page = page_of(folder, "empty.param")
    assert len(page.of_class("n")) == 1


def a_thousand_layers() -> str:
    """A model whose input is read in many places."""
    tops = " ".join(f"s{i}" for i in range(250))
    lines = ["Input x 0 1 x 0=8 1=8 2=4", f"Split s 1 250 x {tops}"]
    last = "s0"
    for i in range(1, 250):
        lines.append(f"ReLU r{i} 1 1 {last} r{i}")
        lines.append(f"BinaryOp a{i} 2 1 r{i} s{i} a{i} 0=0")
        lines.append(f"Convolution c{i} 1 1 a{i} c{i} 0=4 1=1 6=16")
        lines.append(f"Sigmoid g{i} 1 1 c{i} g{i}")
        last = f"g{i}"
    blobs = sum(int(line.split()[3]) for line in lines)
    return "\n".join(["7767517", f"{len(lines)} {blobs}", *lines]) + "\n"


def test_page_of_a_thousand_layers(folder: Path) -> None:
    (folder / "long.param").write_text(a_thousand_layers())
    page = page_of(folder, "long.param")
    assert len(page.of_class("n")) == 997
    # The far readers of x name it instead of drawing a line across the page.
    assert len(page.of_class("cut")) > 240
    svg = next(a for tag, a in page.elements if tag == "svg")
    assert float(svg["width"] or 0) < 1000


def test_page_of_what_is_not_known(folder: Path, before: str) -> None:
    (folder / "unknown.param").write_text(before.replace(" 0=8 1=8 2=3", ""))
    page = page_of(folder, "unknown.param", "--input-shape", "data=?,?,?")
    words = " ".join(page.text)
    for word in ("≥ 20", "1 layer of unknown cost", "5 blobs of unknown size"):
        assert word in words
    (folder / "dark.param").write_text("7767517\n2 2\nInput x 0 1 x\nReLU r 1 1 x y\n")
    # A chart without a bar is left out.
    assert not page_of(folder, "dark.param").of_class("strip")
    assert page_of(folder, "before.param").of_class("strip")
