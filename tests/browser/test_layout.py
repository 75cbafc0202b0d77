"""The places of a page's parts in the window, in both themes: pictures are taken, boxes checked."""

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import pytest
from ncnn_opt.report.quantization import ChartBar, quantization_page

from .conftest import ENTER, Browser, MakePage

WIDTHS = [1280, 1600]
THEMES = ["light", "dark"]
Box = Mapping[str, float]

BRANCHES = 9
"""Enough that two graphs have no place beside each other at a scale at which one can read them."""


def wide(last: str) -> str:
    """A model with many branches."""
    tops = " ".join(f"s{i}" for i in range(BRANCHES))
    lines = ["Input data 0 1 x 0=8 1=8 2=4", f"Split split 1 {BRANCHES} x {tops}"]
    lines += [f"Convolution conv{i} 1 1 s{i} c{i} 0=4 1=1 6=16" for i in range(BRANCHES)]
    every = " ".join(f"c{i}" for i in range(BRANCHES))
    lines += [f"Concat cat {BRANCHES} 1 {every} cat", f"{last} last 1 1 cat y"]
    blobs = sum(int(line.split()[3]) for line in lines)
    return "\n".join(["7767517", f"{len(lines)} {blobs}", *lines]) + "\n"


def int8_of(model: str) -> str:
    """The same model with an int8 convolution."""
    return model.replace("0=4 1=3 4=1 6=108", "0=4 1=3 4=1 6=108 8=2")


MEASURED = {
    "layers": [
        {"name": "conv", "snr": 20.0, "error": 0.01, "float_ms": 0.5, "int8_ms": 0.25},
        {"name": "fc", "snr": 60.0, "error": 1e-6},
    ],
    "outputs": [
        {"blob": "prob", "group": "[0:1]", "snr": 31.0, "error": 8e-4},
        {"blob": "prob", "group": "[1:5]", "snr": 28.0, "error": 1.6e-3},
    ],
    "latency": {"float_ms": 2.0, "int8_ms": 1.0},
}


@pytest.fixture
def int8_page(make_page: MakePage, small: str, tmp_path: Path) -> Path:
    """The comparison of a model and its int8 form, which was measured."""
    (tmp_path / "e.json").write_text(json.dumps(MEASURED))
    return make_page(small, int8_of(small), more=["--errors", "e.json"])


def is_inside(inner: Box, outer: Box) -> bool:
    return (
        outer["left"] - 0.5 <= inner["left"] <= inner["right"] <= outer["right"] + 0.5
        and outer["top"] - 0.5 <= inner["top"] <= inner["bottom"] <= outer["bottom"] + 0.5
    )


def window(width: int, height: int = 900) -> Box:
    return {"left": 0, "top": 0, "right": width, "bottom": height}


def picture(browser: Browser, folder: Path, width: int, height: int = 900) -> None:
    """Takes a picture, which has the window's size."""
    path = folder / "page.png"
    assert browser.driver.save_screenshot(str(path))
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (width, height)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_both_graphs_begin_in_view(
    width: int, theme: str, browser: Browser, make_page: MakePage, tmp_path: Path
) -> None:
    browser.set_theme(theme)
    browser.open(make_page(wide("ReLU"), wide("Sigmoid")), width=width)
    picture(browser, tmp_path, width)
    panes = browser.boxes(".pane")
    assert len(panes) == 2
    assert panes[0]["right"] < panes[1]["left"]
    assert panes[0]["top"] == panes[1]["top"]
    for _ in range(3):
        one, other = browser.box("#b0"), browser.box("#a0")
        for node, pane in zip((one, other), panes, strict=True):
            assert is_inside(node, pane)
            assert is_inside(node, window(width))
        assert abs(one["width"] - other["width"]) + abs(one["height"] - other["height"]) < 0.01
        assert abs(one["top"] - other["top"]) < 1
        browser.click("[data-zoom=in]")  # no zoom drives one of them out of view
    # Both graphs are wider than their panes, and large enough to be read.
    assert browser.box("#graph-before")["width"] > panes[0]["width"]
    assert browser.box("#b0")["width"] > 150


