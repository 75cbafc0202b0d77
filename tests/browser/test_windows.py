"""Pages in windows of all sizes, and of unusual models."""

import pytest

from .conftest import Browser, MakePage


@pytest.mark.parametrize("width", [320, 390, 768, 1400])
@pytest.mark.parametrize("model", ["small", "both", "long names"])
def test_pages_do_not_scroll_sideways(
    width: int, model: str, browser: Browser, make_page: MakePage, small: str, smaller: str
) -> None:
    long = small.replace("fc 1 1 pool prob", f"fc 1 1 pool {'very' * 50}")
    long = long.replace("BinaryOp add ", f"BinaryOp {'/model/' + 'a' * 200} ")
    # A shape that is not known gives a note, with the name.
    long = long.replace(" 0=8 1=8 2=3", "").replace(" data", f" {'input' * 30}")
    models = {"small": [small], "both": [small, smaller], "long names": [long]}[model]
    browser.open(make_page(*models, weights="random"), width=width, height=800)
    page = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    wide, room = browser.run(page)
    assert wide <= room
    browser.find("#search").send_keys("conv\n")
    assert browser.selected is not None
    wide, room = browser.run(page)
    assert wide <= room
    # The panel is in the window, beside the node that it is about or below it.
    panel = browser.box("#detail")
    assert panel["left"] >= 0
    assert panel["right"] <= width


def test_the_panel_leaves_the_node_in_view_on_a_phone(
    browser: Browser, make_page: MakePage, small: str
) -> None:
    browser.open(make_page(small), width=390, height=800)
    browser.find("#search").send_keys("relu\n")
    at, panel = browser.box(".n.on"), browser.box("#detail")
    assert panel["bottom"] <= 800
    assert panel["height"] > 150
    assert at["bottom"] > 0


def test_theme(browser: Browser, make_page: MakePage, small: str) -> None:
    browser.open(make_page(small))
    paper = "return getComputedStyle(document.body).backgroundColor"
    before = browser.run(paper)
    browser.click("#theme")
    assert browser.run(paper) != before


def test_a_model_without_layers(browser: Browser, make_page: MakePage) -> None:
    nothing = "7767517\n1 1\nInput x 0 1 x\n"
    browser.open(make_page(nothing, nothing))
    browser.find("#search").send_keys("x\n")
    assert (
        browser.find("#shown").text == "1 of 1 layers" or browser.find("#shown").text == "1 layers"
    )


def test_the_console_is_heard(chromium: Browser, make_page: MakePage, small: str) -> None:
    page = make_page(small)
    page.write_text(page.read_text().replace("</body>", "<script>nowhere()</script></body>"))
    chromium.open(page)
    assert any("nowhere is not defined" in text for text in chromium.complaints())