def test_graphs_scroll_together(browser: Browser, make_page: MakePage, repeated: str) -> None:
    browser.open(make_page(repeated, repeated))
    browser.click("#fold")
    browser.run("document.querySelectorAll('.pane')[1].scrollTop = 900")
    browser.wait("document.querySelector('.pane').scrollTop === 900")
    assert abs(browser.box("#b20")["top"] - browser.box("#a20")["top"]) < 1
    browser.run("document.querySelectorAll('.pane')[0].scrollTop = 120")
    browser.wait("document.querySelectorAll('.pane')[1].scrollTop === 120")
    # A selected layer is in view in both.
    browser.find("#search").send_keys("relu17" + ENTER)
    for node, pane in zip(browser.boxes(".n.on"), browser.boxes(".pane"), strict=True):
        assert is_inside(node, pane)


@pytest.mark.parametrize("theme", THEMES)
def test_search_scrolls_the_page(
    theme: str, browser: Browser, make_page: MakePage, small: str, smaller: str, tmp_path: Path
) -> None:
    browser.set_theme(theme)
    for models in ([small], [small, smaller]):
        browser.open(make_page(*models), width=1280, height=420)
        node = "#b8" if len(models) > 1 else "#n8"
        assert browser.box(node)["top"] > 420
        browser.find("#search").send_keys("prob")
        picture(browser, tmp_path, 1280, 420)
        assert is_inside(browser.box(node), window(1280, 420))
        assert browser.box("#search")["bottom"] < browser.box(node)["top"]


def test_search_stays_at_the_table(browser: Browser, make_page: MakePage, repeated: str) -> None:
    browser.open(make_page(repeated))
    browser.run("document.getElementById('layers-section').scrollIntoView()")
    place = browser.run("return scrollY")
    assert place > 500
    browser.find("#search").send_keys("relu17")
    assert browser.run("return scrollY") <= place  # fewer lines: the page is shorter
    row = "#layers tbody tr:not([hidden])"
    assert browser.texts(f"{row} th") == ["relu17"]
    assert is_inside(browser.box(row), window(1400))
    browser.find("#search").send_keys(ENTER)  # leads to the graph
    assert is_inside(browser.box(".n.on"), window(1400))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_cards_are_in_one_row(
    width: int, theme: str, browser: Browser, make_page: MakePage, small: str, int8_page: Path
) -> None:
    browser.set_theme(theme)
    titles = ["Layers", "MACs", "Parameters", "Weights"]
    for page, first in (
        (int8_page, ["Worst output", "Worst layer", "Time", *titles]),
        (make_page(small), titles),
        (make_page(small, small), titles),
        (make_page(small, int8_of(small)), ["Worst output", "Worst layer", "Time", *titles]),
    ):
        browser.open(page, width=width)
        assert browser.texts(".card h2")[: len(first)] == first
        cards = browser.boxes(".card")
        assert len({card["top"] for card in cards}) == 1
        assert len({card["bottom"] for card in cards}) == 1
        assert all(is_inside(card, window(width)) for card in cards)
        cut = """return [...document.querySelectorAll(".card .figure")]
        .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"""
        assert set(browser.run(cut)) <= {"not measured"}


@pytest.mark.parametrize("theme", THEMES)
def test_an_int8_comparison(theme: str, browser: Browser, int8_page: Path, tmp_path: Path) -> None:
    browser.set_theme(theme)
    browser.open(int8_page)
    picture(browser, tmp_path, 1400)
    cards = browser.texts(".card")
    assert cards[0] == "Worst output28.0 dBprob[1:5], the worst of 2"
    assert cards[1] == "Worst layer20.0 dBConvolution conv, the worst of 2"
    assert cards[2] == "Time1.000 msbefore 2.000 ms, −50 %"
    kinds = """return Object.fromEntries([...document.querySelectorAll(".n")]
    .map((n) => [n.id, n.querySelector(".kind")?.textContent]).filter((pair) => pair[1]))"""
    assert browser.run(kinds) == {"b1": "float", "b8": "float", "a1": "int8", "a8": "float"}
    # A badge is on the upper edge of its node, and covers no text of it.
    for id in ("b1", "a1"):
        badge, node = browser.box(f"#{id} .kind"), browser.box(f"#{id} .box")
        assert node["left"] < badge["left"] < badge["right"] < node["right"]
        assert badge["top"] < node["top"] < badge["bottom"]
        assert badge["bottom"] <= browser.box(f"#{id} .t")["top"] + 4


def test_a_float_comparison_has_no_badges(
    browser: Browser, make_page: MakePage, small: str, smaller: str
) -> None:
    browser.open(make_page(small, smaller))
    assert browser.count(".kind") == 0
    assert "not measured" not in " ".join(browser.texts(".card"))


def select(browser: Browser, overlay: str) -> None:
    script = "const o = document.getElementById('overlay'); o.value = arguments[0];"
    browser.run(script + "o.dispatchEvent(new Event('change'))", overlay)


def heated(browser: Browser) -> Mapping[str, str]:
    """The figures of the nodes that an overlay colours."""
    return browser.run("""return Object.fromEntries([...document.querySelectorAll(".n.heat")]
    .map((n) => [n.id, n.querySelector(".fate").textContent]))""")


@pytest.mark.parametrize("theme", THEMES)
def test_overlays(theme: str, browser: Browser, int8_page: Path, tmp_path: Path) -> None:
    browser.set_theme(theme)
    browser.open(int8_page)
    corner = browser.texts("#a1 .fate")
    assert corner == ["6.91 k"]
    assert heated(browser) == {}
    select(browser, "time")
    assert heated(browser) == {"b1": "0.500 ms", "a1": "0.250 ms"}
    assert browser.texts("#low, #high") == ["0", "0.500 ms"]
    fills = browser.run(
        "return ['b1', 'a1', 'a2'].map((id) =>"
        "getComputedStyle(document.querySelector('#' + id + ' .box')).fill)"
    )
    assert len(set(fills)) == 3
    picture(browser, tmp_path, 1400)
    select(browser, "error")
    assert heated(browser) == {"a1": "20.0 dB", "a8": "60.0 dB"}
    select(browser, "weights")
    assert heated(browser)["a8"] == "104 B"
    select(browser, "activations")
    assert set(heated(browser)) >= {"b1", "b8", "a1", "a8"}
    # The figure and the type are beside each other, and so are the ends of the scale.
    for id in heated(browser):
        type_, figure = browser.box(f"#{id} .t"), browser.box(f"#{id} .fate")
        assert type_["right"] <= figure["left"]
    low, ramp, high = (browser.box(each) for each in ("#low", ".ramp", "#high"))
    assert low["right"] < ramp["left"] < ramp["right"] < high["left"]
    select(browser, "")
    assert heated(browser) == {}
    assert browser.texts("#a1 .fate") == corner
    assert not browser.find("#heat").is_displayed()


def test_an_overlay_that_was_not_measured_names_the_command(
    browser: Browser, make_page: MakePage, small: str
) -> None:
    browser.open(make_page(small))
    missing = "return [...document.querySelectorAll('#overlay [disabled]')].map((o) => o.text)"
    assert browser.run(missing) == [
        "time: ncnn-run --repeat N --report FILE",
        "error: ncnn-report --errors FILE",
        "range: ncnn-report --ranges --data FILE",
    ]


def luminance(colour: str) -> float:
    """How bright a colour `rgb(…)` is, from 0 to 1."""
    red, green, blue = (int(part) for part in colour.strip("rgb()").split(",")[:3])
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


@pytest.mark.parametrize("theme", THEMES)
def test_the_system_chooses_the_theme(
    theme: str, browser: Browser, make_page: MakePage, small: str
) -> None:
    browser.set_theme(theme)
    browser.open(make_page(small))
    paper, ink = browser.run(
        "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]"
    )
    light, dark = (paper, ink) if theme == "light" else (ink, paper)
    assert luminance(light) > 0.9
    assert luminance(dark) < 0.1


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_noise_against_the_limit(width: int, theme: str, browser: Browser, tmp_path: Path) -> None:
    def bar(label: str, kind: str, snr: float | None) -> ChartBar:
        return ChartBar(label, kind, snr, ("" if snr is None else f"{snr} dB", "", ""))

    layers = [bar("c", "int8", 50.0), bar("worst", "int8", 10.0), bar("none", "float", None)]
    outputs = [bar("y", "output", 35.0), bar("z", "output", 25.0)]
    page = tmp_path / "noise.html"
    page.write_text(quantization_page("m", layers, outputs, ["…"], limit=0.001))
    browser.set_theme(theme)
    browser.open(page, width=width)
    picture(browser, tmp_path, width)
    tops = {label: box["top"] for label, box in zip(
        browser.texts("tbody td:first-child"), browser.boxes("tbody tr"), strict=True
    )}  # fmt: skip
    assert sorted(tops, key=lambda label: tops[label]) == ["z", "y", "worst", "c", "none"]
    limits, bars = browser.boxes("tbody line"), browser.boxes("tbody rect")
    assert len(limits) == 4
    assert len({round(limit["left"]) for limit in limits}) == 1
    assert browser.texts("tr.over td:first-child") == ["z", "worst"]
    reaches = [bar["right"] > line["right"] for line, bar in zip(limits, bars, strict=True)]
    assert reaches == [True, False, True, False]
